import { describe, expect, it } from 'vitest';
import { createTestSigner } from '../testing/test-bundle.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { signCheckpoint } from './sign-checkpoint.ts';
import { parseNote, verifyNote } from './signed-note.ts';
import { createLogKey } from './verifier-key.ts';

describe('signCheckpoint', () => {
  it('makes a note that the key verifies, the same one each time', async () => {
    const signer = createTestSigner(1);
    const key = await createLogKey('log.example', signer.publicKey);
    const tree = { size: 3, root: new Uint8Array(32).fill(7) };
    const note = parseNote(signCheckpoint(tree, key, signer));
    expect(note.ok && parseCheckpoint(note.value.text)).toEqual({
      ok: true,
      value: { origin: 'log.example', ...tree },
    });
    expect(note.ok && (await verifyNote(note.value, [key]))).toEqual({ ok: true, value: [key] });
    expect(signCheckpoint(tree, key, signer)).toBe(signCheckpoint(tree, key, signer));
  });
});
