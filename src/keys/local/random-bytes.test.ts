import { describe, expect, it } from 'vitest';
import { createRandomSource } from './random-bytes.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('createRandomSource', () => {
  it('gives bytes of the size asked for, on a buffer of their own', () => {
    const random = createRandomSource();
    for (const size of [1, 16, 32, 4096, 4097]) {
      expect(random(size)).toHaveLength(size);
      expect(random(size).buffer.byteLength).toBe(size);
    }
  });

  it('never gives the same bytes twice, also across blocks and sources', () => {
    const [first, second] = [createRandomSource(), createRandomSource()];
    const seen = new Set<string>();
    for (let i = 0; i < 1000; i += 1) {
      seen.add(hex(first(32)));
      seen.add(hex(second(32)));
      seen.add(hex(first(31)).padEnd(64, '0'));
    }
    expect(seen.size).toBe(3000);
  });

  it('keeps what it gave out unchanged', () => {
    const random = createRandomSource();
    const salt = random(32);
    const copy = hex(salt);
    for (let i = 0; i < 300; i += 1) random(32);
    expect(hex(salt)).toBe(copy);
  });
});
