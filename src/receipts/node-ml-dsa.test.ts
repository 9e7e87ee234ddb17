import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { findNodeMlDsa44 } from './node-ml-dsa.ts';
import { findMlDsa44 } from './web-hash.ts';

const check = findNodeMlDsa44();

describe('findNodeMlDsa44', () => {
  it.skipIf(check === undefined)('agrees with WebCrypto on what holds and what not', async () => {
    const { privateKey } = generateKeyPairSync('ml-dsa-44' as 'ed25519');
    const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
    const publicKey = Uint8Array.from(spki.subarray(-1312));
    const bytes = Buffer.from('text');
    const signature = Uint8Array.from(sign(null, bytes, privateKey));
    const other = Uint8Array.from(signature, (byte, i) => (i === 9 ? byte ^ 1 : byte));
    const web = await findMlDsa44();
    for (const each of [check, web]) {
      expect(await each?.({ publicKey, signature, bytes })).toBe(true);
      expect(await each?.({ publicKey, signature: other, bytes })).toBe(false);
      expect(await each?.({ publicKey, signature, bytes: Buffer.from('texT') })).toBe(false);
      expect(await each?.({ publicKey, signature: signature.subarray(1), bytes })).toBe(false);
    }
  });

  verifies('RCP-29', 'is nothing on a Node without such keys', () => {
    const without = (): never => {
      throw new Error('unsupported');
    };
    expect(findNodeMlDsa44(without)).toBeUndefined();
  });
});
