import { describe, expect, it } from 'vitest';
import {
  type FileProblem,
  type FileRecord,
  type RecordFormat,
  readRecords,
} from './parse-records.ts';

/** All records, or the problem of the file. */
function read(text: string, format: RecordFormat): readonly FileRecord[] | FileProblem {
  const batches = readRecords(text, format);
  const records: FileRecord[] = [];
  for (;;) {
    const next = batches.next();
    if (next.done) return next.value ?? records;
    records.push(...next.value);
  }
}

const json = (value: unknown): readonly FileRecord[] | FileProblem =>
  read(typeof value === 'string' ? value : JSON.stringify(value), 'json');

describe('readRecords, JSON', () => {
  it('reads plain values and fields', () => {
    expect(json({ v1: 'DE89', v2: { iban: 'DE90', open: true, limit: 12.5, note: null } })).toEqual(
      [
        { id: 'v1', fields: new Map(), plain: 'DE89' },
        {
          id: 'v2',
          fields: new Map<string, unknown>([
            ['iban', 'DE90'],
            ['open', true],
            ['limit', 12.5],
          ]),
          plain: undefined,
        },
      ],
    );
    expect(json({})).toEqual([]);
    expect(json('\uFEFF{"a": 1.50}')).toMatchObject([{ id: 'a', plain: 1.5 }]);
  });

  it('reads files of many records in batches', () => {
    const many = Object.fromEntries(Array.from({ length: 2_500 }, (_unused, n) => [`r${n}`, n]));
    const batches = [...readRecords(JSON.stringify(many), 'json')];
    expect(batches.map((batch) => batch.length)).toEqual([1_000, 1_000, 500]);
  });

  it('says that an empty file and another shape are none', () => {
    expect(json(' \n')).toEqual({ message: 'is empty: write {} or {"<record id>": <value>}' });
    const shape = { message: 'must be one object: {"<record id>": <value>}' };
    expect(json([])).toEqual(shape);
    expect(json('"a"')).toEqual(shape);
  });

  it('names the line of what is no strict JSON', () => {
    expect(json('{\n"ä": 1,\n"b" 2}')).toEqual({
      message: 'is no strict JSON (json_syntax)',
      line: 3,
    });
    expect(json('{"a": 1\n')).toMatchObject({ line: 2 });
    expect(json('{"a": 1,}')).toMatchObject({ line: 1 });
    expect(json('{"a": 1}\n\nx')).toMatchObject({ line: 3 });
    expect(json("{'a': 1}")).toMatchObject({ line: 1 });
    expect(json('{"a": tru}')).toMatchObject({
      message: expect.stringContaining('is no strict JSON'),
    });
  });

  it('names the line also far down a large file', () => {
    const lines = Array.from({ length: 3_000 }, (_unused, n) => `"r${n}": "x"`);
    lines[2_400] = '"r2400": oops';
    expect(json(`{\n${lines.join(',\n')}\n}`)).toMatchObject({ line: 2_402 });
  });

  it('refuses a doubled id or field, also when it is written with an escape', () => {
    const twice = 'has a record id or a field twice';
    expect(json('{"a": 1,\n"a": 2}')).toEqual({ message: twice, line: 2 });
    expect(json('{"a": 1, "\\u0061": 2}')).toMatchObject({ message: twice });
    expect(json('{"a": {"b": 1, "b": 2}}')).toMatchObject({ message: twice });
  });

  it('refuses a number that would have to be rounded', () => {
    const rounded = 'has a number that would have to be rounded: write it as text';
    for (const number of ['9007199254740993', '1e400', '1e3', '-0', '0.1234567890123456']) {
      expect(json(`{"a": ${number}}`), number).toMatchObject({ message: rounded });
    }
    expect(json('{"a": 9007199254740991}')).toMatchObject([{ plain: 9_007_199_254_740_991 }]);
  });

  it('refuses values that are no value, and records without a name', () => {
    expect(json({ a: null })).toEqual({
      message: 'record `a`: its value must be a text, a number, true/false or an object of fields',
    });
    expect(json({ a: ['x'] })).toMatchObject({ message: expect.stringContaining('record `a`') });
    expect(json({ a: { b: { c: 1 } } })).toEqual({
      message: 'record `a`: the field `b` must be a text, a number or true/false',
    });
    expect(json({ '': 'x' })).toEqual({ message: 'has a record without an id' });
    expect(json('{"a": {"b": [[[[1]]]]}}')).toMatchObject({
      message: 'is nested too deep: a record is a value or an object of values',
    });
  });
});

describe('readRecords, CSV', () => {
  const csv = (text: string): readonly FileRecord[] | FileProblem => read(text, 'csv');

  it('reads the column `id` as the id, else the first one', () => {
    expect(csv('iban, id ,name\nDE89,v1,"Hart, Ltd"\nDE90,v2,\n')).toEqual([
      {
        id: 'v1',
        plain: undefined,
        line: 2,
        fields: new Map([
          ['iban', 'DE89'],
          ['id', 'v1'],
          ['name', 'Hart, Ltd'],
        ]),
      },
      {
        id: 'v2',
        plain: undefined,
        line: 3,
        fields: new Map([
          ['iban', 'DE90'],
          ['id', 'v2'],
        ]),
      },
    ]);
    expect(csv('code,iban\nv1,DE89')).toMatchObject([{ id: 'v1' }]);
    expect(csv('\uFEFFid,iban\nv1,DE89')).toMatchObject([{ id: 'v1' }]);
    expect(csv('id,iban')).toEqual([]);
  });

  it('reads files of many rows in batches', () => {
    const rows = Array.from({ length: 2_500 }, (_unused, n) => `r${n},x`).join('\n');
    const batches = [...readRecords(`id,value\n${rows}`, 'csv')];
    expect(batches.map((batch) => batch.length)).toEqual([1_000, 1_000, 500]);
  });

  it('says what is wrong with the header', () => {
    expect(csv('')).toEqual({ message: 'is empty: the first row must name the columns' });
    expect(csv('id,,x\n1,2,3')).toEqual({ message: 'has no name for column 2', line: 1 });
    expect(csv('\nid,x,x\n1,2,3')).toEqual({ message: 'has two columns `x`', line: 2 });
    expect(csv('"id')).toEqual({ message: 'has a quote that is never closed', line: 1 });
  });

  it('names the line of a row that does not fit', () => {
    expect(csv('id,x\n1,"a\nb"\n2\n')).toEqual({
      message: 'has 1 cells where the header has 2',
      line: 4,
    });
    expect(csv('id,x\n,a')).toEqual({ message: 'has a row without a record id', line: 2 });
    expect(csv('id,x\n1,a"b')).toMatchObject({ line: 2 });
  });
});
