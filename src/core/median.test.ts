import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median } from './median.ts';

const amounts = fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 40 });

describe('median', () => {
  it('is the middle, or half-way between the two in the middle', () => {
    expect(median([])).toBeUndefined();
    expect(median([7])).toBe(7);
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('leaves no more than half of the numbers on either side', () => {
    fc.assert(
      fc.property(amounts, (numbers) => {
        const middle = median(numbers) as number;
        const half = numbers.length / 2;
        expect(numbers.filter((each) => each < middle).length).toBeLessThanOrEqual(half);
        expect(numbers.filter((each) => each > middle).length).toBeLessThanOrEqual(half);
      }),
    );
  });

  it('depends on no order and stays between the smallest and the largest', () => {
    fc.assert(
      fc.property(amounts, (numbers) => {
        const middle = median(numbers) as number;
        expect(median(numbers.toReversed())).toBe(middle);
        expect(middle).toBeGreaterThanOrEqual(Math.min(...numbers));
        expect(middle).toBeLessThanOrEqual(Math.max(...numbers));
      }),
    );
  });

  it('is not moved by how large the largest is', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 2, maxLength: 20 }), fc.nat(), (others, more) => {
        const largest = Math.max(...others);
        expect(median([...others, largest, largest + more])).toBe(
          median([...others, largest, largest]),
        );
      }),
    );
  });
});
