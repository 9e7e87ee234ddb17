import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../stores/store.ts';
import { makeFolder } from './make-folder.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'make-folder-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function refusal(path: string): StoreError {
  try {
    makeFolder(path);
  } catch (error) {
    if (error instanceof StoreError) return error;
  }
  throw new Error('it was made');
}

describe('makeFolder', () => {
  it('makes every missing parent, for the owner alone, and may be called again', () => {
    const path = join(base, 'a/b/c');
    makeFolder(path);
    makeFolder(path);
    for (const folder of [path, join(base, 'a')]) {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  it('names the file that stands in the way, and the fix', () => {
    writeFileSync(join(base, 'file'), '');
    const direct = refusal(join(base, 'file'));
    expect(direct.code).toBe('STORE_NOT_WRITABLE');
    expect(direct.message).toContain(`\`${join(base, 'file')}\` is no folder`);
    expect(direct.message).toContain('gateway.data');
    const below = refusal(join(base, 'file/data'));
    expect(below.message).toContain(join(base, 'file'));
    expect(below.message).toContain(join(base, 'file/data'));
  });

  it('refuses a link to nowhere', () => {
    symlinkSync(join(base, 'nowhere/else'), join(base, 'link'));
    expect(refusal(join(base, 'link')).message).toContain('EEXIST');
  });

  it.runIf(process.platform === 'linux')('gives up where nothing can be made', () => {
    expect(refusal('/proc/intentplane/data').message).toContain('cannot be made');
  });
});
