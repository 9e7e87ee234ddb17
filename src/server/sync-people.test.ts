import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PersonConfig } from '../config/config.ts';
import { readPeople } from '../core/person.ts';
import { createMemoryStore } from '../stores/memory/memory-store.ts';
import type { Store } from '../stores/store.ts';
import { aStoreSettings, testBytes } from '../testing/store-builders.ts';
import { syncPeople } from './sync-people.ts';

const ann: PersonConfig = {
  id: 'ann',
  name: 'Ann Ott',
  email: 'ann@example.com',
  roles: ['approver'],
  passcode: undefined,
  passcodeText: undefined,
  oidcSubject: undefined,
  awayUntilMs: undefined,
};
const bob: PersonConfig = { ...ann, id: 'bob', name: 'Bob', email: undefined, roles: [] };

const secret = testBytes(32);

describe('people of the configuration', () => {
  let store: Store;
  beforeEach(async () => {
    store = createMemoryStore(aStoreSettings({ nowMs: 1_000 }));
    await store.start();
  });
  afterEach(() => store.close());

  const sync = (people: readonly PersonConfig[], name = 'gate'): Promise<void> =>
    syncPeople(store, { people, gateway: { name } } as Parameters<typeof syncPeople>[1], {
      nowMs: () => 1_000,
      secret,
    });
  const persons = async () => readPeople(await store.readRecords({ kind: 'person' })).persons;
  const leaves = async () =>
    (await store.readLeaves({ from: 0, count: 99 })).filter(({ type }) => type === 'person.change');

  it('are added, changed and removed, each with a receipt that names nobody', async () => {
    await sync([ann, bob]);
    const [first] = (await persons()).filter(({ handle }) => handle === 'ann');
    expect(first).toMatchObject({ name: 'Ann Ott', roles: ['approver'], status: 'active' });
    await sync([{ ...ann, roles: ['approver', 'admin'] }]);
    const after = await persons();
    expect(after.find(({ handle }) => handle === 'ann')).toMatchObject({
      personId: first?.personId,
      roles: ['approver', 'admin'],
    });
    expect(after.find(({ handle }) => handle === 'bob')?.status).toBe('removed');
    const written = await leaves();
    expect(written).toHaveLength(4);
    for (const { bytes } of written) {
      expect(Buffer.from(bytes).toString()).not.toMatch(/ann|bob|Ott/i);
    }
    await sync([ann, bob]);
    expect((await persons()).every(({ status }) => status === 'active')).toBe(true);
  });

  it('write nothing when nothing changed, and leave those of others alone', async () => {
    await sync([ann]);
    await sync([ann]);
    expect(await leaves()).toHaveLength(1);
    await sync([bob], 'another gate');
    await sync([ann]);
    expect((await persons()).map(({ status }) => status)).toEqual(['active', 'active']);
  });

  it('come in once when several processes start at once', async () => {
    await Promise.all([sync([ann, bob]), sync([ann, bob]), sync([ann, bob])]);
    expect(await persons()).toHaveLength(2);
    expect(await leaves()).toHaveLength(2);
  });
});
