import { afterEach, beforeEach, describe, expect } from 'vitest';
import { verifies } from '../../requirements/verifies.ts';
import { checkStore, StoreFolder, startWriter } from './store-processes.ts';

describe('four processes on one SQLite file', () => {
  let place: StoreFolder;
  beforeEach(() => {
    place = new StoreFolder();
  });
  afterEach(() => place.remove());

  verifies(['RCP-11', 'EXE-25'], 'leave one log without a gap, and none starves', async () => {
    const total = 150;
    const writers = Array.from({ length: 4 }, () =>
      startWriter(place.path, { inFlight: 2, total }),
    );
    const results = await Promise.all(writers.map(({ done }) => done));
    const store = place.open();
    const { orphans } = await store.start();
    expect(orphans).toEqual([]);
    const states = await checkStore(store);
    expect(states.size).toBe(4 * total);
    for (const { finished, waitedMs } of results) {
      expect(finished).toHaveLength(total);
      for (const opId of finished) expect(states.get(opId)).toBe('SUCCEEDED');
      expect(waitedMs).toBeLessThan(1_000);
    }
    await store.close();
  });
});
