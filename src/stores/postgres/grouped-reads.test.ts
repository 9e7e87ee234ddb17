import { describe, expect, it } from 'vitest';
import { GroupedReads } from './grouped-reads.ts';

describe('GroupedReads', () => {
  it('reads at once, and together what was asked for meanwhile', async () => {
    const asked: (readonly string[])[] = [];
    const reads = new GroupedReads(async (ids) => {
      asked.push(ids);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return new Map(ids.filter((id) => id !== 'none').map((id) => [id, `value of ${id}`]));
    });
    const first = reads.read('a');
    await Promise.resolve();
    await Promise.resolve();
    const later = [reads.read('a'), reads.read('b'), reads.read('b'), reads.read('none')];
    expect(await first).toBe('value of a');
    expect(await Promise.all(later)).toEqual([
      ...['value of a', 'value of b', 'value of b', undefined],
    ]);
    expect(asked).toEqual([['a'], ['a', 'b', 'none']]);
  });

  it('hands an error to those it concerns, and reads on', async () => {
    let isBroken = true;
    const reads = new GroupedReads(async (ids) => {
      if (isBroken) throw new Error('away');
      return new Map(ids.map((id) => [id, id]));
    });
    await expect(Promise.all([reads.read('a'), reads.read('b')])).rejects.toThrow('away');
    isBroken = false;
    expect(await reads.read('c')).toBe('c');
  });
});
