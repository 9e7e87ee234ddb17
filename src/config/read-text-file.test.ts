import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from '../../test/fixtures/config-file.ts';
import { readSecret } from './read-secret.ts';
import { readTextFile } from './read-text-file.ts';

describe('readTextFile', () => {
  const read = (name: string, content: string | Uint8Array): unknown =>
    readTextFile(join(folderWith({ [name]: content }), name), 'linux');

  it('gives the text, without a byte order mark', () => {
    expect(read('a', 'größer')).toEqual({ ok: true, value: 'größer' });
    expect(read('a', '\uFEFFx')).toEqual({ ok: true, value: 'x' });
  });

  it('says what is wrong with a file, and what to do', () => {
    const error = (folder: string, name: string): unknown =>
      readTextFile(join(folder, name), 'linux');
    const folder = folderWith({ 'sub/file': 'x' });
    expect(error(folder, 'none')).toEqual({
      ok: false,
      error: 'does not exist: create it, or correct the path',
    });
    expect(error(folder, 'sub')).toEqual({ ok: false, error: 'is no file: name the file itself' });
    expect(error(folder, 'sub/file/x')).toEqual({
      ok: false,
      error: 'cannot be read (ENOTDIR): check its permissions',
    });
    expect(read('a', Buffer.from([0x61, 0xff]))).toEqual({
      ok: false,
      error: 'is no UTF-8 text: save it as UTF-8',
    });
  });

  it('takes 1 MiB and not one byte more', () => {
    expect(read('a', 'x'.repeat(1_048_576))).toMatchObject({ ok: true });
    expect(read('a', 'x'.repeat(1_048_577))).toEqual({
      ok: false,
      error: 'is larger than 1048576 bytes: split it',
    });
  });

  it('takes no file that everybody can write, where files have such rights', () => {
    const file = join(folderWith({ a: 'x' }), 'a');
    chmodSync(file, 0o646);
    expect(readTextFile(file, 'linux')).toEqual({
      ok: false,
      error: 'can be written by everybody: run `chmod o-w` on it',
    });
    expect(readTextFile(file, 'win32')).toEqual({ ok: true, value: 'x' });
  });
});

describe('readSecret', () => {
  const context = (folder: string, platform = 'linux') => ({ folder, environment: { platform } });

  it('is the text itself, or the content of a file that only its owner can read', () => {
    const folder = folderWith({ secret: ' s3cret\n' });
    chmodSync(join(folder, 'secret'), 0o600);
    expect(readSecret('plain', context(folder))).toEqual({ ok: true, value: 'plain' });
    expect(readSecret('file:secret', context(folder))).toEqual({ ok: true, value: 's3cret' });
  });

  it('refuses a file that others can read, where files have such rights', () => {
    const folder = folderWith({ secret: 'x' });
    const path = join(folder, 'secret');
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(path, mode);
      expect(readSecret('file:secret', context(folder))).toEqual({
        ok: false,
        error: `the secret file \`${path}\` can be read by others: run \`chmod 600\` on it`,
      });
    }
    expect(readSecret('file:secret', context(folder, 'win32'))).toEqual({ ok: true, value: 'x' });
  });

  it('refuses a missing and an empty file', () => {
    const folder = folderWith({ empty: ' \n' });
    chmodSync(join(folder, 'empty'), 0o600);
    expect(readSecret('file:none', context(folder))).toEqual({
      ok: false,
      error: `the secret file \`${join(folder, 'none')}\` cannot be read: create it, or write the value`,
    });
    expect(readSecret('file:empty', context(folder))).toEqual({
      ok: false,
      error: `the secret file \`${join(folder, 'empty')}\` is empty`,
    });
  });
});
