// The people of the configuration as the store knows them: added, changed and removed at a start, each
// with its receipt. What stands in the file is the act of whoever may write it, so nobody is asked.
import type { Config, PersonConfig } from '../config/config.ts';
import type { RecordChange } from '../core/kept-record.ts';
import type { LeafDraft } from '../core/leaf.ts';
import { type PersonRow, personIdOf } from '../core/person.ts';
import type { Store } from '../stores/store.ts';

interface Surroundings {
  readonly nowMs: () => number;
  /** Of the store. */
  readonly secret: Uint8Array;
}

interface Known {
  readonly person: PersonRow;
  readonly version: number;
}

interface Change {
  readonly record: RecordChange;
  readonly leaf: LeafDraft;
}

/** Two processes that start at once: the one that comes second reads again. */
const triesMax = 5;

/** Writes nothing when nothing changed. Throws `StoreError`. */
export async function syncPeople(
  store: Pick<Store, 'readRecords' | 'changeRecords'>,
  config: Pick<Config, 'people' | 'gateway'>,
  surroundings: Surroundings,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const changes = await findChanges(store, config, surroundings);
    if (changes.length === 0) return;
    const isDone = await store.changeRecords(
      changes.map(({ record }) => record),
      changes.map(({ leaf }) => leaf),
    );
    if (isDone) return;
  }
  throw new Error('the people of the configuration change in the store all the time');
}

async function findChanges(
  store: Pick<Store, 'readRecords'>,
  { people, gateway: { name: source } }: Pick<Config, 'people' | 'gateway'>,
  surroundings: Surroundings,
): Promise<readonly Change[]> {
  const known = (await store.readRecords({ kind: 'person' })).map(({ fields, version }) => ({
    person: JSON.parse(fields) as PersonRow,
    version,
  }));
  const wanted = people.flatMap((person) => {
    const before = known.find(({ person: { handle } }) => handle === person.id);
    return putPerson(person, before, { ...surroundings, source }) ?? [];
  });
  const handles = new Set(people.map(({ id }) => id));
  const gone = known.filter(
    ({ person }) =>
      person.origin === 'config' &&
      person.source === source &&
      person.status === 'active' &&
      !handles.has(person.handle),
  );
  return [...wanted, ...gone.map(removePerson)];
}

function putPerson(
  config: PersonConfig,
  before: Known | undefined,
  { nowMs, secret, source }: Surroundings & { readonly source: string },
): Change | undefined {
  const person: PersonRow = {
    personId: before?.person.personId ?? personIdOf(secret, config.id),
    handle: config.id,
    name: config.name,
    email: config.email,
    roles: config.roles,
    status: 'active',
    awayUntilMs: config.awayUntilMs,
    passcode: config.passcodeText ?? before?.person.passcode,
    oidcSubject: config.oidcSubject,
    origin: 'config',
    source,
    createdMs: before?.person.createdMs ?? nowMs(),
  };
  const fields = JSON.stringify(person);
  if (before !== undefined && JSON.stringify(before.person) === fields) return undefined;
  return changeOf(person, before?.version, before === undefined ? 'added' : 'changed');
}

function removePerson({ person, version }: Known): Change {
  return changeOf({ ...person, status: 'removed' }, version, 'removed');
}

function changeOf(
  person: PersonRow,
  from: number | undefined,
  change: 'added' | 'changed' | 'removed',
): Change {
  const { personId: id, handle, name, roles } = person;
  return {
    record: { kind: 'person', id, owner: id, from, fields: JSON.stringify(person) },
    leaf: {
      type: 'person.change',
      open: { kind: 'person', change, roles: [...roles] },
      committed: { person: handle, name, by: 'configuration' },
    },
  };
}
