import { describe, expect, it } from 'vitest';
import { definitionDiff } from './definition-diff.ts';

const text = (value: unknown): string => JSON.stringify(value);

describe('definitionDiff', () => {
  it('shows what went and what came, by path, and leaves out what is equal', () => {
    const before = text({ name: 'pay', inputSchema: { type: 'object', required: ['a'] }, old: 1 });
    const after = text({
      name: 'pay',
      inputSchema: { type: 'object', required: ['b'] },
      extra: {},
    });
    expect(definitionDiff(before, after)).toEqual([
      '- inputSchema.required.0: "a"',
      '- old: 1',
      '+ inputSchema.required.0: "b"',
      '+ extra: {}',
    ]);
  });

  it('shows a whole definition when the other one is missing', () => {
    expect(definitionDiff(undefined, text({ name: 'pay', list: [] }))).toEqual([
      '+ name: "pay"',
      '+ list: []',
    ]);
    expect(definitionDiff(text({ name: 'pay' }), undefined)).toEqual(['- name: "pay"']);
    expect(definitionDiff(undefined, undefined)).toEqual([]);
  });

  it('writes everything but printable ASCII by its number, in keys too', () => {
    const after = text({ 'a\u202eb': 'Pay\u001b[2J\u200b to Müller' });
    expect(definitionDiff(undefined, after)).toEqual([
      '+ a\\u202eb: "Pay\\u001b[2J\\u200b to M\\u00fcller"',
    ]);
  });
});
