import { describe, expect, it } from 'vitest';
import { createSoftAuthenticator } from '../../test/fixtures/soft-authenticator.ts';
import { parseCoseKey } from './cose-key.ts';

describe('parseCoseKey', () => {
  it.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'reads %s, and no key with a byte changed in its frame',
    (algorithm) => {
      const { publicKey } = createSoftAuthenticator({ algorithm });
      const key = parseCoseKey(publicKey);
      expect(key?.algorithm).toBe(algorithm);
      for (let at = 0; at < 9; at += 1) {
        const changed = Uint8Array.from(publicKey);
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(parseCoseKey(changed), `byte ${at}`).toBeUndefined();
      }
      expect(parseCoseKey(publicKey.subarray(1))).toBeUndefined();
      expect(parseCoseKey(Uint8Array.from([...publicKey, 0]))).toBeUndefined();
    },
  );

  it('reads no key from nothing', () => {
    expect(parseCoseKey(new Uint8Array())).toBeUndefined();
  });
});
