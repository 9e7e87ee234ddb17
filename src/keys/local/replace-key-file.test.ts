import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadKeyFile, loadOrCreateKeyFile } from './key-file.ts';
import { replaceKeyFile } from './replace-key-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replace-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('replaceKeyFile', () => {
  it('leaves one file with the new key, and nothing of the old one', () => {
    const [path, next] = [join(folder, 'key.pem'), join(folder, 'key.pem.next')];
    loadOrCreateKeyFile(path);
    const made = loadOrCreateKeyFile(next);
    // What still has the old file open sees its bytes gone.
    const old = openSync(path, 'r');
    replaceKeyFile(path, next);
    expect(readdirSync(folder)).toEqual(['key.pem']);
    expect(loadKeyFile(path).publicKey).toEqual(made.publicKey);
    const bytes = Buffer.alloc(200, 1);
    const length = readSync(old, bytes, 0, 200, 0);
    closeSync(old);
    expect(length).toBeGreaterThan(100);
    expect(bytes.subarray(0, length)).toEqual(Buffer.alloc(length));
  });

  it('changes nothing when there is no new key, or no old one', () => {
    const path = join(folder, 'key.pem');
    const { publicKey } = loadOrCreateKeyFile(path);
    expect(() => replaceKeyFile(path, join(folder, 'none'))).toThrow('cannot be created');
    expect(loadKeyFile(path).publicKey).toEqual(publicKey);
    expect(() => replaceKeyFile(join(folder, 'none'), path)).toThrow();
  });
});
