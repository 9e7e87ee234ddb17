import { describe, expect, it } from 'vitest';
import { loadTimestamps } from './load-timestamps.ts';

const failWith = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error('no such package'), { code });
};

describe('loadTimestamps', () => {
  it('has what the packages give', async () => {
    expect(await loadTimestamps()).toHaveProperty('checkTimestamp');
  });

  it('is undefined without the packages, and throws what is another fault', async () => {
    expect(await loadTimestamps(failWith('ERR_MODULE_NOT_FOUND'))).toBeUndefined();
    await expect(loadTimestamps(failWith('ERR_OTHER'))).rejects.toThrow('no such package');
  });
});
