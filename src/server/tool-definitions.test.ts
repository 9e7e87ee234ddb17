import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../core/json-value.ts';
import type { ToolDefinition } from '../gateway/tool-definition.ts';
import { prepareDefinition } from './tool-definitions.ts';

type Current = Extract<ToolDefinition, { kind: 'current' }>;

const prepare = (inputSchema: JsonObject | string): Current =>
  prepareDefinition(
    { definition: { name: 'pay', inputSchema }, digest: 'd', identity: 'i' },
    false,
  );

const address: JsonObject = { type: 'object', properties: { email: { type: 'string' } } };

describe('prepareDefinition', () => {
  it('carries the pin and the identity; an unpinned one has no digest', () => {
    const definition = { name: 'pay', inputSchema: { type: 'object' } };
    const standing = { definition, digest: 'd', identity: 'i' };
    expect(prepareDefinition(standing, false)).toMatchObject({ digest: 'd', serverIdentity: 'i' });
    expect(prepareDefinition(standing, true)).toMatchObject({ digest: null });
    expect(prepareDefinition({ definition, digest: 'd' }, true).serverIdentity).toBe('');
  });

  it('knows the arguments that the schema names, in every branch and below lists', () => {
    const { isKnown } = prepare({
      type: 'object',
      properties: { amount: { type: 'number' }, to: { type: 'array', items: address } },
      anyOf: [{ properties: { note: { type: 'string' } } }],
    });
    for (const keys of [['amount'], ['to'], ['to', 'email'], ['note']]) {
      expect([keys, isKnown(keys)]).toEqual([keys, true]);
    }
    for (const keys of [['email'], ['to', 'name'], ['constructor'], ['__proto__']]) {
      expect([keys, isKnown(keys)]).toEqual([keys, false]);
    }
    expect(prepare('no schema').isKnown(['a'])).toBe(false);
  });

  it('says where arguments do not fit, and stops at eight places', () => {
    const { validate } = prepare({
      type: 'object',
      properties: { a: { type: 'object', properties: { 'b/c': { type: 'string' } } } },
      required: ['a'],
    });
    expect(validate({ a: { 'b/c': 'x' } })).toEqual([]);
    expect(validate({ a: { 'b/c': 1 } })).toEqual([{ path: 'a.b/c', message: 'must be string' }]);
    expect(validate({})).toMatchObject([{ path: expect.any(String) }]);
  });

  it('takes a schema of any draft, and refuses everything under one that is broken', () => {
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x', type: 'object' };
    expect(prepare(draft7).validate({})).toEqual([]);
    const broken = prepare({ type: 'object', properties: { a: { $ref: 'http://127.0.0.1:9/x' } } });
    expect(broken.validate({ a: 1 })[0]?.message).toContain('a schema that can be checked');
    expect(broken.validate({ a: 1 })).toHaveLength(1);
    expect(prepare('no schema').validate({ a: 1 })).toEqual([]);
  });
});
