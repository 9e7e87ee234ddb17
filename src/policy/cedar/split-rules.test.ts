import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withCedar } from './cedar-instance.ts';
import { charOffset, placeAt, splitRules } from './split-rules.ts';

const texts = (file: string): readonly string[] => splitRules(file).map((rule) => rule.text);

describe('splitRules', () => {
  it('cuts at each semicolon and drops white space and comments before a rule', () => {
    const file = '// first; rule\n permit(a);\n\n// c\r\n@id("x;y") forbid(b);  // end; of file';
    expect(texts(file)).toEqual(['permit(a);', '@id("x;y") forbid(b);']);
  });

  it('keeps a semicolon inside a string or a comment inside its rule', () => {
    expect(texts('permit(a) when { "\\";" // ; \n };')).toEqual([
      'permit(a) when { "\\";" // ; \n };',
    ]);
  });

  it('ends a comment at a carriage return alone, as Cedar does', () => {
    expect(texts('// hidden?\rforbid(a);')).toEqual(['forbid(a);']);
  });

  it('returns a last rule without its semicolon', () => {
    expect(texts('permit(a);\nforbid(b)')).toEqual(['permit(a);', 'forbid(b)']);
  });

  it('takes a byte order mark as white space', () => {
    expect(splitRules('\uFEFFpermit(a);')).toEqual([{ text: 'permit(a);', offset: 1 }]);
  });

  it('finds nothing in an empty file or one with comments only', () => {
    expect(texts('')).toEqual([]);
    expect(texts(' \u0085\n// permit(principal, action, resource);')).toEqual([]);
  });

  it('finds as many rules as Cedar in every file that Cedar takes', () => {
    const rule = fc.constantFrom(
      'permit(principal, action, resource);',
      '@id("a;\\"b//")forbid(principal, action, resource);',
      'permit(principal, action, resource) when { "//" == "\\\\" // ; "\n};',
    );
    const between = fc.constantFrom('', ' ', '\n', '\r\n', '// ; "\n', '// x\r', '//\n', '\u00A0');
    fc.assert(
      fc.property(fc.array(fc.tuple(between, rule, between)), (parts) => {
        const file = parts.flat().join('');
        const parsed = withCedar((cedar) => cedar.policySetTextToParts(file));
        expect(parsed.type).toBe('success');
        if (parsed.type === 'success') expect(texts(file)).toHaveLength(parsed.policies.length);
      }),
    );
  });
});

describe('placeAt', () => {
  it('counts lines and columns from 1', () => {
    const text = 'ab\r\ncd';
    expect(placeAt(text, 0)).toEqual({ line: 1, column: 1 });
    expect(placeAt(text, 4)).toEqual({ line: 2, column: 1 });
    expect(placeAt(text, 5)).toEqual({ line: 2, column: 2 });
  });
});

describe('charOffset', () => {
  it('turns an offset in UTF-8 bytes into one in characters', () => {
    expect(charOffset('é€x', 0)).toBe(0);
    expect(charOffset('é€x', 2)).toBe(1);
    expect(charOffset('é€x', 5)).toBe(2);
  });
});
