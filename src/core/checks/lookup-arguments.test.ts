import { describe, expect, it } from 'vitest';
import { aParam } from '../../testing/contract-builders.ts';
import type { LookupRule } from '../contract.ts';
import type { JsonObject } from '../json-value.ts';
import { lookupArguments, templateNames } from './lookup-arguments.ts';

const rule = (args: LookupRule['arguments']): LookupRule => ({
  server: 'bank',
  tool: 'find',
  arguments: args,
  succeeded: { pointer: '/id', isError: false },
});
const call: JsonObject = { invoice: 'R-1', amount: 12.5, urgent: true, note: ['a', 'b'], to: {} };
const params = [
  aParam('invoice'),
  aParam('amount', { type: 'number' }),
  aParam('urgent', { type: 'boolean' }),
  aParam('note', { each: true }),
  aParam('to', { type: 'object' }),
  aParam('absent', { optional: true }),
];
const fill = (args: LookupRule['arguments']) =>
  lookupArguments(rule(args), { key: 'ip_1', opId: '1', call, params });

describe('lookupArguments', () => {
  it('fills key, operation and parameters; a lone template keeps its type', () => {
    expect({
      ...fill({
        a: `\${key}`,
        b: `op \${op_id}`,
        c: `\${param.amount}`,
        d: `\${param.urgent}!`,
        e: 5,
      }),
    }).toEqual({ a: 'ip_1', b: 'op 1', c: 12.5, d: 'true!', e: 5 });
    expect({ ...fill({ a: `\${param.invoice}/\${param.amount}`, b: 'plain' }) }).toEqual({
      a: 'R-1/12.5',
      b: 'plain',
    });
  });

  it.each([
    `\${param.absent}`,
    `\${param.unknown}`,
    `x \${param.absent}`,
    `\${param.note}`,
    `x \${param.to}`,
    `\${other}`,
  ])('asks nothing without the value of %s', (text) => {
    expect(fill({ a: text })).toBeUndefined();
  });
});

describe('templateNames', () => {
  it('lists what stands in braces, an open brace too', () => {
    expect(templateNames(`\${key} and \${param.a}`)).toEqual(['key', 'param.a']);
    expect(templateNames(`\${key`)).toEqual(['key']);
    expect(templateNames('$key {key}')).toEqual([]);
  });
});
