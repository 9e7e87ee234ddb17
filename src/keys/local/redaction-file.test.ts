import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Erasure } from '../../core/moves/plan-redaction.ts';
import { createRedactionFile } from './redaction-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redactions-'));
  path = join(folder, 'keys', 'log-key.pem.redactions');
});
afterEach(() => rmSync(folder, { recursive: true }));

const entry = (seq: number): Erasure => ({
  seq,
  leafHash: new Uint8Array(32).fill(seq),
  fields: ['call', 'preimage'],
  basis: 'gdpr-17',
});

describe('createRedactionFile', () => {
  it('keeps what was appended, in order, for its owner alone', () => {
    const list = createRedactionFile(path);
    expect(list.read()).toEqual([]);
    list.append([entry(1), entry(2)]);
    list.append([entry(3)]);
    expect(createRedactionFile(path).read()).toEqual([entry(1), entry(2), entry(3)]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8').split('\n')[0]).toBe(
      `{"seq":1,"leaf":"${Buffer.alloc(32, 1).toString('base64')}","fields":["call","preimage"],"basis":"gdpr-17"}`,
    );
  });

  it('takes no line that a crash cut short, and writes over it', () => {
    const list = createRedactionFile(path);
    list.append([entry(1)]);
    appendFileSync(path, '{"seq":2,"le');
    expect(list.read()).toEqual([entry(1)]);
    list.append([entry(3)]);
    expect(list.read()).toEqual([entry(1), entry(3)]);
  });

  it('refuses a line that is no entry, with its number', () => {
    const list = createRedactionFile(path);
    list.append([entry(1)]);
    const [good = ''] = readFileSync(path, 'utf8').split('\n');
    for (const bad of [
      ...['', '{', '[]', good.replace('"seq":1', '"seq":-1'), good.replace('gdpr-17', 'whim')],
      ...[good.replace('AQEB', ''), good.replace('"fields":["call","preimage"]', '"fields":[]')],
    ]) {
      writeFileSync(path, `${good}\n${bad}\n`);
      expect(() => list.read(), bad).toThrow('line 2 of the redaction list');
    }
  });

  it('says which file cannot be read or written', () => {
    writeFileSync(join(folder, 'keys'), '');
    const list = createRedactionFile(path);
    expect(() => list.append([entry(1)])).toThrow(
      `the redaction list \`${path}\` cannot be written`,
    );
    expect(() => createRedactionFile(folder).read()).toThrow('cannot be read');
  });
});
