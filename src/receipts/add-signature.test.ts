import { describe, expect, it } from 'vitest';
import { createTestLog, createTestSigner } from '../testing/test-bundle.ts';
import { addSignature } from './add-signature.ts';
import { parseNote, verifyNote } from './signed-note.ts';
import { createLogKey } from './verifier-key.ts';

describe('addSignature', () => {
  it('leaves the text and the first signature, and adds one that holds', async () => {
    const log = await createTestLog();
    log.fill(3);
    const signer = createTestSigner(2);
    const key = await createLogKey(log.key.name, signer.publicKey);
    const both = addSignature(log.checkpoint(), key, signer);
    expect(both.startsWith(log.checkpoint())).toBe(true);
    const note = parseNote(both);
    expect(note.ok && (await verifyNote(note.value, [log.key, key]))).toEqual({
      ok: true,
      value: [log.key, key],
    });
  });

  it('refuses what is no note', async () => {
    const { key, signer } = await createTestLog();
    expect(() => addSignature('nothing', key, signer)).toThrow('NOTE_MALFORMED');
  });
});
