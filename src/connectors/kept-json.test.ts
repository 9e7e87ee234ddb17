import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseKeptJson } from './kept-json.ts';

const printed = (text: string): string => JSON.stringify(parseKeptJson(text)?.value);

describe('parseKeptJson', () => {
  it('keeps the digits of every number', () => {
    for (const number of ['1', '-1', '0', '-0', '1.0', '1.50', '1e3', '1E+3', '1e400']) {
      expect(printed(`{"a":[${number}],"b":${number}}`)).toBe(`{"a":[${number}],"b":${number}}`);
    }
    const big = '123456789012345678901234567890';
    expect(printed(`[${big},-${big}.${big}]`)).toBe(`[${big},-${big}.${big}]`);
    expect(parseKeptJson('[1,2.5]')?.value).toEqual([1, 2.5]);
  });

  it('tells two equal keys, wherever they stand, and takes the last', () => {
    expect(parseKeptJson('{"a":1,"a":2}')).toEqual({ value: { a: 2 }, hasDuplicateKeys: true });
    expect(parseKeptJson('[{"b":{"a":1,"\\u0061":2}}]')?.hasDuplicateKeys).toBe(true);
    expect(parseKeptJson('{"a":{"a":1},"b:":":"}')?.hasDuplicateKeys).toBe(false);
    expect(parseKeptJson('{"a\\\\":1,"b\\"":"c\\\\"}')?.hasDuplicateKeys).toBe(false);
    expect(parseKeptJson('{"n":1.50,"n":1.5}')?.hasDuplicateKeys).toBe(true);
  });

  it('has nothing for what is not JSON, or nests beyond the stack', () => {
    for (const text of ['', '{', '{"a":01}', 'NaN', '"a', '[1,]', '{"a":1}x']) {
      expect(parseKeptJson(text)).toBeUndefined();
    }
    const depth = 200_000;
    expect(parseKeptJson('['.repeat(depth) + ']'.repeat(depth))).toBeUndefined();
  });

  it('prints back what JSON.stringify printed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const parsed = parseKeptJson(text);
        expect(JSON.stringify(parsed?.value)).toBe(text);
        expect(parsed?.hasDuplicateKeys).toBe(false);
      }),
    );
  });
});
