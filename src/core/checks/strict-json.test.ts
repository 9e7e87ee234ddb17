import fc from 'fast-check';
import { isLosslessNumber, parse as parseLossless } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { isRawNumber, type JsonValue, numberText } from '../json-value.ts';
import {
  argumentLimits,
  checkArgumentTree,
  decodeUtf8Strict,
  type JsonFault,
  messageLimits,
  parseStrictJson,
  utf8Length,
} from './strict-json.ts';

const faultOf = (text: string, limits = messageLimits): JsonFault | undefined => {
  const result = parseStrictJson(text, limits);
  return result.ok ? undefined : result.error;
};
const read = (text: string, limits = messageLimits): JsonValue => {
  const result = parseStrictJson(text, limits);
  if (!result.ok) throw new Error(`${text}: ${result.error.code}`);
  return result.value;
};
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('parseStrictJson', () => {
  verifies('VAL-22', 'names each refusal with its code and byte offset', () => {
    const rows: readonly [string, string, number][] = [
      ['{"a":1,"a":2}', 'json_duplicate_key', 7],
      ['{"a":1,"\\u0061":2}', 'json_duplicate_key', 7],
      ['{"é":1,"a":{"b":1,"b":2}}', 'json_duplicate_key', 19],
      ['{"__proto__":1}', 'json_forbidden_key', 1],
      ['{"\\u005f_proto__":1}', 'json_forbidden_key', 1],
      ['{"constructor":1}', 'json_forbidden_key', 1],
      ['{"a":{"prototype":1}}', 'json_forbidden_key', 6],
      ['"\\ud800"', 'json_surrogate', 1],
      ['"\\udc00\\ud800"', 'json_surrogate', 1],
      ['"\ud800"', 'json_surrogate', 1],
      ['{"\\udfff":1}', 'json_surrogate', 2],
      ['"a\nb"', 'json_control', 2],
      ['"a\\n\u0000"', 'json_control', 4],
      ['1 2', 'json_trailing', 2],
      ['{}x', 'json_trailing', 2],
      ['\ufeff{}', 'json_bom', 0],
      ['', 'json_syntax', 0],
      ['   ', 'json_syntax', 3],
      ['{"a":1,}', 'json_syntax', 7],
      ['{a:1}', 'json_syntax', 1],
      ['{"a" 1}', 'json_syntax', 5],
      ['{"a":1 "b":2}', 'json_syntax', 7],
      ['{"a":}', 'json_syntax', 5],
      ['[1,]', 'json_syntax', 3],
      ['[1 2]', 'json_syntax', 3],
      ['[1', 'json_syntax', 2],
      ['{"a":1', 'json_syntax', 6],
      ['"abc', 'json_syntax', 4],
      ['"abc\\"', 'json_syntax', 6],
      ['"\\x41"', 'json_syntax', 1],
      ['"ok\\n\\u12g4"', 'json_syntax', 5],
      ["'a'", 'json_syntax', 0],
      ['// c', 'json_syntax', 0],
      ['NaN', 'json_syntax', 0],
      ['Infinity', 'json_syntax', 0],
      ['tru', 'json_syntax', 0],
      ['falsy', 'json_syntax', 0],
      ['nul', 'json_syntax', 0],
      ['+1', 'json_syntax', 0],
      ['.5', 'json_syntax', 0],
      ['\u00a01', 'json_syntax', 0],
      ['-', 'json_number', 0],
      ['-Infinity', 'json_number', 0],
      ['01', 'json_number', 0],
      ['-01', 'json_number', 0],
      ['[1.]', 'json_number', 1],
      ['1.e3', 'json_number', 0],
      ['1e', 'json_number', 0],
      ['1e+', 'json_number', 0],
      ['1.2.3', 'json_number', 0],
      ['0x10', 'json_trailing', 1],
    ];
    for (const [text, code, offset] of rows) {
      expect(faultOf(text), text).toEqual({ code, offset });
    }
  });

  verifies('VAL-22', 'gives objects without a prototype, at every depth', () => {
    const value = read('{"a":{"toString":1,"b":[{}]}}') as Record<string, JsonValue>;
    const inner = value['a'] as { readonly b: readonly JsonValue[] };
    for (const each of [value, inner, inner.b[0]]) {
      expect(Object.getPrototypeOf(each)).toBeNull();
    }
  });

  it('takes keys that only look like members of every object', () => {
    expect(JSON.stringify(read('{"toString":1,"hasOwnProperty":2,"":3,"rawJSON":"4"}'))).toBe(
      '{"toString":1,"hasOwnProperty":2,"":3,"rawJSON":"4"}',
    );
  });

  verifies('VAL-22', 'holds its limits on both sides', () => {
    const keys = (count: number): string =>
      `{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join(',')}}`;
    const items = (count: number): string => `[${Array(count).fill('0').join(',')}]`;
    expect(faultOf(nested(32), argumentLimits)).toBeUndefined();
    expect(faultOf(nested(33), argumentLimits)).toEqual({ code: 'json_depth', offset: 32 });
    expect(faultOf(nested(64))).toBeUndefined();
    expect(faultOf(nested(65))).toEqual({ code: 'json_depth', offset: 64 });
    expect(faultOf(nested(1000))).toEqual({ code: 'json_depth', offset: 64 });
    expect(faultOf('{"a":'.repeat(1000))?.code).toBe('json_depth');
    expect(faultOf(keys(1000), argumentLimits)).toBeUndefined();
    expect(faultOf(keys(1001), argumentLimits)?.code).toBe('json_keys');
    expect(faultOf(items(9_999), argumentLimits)).toBeUndefined();
    expect(faultOf(items(10_000), argumentLimits)?.code).toBe('json_nodes');
    const limits = { ...argumentLimits, sizeMaxBytes: 8 };
    expect(faultOf('"éé"', limits)).toBeUndefined();
    expect(faultOf('"ééé1"', limits)).toEqual({ code: 'json_too_large', offset: 8 });
    expect(faultOf('"12345678"', limits)).toEqual({ code: 'json_too_large', offset: 8 });
  });

  verifies('VAL-23', 'keeps the digits of every number', () => {
    const texts = [
      ...['0', '-1', '7', '0.1', '0.29', '123456.654321', '9007199254740991', '-9007199254740991'],
      ...['1.0', '1.50', '1e3', '1E3', '-0', '-0.0', '0.0', '9007199254740992', '9007199254740993'],
      ...['1e400', '1e-400', '123456789012345678901234567890', '0.1234567890123456789', '1e21'],
      ...[
        '1234567890123456',
        '123456789012345',
        '0.000001',
        '0.0000001',
        '1e-7',
        '100000000000000.5',
      ],
    ];
    for (const text of texts) {
      for (const [before, after] of [
        ['', ''],
        ['[', ']'],
        ['{"a":', ' }'],
        ['[0,', '\n]'],
      ] as const) {
        const value = read(before + text + after);
        expect(JSON.stringify(value)).toBe((before + text + after).replace(/\s/g, ''));
      }
      expect(numberText(read(text))).toBe(text);
    }
  });

  verifies('VAL-23', 'makes a JavaScript number only of what prints the same digits', () => {
    for (const text of ['1.0', '1e3', '-0', '9007199254740993', '1e400', '0.10', '1e21', '1e+21']) {
      expect(isRawNumber(read(text)), text).toBe(true);
    }
    for (const text of ['1', '-5', '0.1', '1240.5', '9007199254740991', '0.30000000000000004']) {
      expect(typeof read(text), text).toBe('number');
    }
  });

  verifies('VAL-23', 'refuses for a guarded call every number that some reader rounds', () => {
    const refused = [
      ...['-0', '-0.0', '1e3', '1E3', '1e-7', '1e400', '9007199254740992', '-9007199254740992'],
      ...['9007199254740993', '0.1234567890123456', '1.234567890123456', '1234567890.1234567'],
    ];
    for (const text of refused) {
      expect(faultOf(`[${text}]`, argumentLimits), text).toEqual({
        code: 'json_number',
        offset: 1,
      });
    }
    const accepted = [
      '0',
      '0.0',
      '1.0',
      '9007199254740991',
      '0.123456789012345',
      '1240.50',
      '-3.5',
    ];
    for (const text of accepted) expect(faultOf(`[${text}]`, argumentLimits), text).toBeUndefined();
  });

  it('reads escapes like JSON.parse', () => {
    const texts = [
      '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\ud83d\\ude00é"',
      '"\\\\"',
      '"a\\\\\\"b"',
      '"\\u0000"',
    ];
    for (const text of texts) expect(read(text)).toBe(JSON.parse(text));
  });

  it('does not confuse the keys of objects with one beginning', () => {
    const text =
      '[{"a":1,"b":2},{"a":1,"bb":2},{"a":1},{"b":1,"a":2},{"a":1,"b":2,"c":3},{"ab":1}]';
    expect(JSON.stringify(read(text))).toBe(text);
    expect(faultOf('[{"a":1,"b":2},{"a":1,"b":2,"a":3}]')?.code).toBe('json_duplicate_key');
    expect(faultOf('[{"a":1,"b":2},{"b":1,"b":2}]')?.code).toBe('json_duplicate_key');
  });

  verifies('VAL-22', 'reads a text the same whatever keys were read before', () => {
    for (const [before, text] of [
      ['{"a\\":1,\\"b":2}', '{"a":1,"b":2}'],
      ['{"a\\":1,\\"a":2}', '{"a":1,"a":2}'],
      ['{"a\\\\n":1}', '{"a\\n":1}'],
      ['{"a\\u0001":1}', '{"a\u0001":1}'],
      ['{"a\\n":1}', '{"a\n":1}'],
    ] as const) {
      const first = JSON.stringify(parseStrictJson(text, messageLimits));
      expect(faultOf(before), before).toBeUndefined();
      expect(JSON.stringify(parseStrictJson(text, messageLimits)), text).toBe(first);
    }
    expect(read(`{"a":1,"b":2}`)).toEqual({ a: 1, b: 2 });
  });

  it('stays right when more shapes were seen than it remembers', () => {
    for (let n = 0; n < 3000; n += 1) {
      const text = `{"k${n}":{"a":1,"${'x'.repeat(n % 80)}":2}}`;
      expect(JSON.stringify(read(text))).toBe(text);
    }
    expect(faultOf('{"a":1,"x":1,"a":2}')?.code).toBe('json_duplicate_key');
  });
});

describe('parseStrictJson against other parsers', () => {
  /** JSON with spaces, escapes and number spellings that JSON.stringify would not print. */
  const jsonText = fc
    .jsonValue({ maxDepth: 5 })
    .chain((value) =>
      fc.constantFrom(undefined, 1, '\t').map((space) => JSON.stringify(value, null, space)),
    );

  it('agrees with JSON.parse on everything that both accept', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const result = parseStrictJson(text, messageLimits);
        if (result.ok) expect(JSON.parse(JSON.stringify(result.value))).toEqual(JSON.parse(text));
        else expect(result.error.code).toMatch(/json_(forbidden_key|surrogate)/);
      }),
      { numRuns: 500 },
    );
  });

  it('accepts no text that JSON.parse refuses', () => {
    const fragment = fc.constantFrom(...'{}[]",:\\\n 019.-+eEtrufalsn/*\u00e9\ud83d'.split(''));
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (units) => {
        const text = units.join('');
        if (parseStrictJson(text, messageLimits).ok) expect(() => JSON.parse(text)).not.toThrow();
      }),
      { numRuns: 5000 },
    );
  });

  verifies('VAL-23', 'is stable over parse, print, parse and never changes a digit', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      fc.bigInt().map(String),
      fc
        .tuple(fc.nat(), fc.nat(), fc.integer({ min: -30, max: 30 }))
        .map(([a, b, c]) => `${a}.${b}e${c}`),
      fc.tuple(fc.nat(), fc.nat({ max: 99_999 })).map(([a, b]) => `${a}.${b}`),
    );
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 5 }), (numbers) => {
        const text = `[${numbers.join(',')}]`;
        const printed = JSON.stringify(read(text));
        expect(printed).toBe(text);
        expect(JSON.stringify(read(printed))).toBe(printed);
        const lossless = parseLossless(text) as unknown[];
        expect(numbers).toEqual(lossless.map((each) => isLosslessNumber(each) && each.toString()));
      }),
      { numRuns: 500 },
    );
  });
});

describe('checkArgumentTree', () => {
  const check = (text: string): unknown => checkArgumentTree(read(text));

  it('accepts what the argument limits accept', () => {
    expect(
      check('{"to":["a@b.de"],"amount":1240.5,"ok":true,"note":null,"deep":{"x":[1.0]}}'),
    ).toBe(undefined);
  });

  verifies('VAL-23', 'names the path of a number that a reader would round', () => {
    expect(check('{"to":[{},{"amount":9007199254740993}]}')).toEqual({
      code: 'json_number',
      path: 'to[1].amount',
    });
    expect(check('[1e3]')).toEqual({ code: 'json_number', path: '[0]' });
    expect(check('{"strange key":-0}')).toEqual({ code: 'json_number', path: '["strange key"]' });
    expect(checkArgumentTree(Number.NaN)).toEqual({ code: 'json_number', path: '' });
  });

  it('holds depth, keys and nodes on both sides', () => {
    expect(check(nested(32))).toBeUndefined();
    expect(check(nested(33))).toMatchObject({ code: 'json_depth' });
    expect(check(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).toMatchObject({ code: 'json_depth' });
    const object = (count: number): JsonValue =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
    expect(checkArgumentTree(object(1000))).toBeUndefined();
    expect(checkArgumentTree(object(1001))).toEqual({ code: 'json_keys', path: '' });
    expect(checkArgumentTree(Array(9_999).fill(0))).toBeUndefined();
    expect(checkArgumentTree(Array(10_000).fill(0))).toEqual({
      code: 'json_nodes',
      path: '[9999]',
    });
  });

  it('refuses keys and texts that a parsed message cannot hold', () => {
    expect(checkArgumentTree({ a: { ['__proto__']: 1 } })).toEqual({
      code: 'json_forbidden_key',
      path: 'a.__proto__',
    });
    expect(checkArgumentTree({ a: '\ud800' })).toEqual({ code: 'json_surrogate', path: 'a' });
    expect(checkArgumentTree({ ['\ud800']: 1 })).toMatchObject({ code: 'json_surrogate' });
    expect(checkArgumentTree({ ['k'.repeat(99)]: '\ud800' })).toEqual({
      code: 'json_surrogate',
      path: `["${'k'.repeat(40)}"]`,
    });
  });

  it('measures the size of the compact text', () => {
    const text = (length: number): JsonValue => ['x'.repeat(length)];
    expect(checkArgumentTree(text(500_000))).toBeUndefined();
    expect(checkArgumentTree(text(1024 * 1024 - 4))).toBeUndefined();
    expect(checkArgumentTree(text(1024 * 1024 - 3))).toEqual({ code: 'json_too_large', path: '' });
    expect(checkArgumentTree(['é'.repeat(600_000)])).toEqual({ code: 'json_too_large', path: '' });
  });
});

describe('decodeUtf8Strict', () => {
  verifies('VAL-22', 'refuses invalid bytes and a byte order mark, with the offset', () => {
    const rows: readonly [number[], string, number][] = [
      [[0xef, 0xbb, 0xbf, 0x7b], 'json_bom', 0],
      [[0x7b, 0xff], 'json_utf8', 1],
      [[0xc3], 'json_utf8', 0],
      [[0x61, 0xe2, 0x82], 'json_utf8', 1],
      [[0xef, 0x20], 'json_utf8', 0],
      [[0x61, 0xed, 0xa0, 0x80], 'json_utf8', 1],
      [[0xc0, 0x80], 'json_utf8', 0],
      [[0xf4, 0x90, 0x80, 0x80], 'json_utf8', 0],
    ];
    for (const [bytes, code, offset] of rows) {
      expect(decodeUtf8Strict(Uint8Array.from(bytes))).toEqual({
        ok: false,
        error: { code, offset },
      });
    }
  });

  it('decodes everything else without a change', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = new TextEncoder().encode(text);
        if (!text.startsWith('\ufeff')) {
          expect(decodeUtf8Strict(bytes)).toEqual({ ok: true, value: text });
        }
        expect(utf8Length(text)).toBe(bytes.length);
      }),
    );
  });
});
