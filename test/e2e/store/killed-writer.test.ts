import { afterEach, beforeEach, describe, expect } from 'vitest';
import { verifies } from '../../requirements/verifies.ts';
import { checkStore, StoreFolder, startWriter } from './store-processes.ts';

describe('a writer that is killed', () => {
  let place: StoreFolder;
  beforeEach(() => {
    place = new StoreFolder();
  });
  afterEach(() => place.remove());

  verifies(
    ['EXE-28', 'EXE-08', 'RCP-02'],
    'loses nothing that it acknowledged, and leaves what it sent UNKNOWN',
    async () => {
      const decided: string[] = [];
      const finished: string[] = [];
      for (const afterMs of [0, 3, 11, 40, 90]) {
        const writer = startWriter(place.path, { inFlight: 16, total: 0 });
        await writer.busy;
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        writer.child.kill('SIGKILL');
        const acknowledged = await writer.done;
        decided.push(...acknowledged.decided);
        finished.push(...acknowledged.finished);

        const store = place.open();
        const { orphans } = await store.start();
        const states = await checkStore(store);
        for (const opId of finished) expect(states.get(opId)).toBe('SUCCEEDED');
        for (const opId of decided) expect(states.get(opId)).toMatch(/^(?:SUCCEEDED|UNKNOWN)$/);
        for (const opId of orphans) expect(states.get(opId)).toBe('UNKNOWN');
        expect([...states.values()]).not.toContain('DISPATCHING');
        await store.close();
      }
      expect(finished.length).toBeGreaterThan(0);
      expect(decided.length).toBeGreaterThan(finished.length);
    },
  );

  verifies(['RCP-11', 'EXE-28'], 'does not hold up or confuse its neighbours', async () => {
    const survivor = startWriter(place.path, { inFlight: 4, total: 300 });
    const victims = [0, 1].map(() => startWriter(place.path, { inFlight: 4, total: 0 }));
    await Promise.all([survivor, ...victims].map(({ busy }) => busy));
    for (const { child } of victims) child.kill('SIGKILL');
    const killed = await Promise.all(victims.map(({ done }) => done));
    const { finished } = await survivor.done;
    expect(finished).toHaveLength(300);
    const store = place.open();
    await store.start();
    const states = await checkStore(store);
    for (const opId of [...finished, ...killed.flatMap((each) => each.finished)]) {
      expect(states.get(opId)).toBe('SUCCEEDED');
    }
    await store.close();
  });
});
