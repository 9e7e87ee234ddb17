import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuardFile } from './guard-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guard-'));
  path = join(folder, 'keys', 'log-key.pem.guard');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const origin = 'example.com/gateway';
const tree = { size: 7, root: new Uint8Array(32).fill(9) };

describe('createGuardFile', () => {
  it('reads back what was written last, in a file of its owner alone', () => {
    const guard = createGuardFile(path);
    expect(guard.read(origin)).toBeUndefined();
    guard.write(origin, { ...tree, size: 3 });
    guard.write(origin, tree);
    expect(guard.read(origin)).toEqual(tree);
    expect(readFileSync(path, 'utf8').split('\n').slice(0, 2)).toEqual([origin, '7']);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'keys'))).toEqual(['log-key.pem.guard']);
  });

  it('refuses the guard of another log', () => {
    createGuardFile(path).write('example.com/other', tree);
    expect(() => createGuardFile(path).read(origin)).toThrow(
      expect.objectContaining({ code: 'LOG_FORKED', fatal: true }),
    );
  });

  it('refuses whatever else the file holds', () => {
    mkdirSync(join(folder, 'keys'));
    const root = Buffer.alloc(32, 9).toString('base64');
    const texts = [
      '',
      origin,
      `${origin}\n7\n${root}`,
      `${origin}\n07\n${root}\n`,
      `${origin}\n-7\n${root}\n`,
      `${origin}\n7\nAAAA\n`,
      `${origin}\n7\n!\n`,
      `${origin}\n7\n${root}\nmore\n`,
    ];
    for (const text of texts) {
      writeFileSync(path, text);
      expect(() => createGuardFile(path).read(origin), text).toThrow('holds something else');
    }
  });

  it('says so when it cannot be read or written', () => {
    mkdirSync(path, { recursive: true });
    expect(() => createGuardFile(path).read(origin)).toThrow(
      expect.objectContaining({ code: 'GUARD_MISSING' }),
    );
    writeFileSync(join(folder, 'file'), '');
    expect(() => createGuardFile(join(folder, 'file', 'guard')).write(origin, tree)).toThrow(
      expect.objectContaining({ code: 'STORE_NOT_WRITABLE' }),
    );
  });
});

describe('a guard whose log was ended', () => {
  const tree = (size: number): { size: number; root: Uint8Array } => ({
    size,
    root: new Uint8Array(32).fill(size),
  });
  let path: string;
  beforeEach(() => {
    path = join(mkdtempSync(join(tmpdir(), 'ended-guard-')), 'guard');
  });
  afterEach(() => rmSync(dirname(path), { recursive: true }));

  it('remembers what was signed, and never takes the old name again', () => {
    const guard = createGuardFile(path);
    guard.write('old', tree(7));
    expect(guard.replace({ origin: 'old', tree: tree(5) }, 'new')).toEqual(tree(7));
    // The same restart after a crash.
    expect(guard.replace({ origin: 'old', tree: tree(5) }, 'new')).toEqual(tree(7));
    expect(guard.read('new')?.size).toBe(0);
    guard.write('new', tree(8));
    expect(() => guard.read('old')).toThrow('was ended by a restart');
    expect(() => guard.replace({ origin: 'new', tree: tree(8) }, 'old')).toThrow('was the name');
    expect(() => guard.replace({ origin: 'new', tree: tree(8) }, 'new')).toThrow('was the name');
    // An old backup of the old log: it may go on under a third name.
    expect(guard.replace({ origin: 'old', tree: tree(3) }, 'third')).toEqual(tree(7));
    expect(() => guard.read('new')).toThrow('was ended by a restart');
    expect(guard.read('third')?.size).toBe(0);
  });

  it('begins where there was none, and leaves that of another log alone', () => {
    const guard = createGuardFile(path);
    expect(guard.replace({ origin: 'old', tree: tree(5) }, 'new')).toBeUndefined();
    expect(guard.read('new')?.size).toBe(0);
    expect(() => guard.replace({ origin: 'stranger', tree: tree(5) }, 'x')).toThrow('belongs to');
    expect(() => guard.read('stranger')).toThrow('belongs to the log `new`');
  });
});
