import { execFile } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyFileError, loadKeyFile, loadOrCreateKeyFile } from './key-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'intentplane-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function codeOf(load: () => unknown): string | undefined {
  try {
    load();
  } catch (error) {
    if (error instanceof KeyFileError) return error.code;
    throw error;
  }
  return undefined;
}

function writeKey(name: string, content: string | Buffer, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode });
  chmodSync(path, mode);
  return path;
}

describe('loadOrCreateKeyFile', () => {
  it('makes a key in a new folder, for the owner alone, and loads the same one again', () => {
    const path = join(folder, 'a', 'b', 'log.pem');
    const first = loadOrCreateKeyFile(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700);
    expect(readFileSync(path, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['log.pem']);
    expect(loadOrCreateKeyFile(path).publicKey).toEqual(first.publicKey);
    expect(first.publicKey).toHaveLength(32);
  });

  it('signs so that the platform verifies it', () => {
    const signer = loadOrCreateKeyFile(join(folder, 'log.pem'));
    const key = createPublicKey({
      format: 'jwk',
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(signer.publicKey).toString('base64url') },
    });
    const signature = signer.sign(Buffer.from('text'));
    expect(signature.buffer.byteLength).toBe(64);
    expect(verify(null, Buffer.from('text'), key, signature)).toBe(true);
    expect(verify(null, Buffer.from('texT'), key, signature)).toBe(false);
  });

  it('gives processes that start at once one key', async () => {
    const path = join(folder, 'log.pem');
    const module = new URL('./key-file.ts', import.meta.url).href;
    const script = `const { loadOrCreateKeyFile } = await import('${module}');
      process.stdout.write(Buffer.from(loadOrCreateKeyFile('${path}').publicKey).toString('hex'));`;
    const run = promisify(execFile);
    const args = ['--input-type=module', '-e', script];
    const runs = await Promise.all([1, 2, 3, 4].map(() => run(process.execPath, args)));
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1);
    expect(readdirSync(folder)).toEqual(['log.pem']);
  }, 30_000);

  it('leaves a broken file as it is', () => {
    const path = writeKey('log.pem', 'rubbish');
    expect(codeOf(() => loadOrCreateKeyFile(path))).toBe('KEY_FILE_MALFORMED');
    expect(readFileSync(path, 'utf8')).toBe('rubbish');
  });

  it('says so when the folder cannot be made', () => {
    const path = join(writeKey('file', ''), 'log.pem');
    expect(codeOf(() => loadOrCreateKeyFile(path))).toBe('KEY_FILE_UNREADABLE');
    const blocked = join(folder, 'x'.repeat(300), 'log.pem');
    expect(codeOf(() => loadOrCreateKeyFile(blocked))).toBe('KEY_FILE_UNREADABLE');
    // The name fits, that of the temporary file beside it does not.
    const long = join(folder, 'x'.repeat(250));
    expect(codeOf(() => loadOrCreateKeyFile(long))).toBe('KEY_FILE_NOT_WRITABLE');
  });
});

describe('loadKeyFile', () => {
  const pem = (): string =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

  it('names a file that is not there', () => {
    const path = join(folder, 'none.pem');
    expect(codeOf(() => loadKeyFile(path))).toBe('KEY_FILE_MISSING');
    expect(() => loadKeyFile(path)).toThrow(`key file \`${path}\`: does not exist`);
  });

  it('refuses a file that group or others can reach, and takes stricter modes', () => {
    for (const mode of [0o640, 0o604, 0o660, 0o620, 0o610]) {
      expect(codeOf(() => loadKeyFile(writeKey('log.pem', pem(), mode)))).toBe('KEY_FILE_MODE');
    }
    expect(codeOf(() => loadKeyFile(writeKey('strict.pem', pem(), 0o400)))).toBeUndefined();
    expect(() => loadKeyFile(writeKey('log.pem', pem(), 0o644))).toThrow('chmod 600');
  });

  it('refuses a folder', () => {
    const path = join(folder, 'folder');
    mkdirSync(path);
    expect(codeOf(() => loadKeyFile(path))).toBe('KEY_FILE_UNREADABLE');
  });

  it('refuses what is no plain Ed25519 private key', () => {
    const ed25519 = generateKeyPairSync('ed25519');
    const encrypted = ed25519.privateKey.export({
      format: 'pem',
      type: 'pkcs8',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    });
    const publicPem = ed25519.publicKey.export({ format: 'pem', type: 'spki' });
    for (const content of ['', encrypted, publicPem, pem().slice(0, 60), 'x'.repeat(16_385)]) {
      const path = writeKey('log.pem', content);
      expect(codeOf(() => loadKeyFile(path))).toBe('KEY_FILE_MALFORMED');
    }
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const path = writeKey('log.pem', ec.export({ format: 'pem', type: 'pkcs8' }));
    expect(codeOf(() => loadKeyFile(path))).toBe('KEY_FILE_NOT_ED25519');
  });

  it('quotes nothing of the file', () => {
    const path = writeKey(
      'log.pem',
      '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n',
    );
    try {
      loadKeyFile(path);
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain('c2VjcmV0');
      expect((error as Error).cause).toBeUndefined();
    }
  });
});
