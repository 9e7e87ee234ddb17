import { describe, expect, it } from 'vitest';
import type { ValueReading } from '../../core/contract.ts';
import type { Candidate } from '../../core/facts.ts';
import { RecordIndexes, type RecordReading } from './index-records.ts';
import type { FileProblem, FileRecord, RecordValue } from './parse-records.ts';

const text = (changes: Partial<ValueReading> = {}): ValueReading => ({
  type: 'string',
  scale: 1,
  settings: {},
  ...changes,
});
const cents = text({ type: 'number', scale: 100 });

const reading = (changes: Partial<RecordReading> = {}): RecordReading => ({
  own: text(),
  value: undefined,
  fields: {},
  alias: [],
  owner: { kind: 'principal' },
  principal: 'maya',
  isText: false,
  fileTimeMs: 1_000,
  ...changes,
});

const plain = (id: string, value: RecordValue): FileRecord => ({
  id,
  fields: new Map(),
  plain: value,
});
const withFields = (id: string, fields: Readonly<Record<string, RecordValue>>): FileRecord => ({
  id,
  fields: new Map(Object.entries(fields)),
  plain: undefined,
});

function fill(
  records: readonly FileRecord[],
  changes: Partial<RecordReading> = {},
): { readonly indexes: RecordIndexes; readonly problem: FileProblem | undefined } {
  const indexes = new RecordIndexes(reading(changes));
  const problem = indexes.addAll(records);
  indexes.close();
  return { indexes, problem };
}

const found = (
  indexes: RecordIndexes,
  value: string | number | boolean,
  at: { readonly tenant?: string; readonly field?: string } = {},
): readonly Candidate[] =>
  indexes.find(at.tenant ?? 'maya', at.field).flatMap((index) => index.byValue(value));

describe('RecordIndexes', () => {
  it('indexes the own value under its canonical form and keeps its spelling', () => {
    const { indexes, problem } = fill([plain('v1', 'DE89 3704 0044 0532 0130 00')], {
      own: text({ normalize: 'iban' }),
    });
    expect(problem).toBeUndefined();
    expect(found(indexes, 'DE89370400440532013000')).toEqual([
      {
        canonical: 'DE89370400440532013000',
        display: 'DE89 3704 0044 0532 0130 00',
        own: 'DE89 3704 0044 0532 0130 00',
        recordId: 'v1',
        version: expect.stringMatching(/^[0-9a-f]{16}$/),
        stale: false,
        verifiedAtMs: 1_000,
      },
    ]);
  });

  it('takes the own value from the named field, else from `value`', () => {
    const record = withFields('v1', { iban: 'A', value: 'B' });
    expect(found(fill([record], { value: 'iban' }).indexes, 'A')).toHaveLength(1);
    expect(found(fill([record]).indexes, 'B')).toHaveLength(1);
    expect(found(fill([record]).indexes, 'A')).toEqual([]);
  });

  it('indexes each declared field, as far as a record has it', () => {
    const records = [
      withFields('i1', { value: '2026-1', amount: 12.5 }),
      withFields('i2', { value: '2026-2' }),
    ];
    const { indexes, problem } = fill(records, { fields: { amount: cents } });
    expect(problem).toBeUndefined();
    expect(found(indexes, 1_250, { field: 'amount' })).toMatchObject([
      { recordId: 'i1', own: 12.5 },
    ]);
    expect(found(indexes, '2026-2')).toMatchObject([{ recordId: 'i2' }]);
    expect(found(indexes, 1_250)).toEqual([]);
  });

  it('finds records by the aliases that the owner wrote', () => {
    const records = [withFields('v1', { value: 'A', name: 'Hart', code: 7 })];
    const { indexes } = fill(records, { alias: ['name', 'code', 'absent'] });
    const byAlias = (alias: string): number =>
      indexes.find('maya', undefined).flatMap((index) => index.byAlias(alias)).length;
    expect([byAlias('Hart'), byAlias('7'), byAlias('A')]).toEqual([1, 1, 0]);
  });
});

describe('RecordIndexes, owners', () => {
  const records = [
    withFields('v1', { value: 'A', owner: 'acme' }),
    withFields('v2', { value: 'B', owner: 'other' }),
    withFields('v3', { value: 'C', owner: '*' }),
  ];
  const owned = { owner: { kind: 'field', field: 'owner' } } as const;

  it('shows a record to its owner alone', () => {
    const { indexes } = fill(records, owned);
    expect(found(indexes, 'A', { tenant: 'acme' })).toHaveLength(1);
    expect(found(indexes, 'B', { tenant: 'acme' })).toEqual([]);
    expect(found(indexes, 'A', { tenant: 'maya' })).toEqual([]);
  });

  it('lets no field share a record with everybody', () => {
    const { indexes } = fill(records, owned);
    expect(found(indexes, 'C', { tenant: 'acme' })).toEqual([]);
    expect(found(indexes, 'C', { tenant: '*' })).toHaveLength(1);
    expect(indexes.allOf('acme')).toHaveLength(1);
  });

  it('shows every record to everybody where the registry says so', () => {
    const { indexes } = fill(records, { owner: { kind: 'everyone' } });
    expect(found(indexes, 'B', { tenant: 'anybody' })).toHaveLength(1);
    expect(indexes.allOf('anybody')).toHaveLength(1);
  });

  it('refuses a record that does not say whose it is', () => {
    expect(fill([withFields('v9', { value: 'A' })], owned).problem).toEqual({
      message: 'record `v9`: has no field that names its owner (see `owner`)',
    });
  });
});

describe('RecordIndexes, bad records', () => {
  const fault = (record: FileRecord, changes: Partial<RecordReading> = {}): string =>
    fill([record], changes).problem?.message ?? '';

  it('names the record and its line', () => {
    const record = { ...withFields('v1', { x: 'A' }), line: 7 };
    expect(fill([plain('v0', 'A'), record]).problem).toEqual({
      message: 'record `v1`: has no value: name its field with `value` or `fields`',
      line: 7,
    });
  });

  it('names an account without valid check digits, and the way out', () => {
    const iban = { own: text({ normalize: 'iban' }) };
    expect(fault(plain('landlord', 'FR15 2004 1010 0505 0001 3M02 606'), iban)).toMatch(
      /^record `landlord`: is no iban \(.*\); for accounts without valid check digits: normalize = "iban-lenient"$/,
    );
    const lenient = { own: text({ normalize: 'iban-lenient' }) };
    expect(fault(plain('landlord', 'FR15 2004 1010 0505 0001 3M02 606'), lenient)).toBe('');
    expect(fault(plain('a', 'x'), lenient)).not.toContain('check digits');
  });

  it('never repeats a value', () => {
    expect(fault(plain('v1', 'secret-thing'), { own: text({ normalize: 'iban' }) })).not.toContain(
      'secret',
    );
  });

  it('names the field', () => {
    const fields = { mail: text({ normalize: 'email' }) };
    expect(fault(withFields('v1', { mail: 'a@' }), { fields })).toMatch(
      /^record `v1`: `mail`: is no email \(/,
    );
  });

  it('refuses an id that is there twice', () => {
    expect(fill([plain('v1', 'A'), plain('v1', 'B')]).problem?.message).toBe(
      'record `v1`: its id is there twice',
    );
  });

  it('refuses a time that cannot be read: taken as absent, an old record would look fresh', () => {
    const time = (verified_at: RecordValue): string =>
      fault(withFields('v1', { value: 'A', verified_at }));
    expect(time('2026-11-30')).toBe('');
    expect(time('2026-11-30T12:00:00+01:00')).toBe('');
    for (const wrong of ['30.11.2026', '2026-02-30', '2026-11-30T12:00:00', 20_261_130, '']) {
      expect(time(wrong), String(wrong)).toContain('`verified_at` must be a day');
    }
    expect(fault(withFields('v1', { value: 'A', changed_at: 'soon' }))).toContain(
      '`changed_at` must',
    );
  });

  it('refuses a text where a number is meant, and hidden characters', () => {
    expect(fault(plain('v1', '12.50'), { own: cents })).toBe(
      'record `v1`: is no number (a number)',
    );
    expect(fault(plain('v1', 'a\u200bb'))).toBe('record `v1`: is no string (ignorable)');
    expect(fault(plain('v1', 12.505), { own: cents })).toBe('record `v1`: is no number (range)');
  });
});

describe('RecordIndexes, types', () => {
  it('takes numbers and truth values of a plain registry as they are', () => {
    const { indexes, problem } = fill([plain('a', 7), plain('b', true), plain('c', '7')]);
    expect(problem).toBeUndefined();
    expect(found(indexes, 7)).toMatchObject([{ recordId: 'a' }]);
    expect(found(indexes, true)).toMatchObject([{ recordId: 'b' }]);
    expect(found(indexes, '7')).toMatchObject([{ recordId: 'c' }]);
  });

  it('reads the cells of a CSV file as the numbers and truth values that are meant', () => {
    const csv = { isText: true, fields: { amount: cents, open: text({ type: 'boolean' }) } };
    const { indexes } = fill(
      [withFields('i1', { value: '1', amount: '12.50', open: 'true' })],
      csv,
    );
    expect(found(indexes, 1_250, { field: 'amount' })).toMatchObject([
      { own: 12.5, display: '12.50' },
    ]);
    expect(found(indexes, true, { field: 'open' })).toMatchObject([{ own: true }]);
    expect(found(indexes, '1')).toMatchObject([{ own: '1' }]);
    const falsy = fill([withFields('i1', { value: '1', open: 'false' })], csv);
    expect(found(falsy.indexes, false, { field: 'open' })).toMatchObject([{ own: false }]);
  });

  it('refuses a cell that is no such number or truth value', () => {
    const csv = { isText: true, fields: { amount: cents, open: text({ type: 'boolean' }) } };
    const fault = (fields: Readonly<Record<string, string>>): unknown =>
      fill([withFields('i1', { value: '1', ...fields })], csv).problem?.message;
    for (const amount of ['12,50', '1e3', '9007199254740993', ' 5']) {
      expect(fault({ amount }), amount).toBe('record `i1`: `amount`: is no number (a number)');
    }
    expect(fault({ open: 'yes' })).toBe('record `i1`: `open`: is no boolean (true or false)');
  });
});

describe('RecordIndexes, versions and times', () => {
  const versionOf = (fields: Readonly<Record<string, RecordValue>>): string | undefined =>
    found(fill([withFields('v1', { value: 'A', ...fields })]).indexes, 'A')[0]?.version;

  it("takes the record's own version, else a digest of all that it holds", () => {
    expect(versionOf({ version: 12 })).toBe('12');
    expect(versionOf({ name: 'x' })).toBe(versionOf({ name: 'x' }));
    expect(versionOf({ name: 'x' })).not.toBe(versionOf({ name: 'y' }));
  });

  it('keeps when the record was confirmed and when it changed', () => {
    const times = { verified_at: '2026-11-30', changed_at: '2026-11-01T00:00:00Z' };
    expect(found(fill([withFields('v1', { value: 'A', ...times })]).indexes, 'A')).toMatchObject([
      { verifiedAtMs: Date.UTC(2026, 10, 30), changedAtMs: Date.UTC(2026, 10, 1) },
    ]);
  });
});

describe('RecordIndexes.warnings', () => {
  it('names records with one value, or with values that look alike', () => {
    const records = [
      plain('v1', 'paypal.com'),
      plain('v2', 'paypal.com'),
      plain('v3', 'paypaI.com'),
    ];
    expect(fill(records).indexes.warnings()).toEqual([
      'records `v1` and `v2` have the same value',
      'records `v1` and `v3` have values that look alike',
    ]);
  });

  it('counts what would be too many to read', () => {
    const records = Array.from({ length: 30 }, (_unused, n) => plain(`v${n}`, 'A'));
    const warnings = fill(records).indexes.warnings();
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('9 more warnings of this kind');
  });

  it('warns of one account in two records, not of one amount or currency', () => {
    const records = ['i1', 'i2'].map((id) =>
      withFields(id, { value: id, iban: 'DE89370400440532013000', amount: 5, currency: 'EUR' }),
    );
    const fields = { iban: text({ normalize: 'iban' }), amount: cents, currency: text() };
    expect(fill(records, { fields }).indexes.warnings()).toEqual([
      'records `i1` and `i2` have the same value in `iban`',
    ]);
  });

  it('names a field that no record has, and a registry without records', () => {
    const records = [withFields('v1', { name: 'x', iban: 'A' })];
    const changes = { value: 'ibna', fields: { iban: text(), amuont: cents } };
    expect(fill(records, changes).indexes.warnings()).toEqual([
      'no record has the field `amuont`',
      'no record has the field `ibna`',
    ]);
    expect(fill([], changes).indexes.warnings()).toEqual([
      'has no record yet: nothing resolves from it',
    ]);
  });
});
