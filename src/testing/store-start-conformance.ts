// What every store tells before it is started.
import { expect, it } from 'vitest';
import type { StoreTestContext } from './opened-store.ts';
import { aStoreSettings } from './store-builders.ts';

export function testStart({ opened, place }: StoreTestContext): void {
  it('EXE-29: tells before a start whether a process ended without closing', async (test) => {
    if (!place().isDurable) test.skip('a memory store forgets');
    const asked = async (isAlive: boolean): Promise<boolean> => {
      const settings = aStoreSettings(opened().clock, { isAlive: () => isAlive });
      const beside = place().open(settings);
      const answer = await beside.wasUnclean();
      expect(await beside.checkFile('quick')).toBeUndefined();
      expect(await beside.checkFile('full')).toBeUndefined();
      await beside.close();
      return answer;
    };
    expect(await asked(true)).toBe(false);
    expect(await asked(false)).toBe(true);
    await opened().store.close();
    expect(await asked(false)).toBe(false);
  });
}
