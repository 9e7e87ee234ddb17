import { createPublicKey, verify } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { loadKeyFile, loadOrCreateKeyFile } from './key-file.ts';
import { hasMlDsa44, loadOrCreateMlDsaKeyFile } from './ml-dsa-key-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'intentplane-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Node 22 has no such keys. */
const skip = !hasMlDsa44();

describe('loadOrCreateMlDsaKeyFile', () => {
  it.skipIf(skip)('makes a key for the owner alone, loads it again, and signs with it', () => {
    const path = join(folder, 'keys', 'log-key.pq.pem');
    const signer = loadOrCreateMlDsaKeyFile(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(loadOrCreateMlDsaKeyFile(path).publicKey).toEqual(signer.publicKey);
    expect(signer.publicKey).toHaveLength(1312);
    const signature = signer.sign(Buffer.from('text'));
    expect(signature).toHaveLength(2420);
    const key = createPublicKey(readFileSync(path, 'utf8'));
    expect(verify(null, Buffer.from('text'), key, signature)).toBe(true);
  });

  it.skipIf(skip)('takes no key of another type, and its key is taken for no other', () => {
    const [first, second] = [join(folder, 'log-key.pem'), join(folder, 'log-key.pq.pem')];
    loadOrCreateKeyFile(first);
    expect(() => loadOrCreateMlDsaKeyFile(first)).toThrow(
      expect.objectContaining({ code: 'KEY_FILE_NOT_ML_DSA_44' }),
    );
    loadOrCreateMlDsaKeyFile(second);
    expect(() => loadKeyFile(second)).toThrow(
      expect.objectContaining({ code: 'KEY_FILE_NOT_ED25519' }),
    );
  });

  verifies('RCP-29', 'a Node without ML-DSA-44 is told so, and no file is made', () => {
    const path = join(folder, 'log-key.pq.pem');
    const without = (): never => {
      throw new TypeError('unknown key type');
    };
    expect(() => loadOrCreateMlDsaKeyFile(path, without)).toThrow(
      expect.objectContaining({ code: 'KEY_FILE_ALG_UNAVAILABLE' }),
    );
    expect(() => loadOrCreateMlDsaKeyFile(path, without)).toThrow('Node 24.6 or newer');
    expect(existsSync(path)).toBe(false);
  });
});
