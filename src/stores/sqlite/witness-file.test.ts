import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { openWitnessFile } from './witness-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'witness-'));
  path = join(folder, 'witness.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const root = new Uint8Array(32).fill(3);
const keep = { size: 3, root, note: 'note' };

describe('openWitnessFile', () => {
  it('remembers the newest checkpoint of each log, in a file of its owner', () => {
    const first = openWitnessFile(path);
    expect(first.read('a')).toBeUndefined();
    expect(first.advance('a', (seen) => ({ keep, answer: seen }))).toBeUndefined();
    expect(first.advance('b', () => ({ answer: 1 }))).toBe(1);
    first.close();
    const again = openWitnessFile(path);
    expect([again.read('a'), again.read('b')]).toEqual([keep, undefined]);
    expect(again.advance('a', (seen) => ({ keep: { ...keep, size: 4 }, answer: seen }))).toEqual(
      keep,
    );
    expect(again.read('a')?.size).toBe(4);
    again.close();
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('keeps nothing of what failed, and goes on', () => {
    const store = openWitnessFile(path);
    const fail = (): never => {
      throw new Error('no key');
    };
    expect(() => store.advance('a', fail)).toThrow('no key');
    expect(() =>
      store.advance('a', () => ({ keep: { ...keep, root: new Uint8Array(1) }, answer: 0 })),
    ).toThrow(expect.objectContaining({ code: 'STORE_CONFLICT' }));
    expect(store.read('a')).toBeUndefined();
    store.advance('a', () => ({ keep, answer: 0 }));
    store.close();
    expect(() => store.read('a')).toThrow();
  });

  it('takes no database of something else, and no other file', () => {
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE leaf (seq INTEGER)');
    other.close();
    chmodSync(path, 0o600);
    expect(() => openWitnessFile(path)).toThrow('is a database of something else');
    const text = join(folder, 'text.db');
    writeFileSync(text, 'x'.repeat(5_000), { mode: 0o600 });
    expect(() => openWitnessFile(text)).toThrow(expect.objectContaining({ code: 'STORE_FAILED' }));
  });

  verifies('RCP-22', 'lets one of several processes go on from a size', async () => {
    openWitnessFile(path).close();
    const module = new URL('./witness-file.ts', import.meta.url).href;
    const script = `const { openWitnessFile } = await import('${module}');
      const store = openWitnessFile('${path}');
      let won = 0;
      for (let size = 0; size < 200; size += 1) {
        won += store.advance('a', (seen) => {
          if ((seen?.size ?? 0) !== size) return { answer: 0 };
          return { keep: { size: size + 1, root: new Uint8Array(32), note: '' }, answer: 1 };
        });
      }
      process.stdout.write(String(won));`;
    const run = promisify(execFile);
    const args = ['--input-type=module', '-e', script];
    const runs = await Promise.all([1, 2, 3].map(() => run(process.execPath, args)));
    const wins = runs.map(({ stdout }) => Number(stdout));
    const store = openWitnessFile(path);
    // Each size was left exactly once.
    expect(wins.reduce((sum, won) => sum + won, 0)).toBe(store.read('a')?.size);
    store.close();
  });
});
