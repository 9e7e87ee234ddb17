import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import {
  CanonicalJsonError,
  type CanonicalValue,
  canonicalDepthMax,
  canonicalJson,
  canonicalSizeMaxBytes,
  parseCanonicalJson,
} from './canonical-json.ts';

const encode = (value: unknown): string => canonicalJson(value as CanonicalValue);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function faultOf(value: unknown): { code: string; path: string } | undefined {
  try {
    encode(value);
  } catch (error) {
    if (error instanceof CanonicalJsonError) return { code: error.code, path: error.path };
    throw error;
  }
  return undefined;
}

const key = fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => {
  return !['__proto__', 'constructor', 'prototype'].includes(text);
});
const canonicalValue = fc.letrec<{ value: CanonicalValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 6 }),
  ),
})).value;

describe('canonicalJson', () => {
  it('sorts keys by UTF-16 code unit, as in RFC 8785 section 3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      ö: 'Latin Small Letter O With Diaeresis',
    };
    expect(encode(value)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control",' +
        '"ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign",' +
        '"\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  it('escapes as in RFC 8785 section 3.2.2.2 and nothing more', () => {
    const text = '\u20ac$\u000f\nA\'B"\\\\"/\u007f\u2028\b\t\f\r';
    expect(encode(text)).toBe('"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u007f\u2028\\b\\t\\f\\r"');
  });

  it('prints literals and the ends of the safe range', () => {
    const value = [true, false, null, 0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    expect(encode(value)).toBe('[true,false,null,0,-1,9007199254740991,-9007199254740991]');
    expect(encode([[], {}, Object.create(null)])).toBe('[[],{},{}]');
  });

  it('agrees with the obvious encoder, and JSON.parse reads the value back', () => {
    fc.assert(
      fc.property(canonicalValue, (value) => {
        const text = canonicalJson(value);
        expect(text).toBe(reference(value));
        expect(canonicalJson(JSON.parse(text) as CanonicalValue)).toBe(text);
      }),
    );
  });

  verifies('RCP-06', 'throws on every value outside the closed type and names its path', () => {
    const sparse = [1, 2];
    delete sparse[0];
    const decorated = Object.assign([1], { extra: 1 });
    const hidden = Object.defineProperty({}, 'x', { value: 1, enumerable: false });
    const cases: [unknown, string][] = [
      [1.5, 'JCS_NUMBER'],
      [-0, 'JCS_NUMBER'],
      [Number.NaN, 'JCS_NUMBER'],
      [Number.POSITIVE_INFINITY, 'JCS_NUMBER'],
      [2 ** 53, 'JCS_NUMBER'],
      [1n, 'JCS_TYPE'],
      [undefined, 'JCS_TYPE'],
      [() => 1, 'JCS_TYPE'],
      [Symbol('x'), 'JCS_TYPE'],
      [new Date(0), 'JCS_TYPE'],
      [new Map(), 'JCS_TYPE'],
      [new Uint8Array(1), 'JCS_TYPE'],
      [{ toJSON: () => 1 }, 'JCS_TYPE'],
      [new (class Amount {})(), 'JCS_TYPE'],
      [sparse, 'JCS_TYPE'],
      [decorated, 'JCS_TYPE'],
      [class extends Array {}.from([1]), 'JCS_TYPE'],
      [{ [Symbol('x')]: 1 }, 'JCS_TYPE'],
      [hidden, 'JCS_TYPE'],
      [JSON.rawJSON('1e400'), 'JCS_TYPE'],
      ['\ud800', 'JCS_TEXT'],
      ['\udc00\ud800', 'JCS_TEXT'],
      [{ '\ud800': 1 }, 'JCS_TEXT'],
      [{ constructor: 1 }, 'JCS_KEY'],
      [{ prototype: 1 }, 'JCS_KEY'],
      [JSON.parse('{"__proto__":1}'), 'JCS_KEY'],
    ];
    for (const [value, code] of cases) {
      expect(faultOf(value)?.code, String(code)).toBe(code);
      expect(faultOf({ a: [0, value] })?.path).toMatch(/^\$\.a\[1\]/);
    }
    expect(faultOf({ list: [{ amount: 1.5 }] })?.path).toBe('$.list[0].amount');
    expect(() => encode({ amount: 1.5 })).toThrow('safe integers only');
  });

  it('takes the deepest nesting and refuses one more', () => {
    const nest = (depth: number): CanonicalValue => (depth === 0 ? 1 : [nest(depth - 1)]);
    expect(encode(nest(canonicalDepthMax))).toContain('1');
    expect(faultOf(nest(canonicalDepthMax + 1))?.code).toBe('JCS_DEPTH');
    const loop: unknown[] = [];
    loop.push(loop);
    expect(faultOf(loop)?.code).toBe('JCS_DEPTH');
  });

  it('takes the longest text and refuses one more byte', () => {
    const longest = 'x'.repeat(canonicalSizeMaxBytes - 2);
    expect(encode(longest)).toHaveLength(canonicalSizeMaxBytes);
    expect(faultOf(`${longest}x`)?.code).toBe('JCS_SIZE');
    expect(encode('é'.repeat(canonicalSizeMaxBytes / 2 - 1))).toHaveLength(524_289);
    expect(faultOf('é'.repeat(canonicalSizeMaxBytes / 2))?.code).toBe('JCS_SIZE');
    // Brackets, digits and commas: 2n + 1 bytes.
    expect(encode(new Array(canonicalSizeMaxBytes / 2 - 1).fill(1))).toHaveLength(1_048_575);
    expect(faultOf(new Array(canonicalSizeMaxBytes / 2).fill(1))?.code).toBe('JCS_SIZE');
  });

  it('stops early on a value that would unfold without end', () => {
    let tree: unknown = [];
    for (let i = 0; i < canonicalDepthMax - 1; i += 1) tree = [tree, tree];
    expect(faultOf(tree)?.code).toBe('JCS_SIZE');
  });
});

describe('parseCanonicalJson', () => {
  const codeOf = (text: string): string | undefined => {
    const parsed = parseCanonicalJson(bytesOf(text));
    return parsed.ok ? undefined : parsed.error.code;
  };

  it('reads back whatever the encoder writes', () => {
    fc.assert(
      fc.property(canonicalValue, (value) => {
        const parsed = parseCanonicalJson(bytesOf(canonicalJson(value)));
        expect(parsed.ok && canonicalJson(parsed.value)).toBe(canonicalJson(value));
      }),
    );
  });

  it('refuses text with another reading or spelling', () => {
    for (const text of ['{"b":1,"a":2}', ' 1', '1 ', '1.5', '1.0', '-0', '1e2', '"\\u0041"']) {
      expect(codeOf(text), text).toBe('json_not_canonical');
    }
    for (const text of ['9007199254740992', '"\\/"', '[1, 2]', '"\\u00E9"']) {
      expect(codeOf(text), text).toBe('json_not_canonical');
    }
  });

  it('names what strict JSON refuses', () => {
    expect(codeOf('{"a":1,"a":2}')).toBe('json_duplicate_key');
    expect(codeOf('"\\ud800"')).toBe('json_surrogate');
    expect(codeOf('{"__proto__":1}')).toBe('json_forbidden_key');
    expect(codeOf('1 2')).toBe('json_trailing');
    expect(codeOf('\ufeff1')).toBe('json_bom');
    const broken = parseCanonicalJson(Uint8Array.of(0x22, 0xff, 0x22));
    expect(!broken.ok && broken.error.code).toBe('json_utf8');
  });
});

/** The rule of RFC 8785 in its most obvious form. */
function reference(value: CanonicalValue): string {
  if (Array.isArray(value)) return `[${value.map(reference).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const object = value as Readonly<Record<string, CanonicalValue>>;
  const names = Object.keys(object).sort();
  const members = names.map((name) => `${JSON.stringify(name)}:${reference(object[name] ?? null)}`);
  return `{${members.join(',')}}`;
}
