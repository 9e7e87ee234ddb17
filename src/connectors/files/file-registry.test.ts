import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { lookalikeKey } from '../../core/checks/skeleton.ts';
import type { RegistrySettings } from '../load-registries.ts';
import { FileRegistry } from './file-registry.ts';
import { loadRegistries } from './load-registries.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Opened {
  readonly registry: FileRegistry;
  readonly file: string;
  readonly lines: string[];
  /** Writes the file with a time of its own, so that the change is seen whatever the clock's grain. */
  readonly write: (text: string) => void;
}

let fileTimeS = 1_800_000_000;

function open(
  text: string | undefined,
  changes: Partial<RegistrySettings> & { readonly nowMs?: () => number } = {},
): Opened {
  const folder = mkdtempSync(join(tmpdir(), 'intentplane-registry-'));
  folders.push(folder);
  const file = join(folder, `payees.${changes.format ?? 'json'}`);
  const write = (content: string): void => {
    writeFileSync(file, content);
    fileTimeS += 1;
    utimesSync(file, fileTimeS, fileTimeS);
  };
  if (text !== undefined) write(text);
  const lines: string[] = [];
  const { nowMs = () => fileTimeS * 1_000, ...settings } = changes;
  const registry = new FileRegistry(
    {
      name: 'payees',
      file,
      format: 'json',
      reading: {
        own: { type: 'string', scale: 1, settings: {} },
        value: undefined,
        fields: {},
        alias: [],
        owner: { kind: 'principal' },
      },
      listable: false,
      maxAgeMs: undefined,
      ...settings,
    },
    { principal: 'maya', nowMs, log: (level, line) => lines.push(`${level} ${line}`) },
  );
  return { registry, file, lines, write };
}

const mine = { tenant: 'maya', field: undefined };
const knows = ({ registry }: Opened, value: string): boolean =>
  registry.byValue(mine, value).length > 0;

describe('FileRegistry', () => {
  it('answers by value, id, alias and likeness', () => {
    const opened = open('{"v1": {"value": "paypal.com", "name": "Pay"}}', {
      reading: {
        own: { type: 'string', scale: 1, settings: {} },
        value: undefined,
        fields: { name: { type: 'string', normalize: 'lower', scale: 1, settings: {} } },
        alias: ['name'],
        owner: { kind: 'principal' },
      },
    });
    const { registry } = opened;
    expect(registry.ready).toBe(true);
    expect(registry.byId(mine, 'v1')?.own).toBe('paypal.com');
    expect(registry.byId(mine, 'v2')).toBeUndefined();
    expect(registry.byAlias(mine, 'Pay')).toHaveLength(1);
    expect(registry.byValue({ tenant: 'maya', field: 'name' }, 'pay')).toHaveLength(1);
    expect(registry.byId({ tenant: 'maya', field: 'name' }, 'v1')?.own).toBe('Pay');
    expect(registry.hasLikeness(mine, lookalikeKey('pаypal.com'))).toBe(true);
    expect(registry.hasLikeness(mine, lookalikeKey('other.com'))).toBe(false);
    expect(registry.trusts('maya', 'paypal.com')).toBe(true);
    expect(registry.trusts('maya', 'pay')).toBe(true);
    expect(registry.trusts('eve', 'paypal.com')).toBe(false);
  });

  it('tells how an agent must write a value', () => {
    const own = { type: 'string', normalize: 'iban', scale: 1, settings: {} } as const;
    const amount = { type: 'number', scale: 100, settings: {} } as const;
    const { registry } = open('{}', {
      reading: { own, value: 'iban', fields: { amount }, alias: [], owner: { kind: 'principal' } },
    });
    expect(registry.readingOf(undefined)).toBe(own);
    expect(registry.readingOf('amount')).toBe(amount);
    expect(registry.readingOf('constructor')).toBe(own);
  });

  verifies(
    'DEC-06',
    'does not tell the records of another owner from records that do not exist',
    () => {
      const { registry } = open('{"v1": {"value": "A", "owner": "acme", "name": "Hart"}}', {
        reading: {
          own: { type: 'string', scale: 1, settings: {} },
          value: undefined,
          fields: {},
          alias: ['name'],
          owner: { kind: 'field', field: 'owner' },
        },
      });
      const asked = (tenant: string, value: string): unknown => {
        const query = { tenant, field: undefined };
        return {
          byValue: registry.byValue(query, value),
          byId: registry.byId(query, value === 'A' ? 'v1' : 'v9'),
          byAlias: registry.byAlias(query, value === 'A' ? 'Hart' : 'Nobody'),
          likeness: registry.hasLikeness(query, lookalikeKey(value)),
          trusts: registry.trusts(tenant, value),
          listed: registry.list(tenant),
        };
      };
      expect(asked('eve', 'A')).toEqual(asked('eve', 'Z'));
      expect(asked('acme', 'A')).not.toEqual(asked('acme', 'Z'));
    },
  );

  it('lists at most 200 records, by id and masked', () => {
    const { registry } = open(
      JSON.stringify(
        Object.fromEntries(
          Array.from({ length: 201 }, (_unused, n) => [`v${n}`, `DE8937040044${n}`]),
        ),
      ),
      { listable: true },
    );
    expect(registry.listable).toBe(true);
    expect(registry.list('maya')).toHaveLength(200);
    expect(registry.list('maya')[0]).toEqual({ id: 'v0', masked: 'DE89…40' });
    expect(open('{"v1": "abcdef"}').registry.list('maya')).toEqual([{ id: 'v1', masked: 'a…' }]);
    expect(open('{"v1": "abc"}').registry.list('eve')).toEqual([]);
  });
});

describe('FileRegistry, age', () => {
  const day = 86_400_000;
  const old = '{"v1": {"value": "A", "verified_at": "2026-11-01"}, "v2": "B"}';
  const at = (nowMs: number): Opened => open(old, { maxAgeMs: 7 * day, nowMs: () => nowMs });
  const verified = Date.UTC(2026, 10, 1);
  const isStale = ({ registry }: Opened, value: string): boolean | undefined =>
    registry.byValue(mine, value)[0]?.stale;

  it('takes a record up to its greatest age and not one millisecond longer', () => {
    expect(isStale(at(verified + 7 * day), 'A')).toBe(false);
    expect(isStale(at(verified + 7 * day + 1), 'A')).toBe(true);
  });

  it('judges the age by every way to a record', () => {
    const { registry } = at(verified + 8 * day);
    expect(registry.byId(mine, 'v1')?.stale).toBe(true);
  });

  it('takes the time of the file for a record that does not say when it was verified', () => {
    const opened = at(Date.now());
    const fileMs = fileTimeS * 1_000;
    expect(isStale(open(old, { maxAgeMs: day, nowMs: () => fileMs + day }), 'B')).toBe(false);
    expect(isStale(open(old, { maxAgeMs: day, nowMs: () => fileMs + 2 * day }), 'B')).toBe(true);
    expect(opened.registry.byValue(mine, 'Z')).toEqual([]);
  });
});

describe('FileRegistry, a file that changes', () => {
  verifies('CFG-11', 'reads it again, and serves nothing of what it held before', () => {
    const opened = open('{"v1": "A"}');
    opened.write('{"v1": "B"}');
    expect(knows(opened, 'A')).toBe(true);
    opened.registry.refresh();
    expect([knows(opened, 'A'), knows(opened, 'B')]).toEqual([false, true]);
  });

  it('does not read it again while it is the same', () => {
    const opened = open('{"v1": "A"}');
    const before = opened.registry.byId(mine, 'v1');
    opened.registry.refresh();
    expect(opened.registry.byId(mine, 'v1')).toBe(before);
  });

  verifies('CFG-11', 'is not ready once the file is gone, and says so once', () => {
    const opened = open('{"v1": "A"}');
    rmSync(opened.file);
    for (let n = 0; n < 3; n += 1) opened.registry.refresh();
    expect(opened.registry.ready).toBe(false);
    expect([knows(opened, 'A'), opened.registry.trusts('maya', 'A')]).toEqual([false, false]);
    expect(opened.registry.list('maya')).toEqual([]);
    expect(opened.lines).toEqual([
      `info registry \`payees\`: ${opened.file} is read`,
      `error registry \`payees\`: ${opened.file} cannot be read: create it, or correct the path; calls that need it are refused`,
    ]);
  });

  verifies('CFG-11', 'is not ready while the file is broken, and again when it is mended', () => {
    const opened = open('{"v1": "A"}');
    opened.write('{"v1": "A"');
    opened.registry.refresh();
    expect(opened.registry.ready).toBe(false);
    expect(knows(opened, 'A')).toBe(false);
    expect(opened.registry.problem).toMatchObject({ message: 'is no strict JSON (json_syntax)' });
    opened.write('{"v1": "A"}');
    opened.registry.refresh();
    expect(opened.registry.problem).toBeUndefined();
    expect(knows(opened, 'A')).toBe(true);
  });

  it('tells the warnings of a file that was read later', () => {
    const opened = open('{"v1": "A"}');
    opened.write('{"v1": "A", "v2": "A"}');
    opened.registry.refresh();
    expect(opened.lines.at(-1)).toBe(
      'warn registry `payees`: records `v1` and `v2` have the same value',
    );
  });
});

describe('FileRegistry, files that cannot be used', () => {
  const problem = (opened: Opened): unknown => opened.registry.problem;

  verifies('CFG-10', 'says what is wrong and how to mend it', () => {
    expect(problem(open(undefined))).toEqual({
      message: 'cannot be read: create it, or correct the path',
    });
    expect(problem(open(''))).toEqual({
      message: 'is empty: write {} or {"<record id>": <value>}',
    });
    expect(problem(open('', { format: 'csv' }))).toMatchObject({
      message: expect.stringContaining('is empty'),
    });
    expect(problem(open('{"v1": "a\u200bb"}'))).toMatchObject({
      message: expect.stringContaining('record `v1`'),
    });
  });

  it('takes no folder for a file', () => {
    const opened = open(undefined);
    mkdirSync(opened.file);
    opened.registry.refresh();
    expect(problem(opened)).toEqual({ message: 'is no file: name a .json or .csv file' });
  });

  it('takes no text that is not UTF-8', () => {
    const opened = open('{}');
    writeFileSync(opened.file, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
    opened.registry.refresh();
    expect(problem(opened)).toEqual({ message: 'is no UTF-8 text: save it as UTF-8' });
  });

  it('takes a byte order mark', () => {
    expect(problem(open('\uFEFF{"v1": "A"}'))).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('takes no file that everybody can write', () => {
    const opened = open('{"v1": "A"}');
    chmodSync(opened.file, 0o666);
    opened.registry.refresh();
    expect(problem(opened)).toEqual({
      message: 'can be written by everybody: run `chmod o-w` on it',
    });
    chmodSync(opened.file, 0o664);
    opened.registry.refresh();
    expect(opened.registry.ready).toBe(true);
  });
});

describe('FileRegistry, large files', () => {
  const records = (count: number, value = 'A'): string =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: count }, (_unused, n) => [`v${n}`, `${value}${n}`])),
    );

  it('reads 10,000 records at once', () => {
    const opened = open(records(9_999));
    expect(opened.registry.ready).toBe(true);
    expect(knows(opened, 'A9998')).toBe(true);
  });

  it('reads more in slices, and is not ready before the last', async () => {
    const opened = open(records(20_000));
    expect([opened.registry.ready, knows(opened, 'A1')]).toEqual([false, false]);
    expect(opened.registry.problem).toBeUndefined();
    let turns = 0;
    const timer = setImmediate(function again(): void {
      turns += 1;
      if (!opened.registry.ready) setImmediate(again);
    });
    await opened.registry.settled();
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(5);
    expect([opened.registry.ready, knows(opened, 'A19999')]).toEqual([true, true]);
  });

  it('reads a file of many bytes in slices too', async () => {
    const opened = open(`{"v1": "A", "v2": {"value": "B", "note": "${'x'.repeat(2_100_000)}"}}`);
    expect(opened.registry.ready).toBe(false);
    await opened.registry.settled();
    expect(knows(opened, 'B')).toBe(true);
  });

  verifies('CFG-11', 'leaves a reading that the file has overtaken', async () => {
    const opened = open(records(12_000));
    const first = opened.registry.settled();
    opened.write(records(11_000, 'B'));
    opened.registry.refresh();
    await Promise.all([first, opened.registry.settled()]);
    expect([knows(opened, 'A1'), knows(opened, 'B1')]).toEqual([false, true]);
    expect(opened.lines.filter((line) => line.startsWith('info'))).toHaveLength(1);
  });

  it('leaves a reading of many bytes that the file has overtaken', async () => {
    const opened = open(`{"v1": {"value": "A", "note": "${'x'.repeat(2_100_000)}"}}`);
    const first = opened.registry.settled();
    opened.write('{"v1": "B"}');
    opened.registry.refresh();
    await first;
    expect([knows(opened, 'A'), knows(opened, 'B')]).toEqual([false, true]);
  });

  it('is not ready when a late record is bad, and names it', async () => {
    const bad = records(12_000).replace('"A11000"', 'null');
    const opened = open(bad);
    await opened.registry.settled();
    expect(opened.registry.ready).toBe(false);
    expect(opened.registry.problem?.message).toContain('record `v11000`');
    expect(opened.lines).toHaveLength(1);
  });

  it('is not ready when a large file vanishes while it is read', async () => {
    const opened = open(`{"v1": {"value": "A", "note": "${'x'.repeat(2_100_000)}"}}`);
    rmSync(opened.file);
    await opened.registry.settled();
    opened.registry.refresh();
    expect(opened.registry.ready).toBe(false);
  });
});

describe('loadRegistries', () => {
  it('gives the registries, or every problem with its file and line', () => {
    const good = open('{"v1": "A", "v2": "A"}');
    const settings = (name: string, file: string, format: 'json' | 'csv'): RegistrySettings => ({
      name,
      file,
      format,
      reading: {
        own: { type: 'string', scale: 1, settings: {} },
        value: undefined,
        fields: {},
        alias: [],
        owner: { kind: 'principal' },
      },
      listable: false,
      maxAgeMs: undefined,
    });
    const bad = open('id,value\nv1,A\nv1,B\n', { format: 'csv' });
    const loaded = loadRegistries(
      [
        settings('good', good.file, 'json'),
        settings('bad', bad.file, 'csv'),
        settings('none', '/nowhere.json', 'json'),
      ],
      { principal: 'maya', nowMs: () => 0, log: () => {} },
    );
    expect([...loaded.registries.keys()]).toEqual(['good', 'bad', 'none']);
    expect(loaded.warnings).toEqual(['registry `good`: records `v1` and `v2` have the same value']);
    expect(loaded.problems).toEqual([
      { registry: 'bad', file: bad.file, line: 3, message: 'record `v1`: its id is there twice' },
      {
        registry: 'none',
        file: '/nowhere.json',
        message: 'cannot be read: create it, or correct the path',
      },
    ]);
  });
});
