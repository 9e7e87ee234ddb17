import { describe, expect, it } from 'vitest';
import { createTestLog, createTestSigner } from '../testing/test-bundle.ts';
import { cosignNote } from './cosign-note.ts';
import { formatSignature, parseNote, verifyNote } from './signed-note.ts';
import { createVerifierKey } from './verifier-key.ts';

const log = await createTestLog();
log.fill(3);
const signer = createTestSigner(2);
const { publicKey } = signer;
const key = await createVerifierKey({ name: 'w.example', type: 0x04, publicKey });
const parsed = parseNote(log.checkpoint());
const text = parsed.ok ? parsed.value.text : '';

describe('cosignNote', () => {
  it('makes a line that holds beside the one of the log', async () => {
    const line = formatSignature(cosignNote({ key, signer }, { timeS: 1, text }));
    const note = parseNote(log.checkpoint() + line);
    const keys = [log.key, key];
    expect(note.ok && (await verifyNote(note.value, keys))).toEqual({ ok: true, value: keys });
  });

  it('refuses what is no checkpoint, and to say no time', () => {
    const mlDsa = { key: { ...key, type: 0x06 }, signer };
    expect(() => cosignNote(mlDsa, { timeS: 1, text: 'x\n' })).toThrow(RangeError);
    expect(() => cosignNote({ key, signer }, { timeS: 0, text })).toThrow(RangeError);
  });
});
