import { describe, expect, it } from 'vitest';
import { readReference } from './reference.ts';

describe('readReference', () => {
  it('reads the text forms', () => {
    expect(readReference('ref:v1')).toEqual({ kind: 'ref', text: 'v1' });
    expect(readReference('name:Hart & Sons')).toEqual({ kind: 'name', text: 'Hart & Sons' });
    expect(readReference('ref:a:b\nc')).toEqual({ kind: 'ref', text: 'a:b\nc' });
  });

  it('reads the object with exactly one key', () => {
    expect(readReference({ ref: 'v1' })).toEqual({ kind: 'ref', text: 'v1' });
    expect(readReference({ name: 'Hart' })).toEqual({ kind: 'name', text: 'Hart' });
    expect(readReference({ ref: '' })).toEqual({ kind: 'ref', text: '' });
  });

  it('takes a second key, another key or another type for no reference', () => {
    expect(readReference({ ref: 'v1', name: 'Hart' })).toBeUndefined();
    expect(readReference({ ref: 'v1', origin: 'system_of_record' })).toBeUndefined();
    expect(readReference({ Ref: 'v1' })).toBeUndefined();
    expect(readReference({ ref: 7 })).toBeUndefined();
    expect(readReference({})).toBeUndefined();
    expect(readReference(['ref:v1'])).toBeUndefined();
    expect(readReference(null)).toBeUndefined();
    expect(readReference(7)).toBeUndefined();
  });

  it('takes a text without a name, or with another word in front, as a value', () => {
    expect(readReference('ref:')).toBeUndefined();
    expect(readReference('refs:v1')).toBeUndefined();
    expect(readReference(' ref:v1')).toBeUndefined();
    expect(readReference('REF:v1')).toBeUndefined();
  });
});
