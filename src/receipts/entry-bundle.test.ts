import { expect, it } from 'vitest';
import { encodeEntryBundle } from './entry-bundle.ts';

it('writes each leaf behind its length', () => {
  const long = new Uint8Array(16_384).fill(7);
  const bundle = encodeEntryBundle([Uint8Array.of(1, 2, 3), new Uint8Array(), long]);
  expect([...bundle.subarray(0, 9)]).toEqual([0, 3, 1, 2, 3, 0, 0, 0x40, 0]);
  expect(bundle.length).toBe(9 + 16_384);
  expect(encodeEntryBundle([])).toEqual(new Uint8Array());
});
