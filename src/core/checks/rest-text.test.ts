import { describe, expect, it } from 'vitest';
import { pythonJson } from './rest-text.ts';

describe('pythonJson', () => {
  it('prints what json.dumps(…, sort_keys=True) prints', () => {
    expect(pythonJson({ b: [1, true, null], a: { c: 'x' } })).toBe(
      '{"a": {"c": "x"}, "b": [1, true, null]}',
    );
    expect(pythonJson({})).toBe('{}');
    expect(pythonJson([])).toBe('[]');
  });

  it('escapes everything outside printable ASCII', () => {
    expect(pythonJson('Zoë 😀 "q" \\ \n \u007f')).toBe(
      '"Zo\\u00eb \\ud83d\\ude00 \\"q\\" \\\\ \\n \\u007f"',
    );
  });

  it('orders keys by code point, where UTF-16 units differ', () => {
    const order = (keys: readonly string[]): readonly string[] =>
      Object.keys(JSON.parse(pythonJson(Object.fromEntries(keys.map((key) => [key, 1])))));
    expect(order(['😀', '\uffff', 'b', 'ab', 'a'])).toEqual(['a', 'ab', 'b', '\uffff', '😀']);
    expect(order(['ab', 'a'])).toEqual(['a', 'ab']);
    expect(order(['a', 'ab'])).toEqual(['a', 'ab']);
  });

  it('prints floats by their shortest digits and integers as they are', () => {
    const print = (digits: string): string => pythonJson(JSON.rawJSON(digits));
    expect(print('1.0')).toBe('1.0');
    expect(print('1.10')).toBe('1.1');
    expect(print('-0.5')).toBe('-0.5');
    expect(print('0.0')).toBe('0.0');
    expect(print('0.0001')).toBe('0.0001');
    expect(print('0.00001')).toBe('1e-05');
    expect(print('0.0000000000123')).toBe('1.23e-11');
    expect(print('100')).toBe('100');
    expect(pythonJson(12.5)).toBe('12.5');
  });
});
