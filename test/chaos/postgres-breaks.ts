// The ways in which PostgreSQL is broken while proxies pay through it. Each one ends when the
// server could serve again.
import { Client } from 'pg';
import type { Cluster } from '../fixtures/postgres/cluster.ts';
import type { CommitFate, CommitProxy } from '../fixtures/postgres/commit-proxy.ts';
import { administer } from '../fixtures/postgres/database.ts';
import { waitUntil } from '../fixtures/wait-until.ts';

export interface BreakPlace {
  readonly cluster: Cluster;
  readonly url: string;
  /** The way of each gateway to the server. */
  readonly ways: readonly CommitProxy[];
  readonly random: () => number;
}

export interface PostgresBreak {
  readonly name: string;
  /** How often it is chosen, beside the others. */
  readonly weight: number;
  readonly run: (place: BreakPlace) => Promise<void>;
}

/** Longer than the lock timeout of the store, 3 s. */
const lockHeldMs = 3_300;
/** Longest short absence of the network. */
const awayMaxMs = 1_500;
/** A long absence: a write waits 5 s and is refused then, an outcome waits 30 s. */
const awayLongMs = 6_000;

const postgresBreaks: readonly PostgresBreak[] = [
  { name: 'sessions terminated', weight: 35, run: terminate },
  { name: 'commit lost', weight: 9, run: cutCommit('lost') },
  { name: 'answer of a commit lost', weight: 9, run: cutCommit('answer lost') },
  { name: 'commit late', weight: 9, run: cutCommit('late') },
  { name: 'connections cut', weight: 15, run: cutConnections },
  {
    name: 'network away',
    weight: 7,
    run: ({ random, ...place }) => away(place, random() * awayMaxMs),
  },
  { name: 'network away for long', weight: 2, run: (place) => away(place, awayLongMs) },
  { name: 'commit cut, then away for long', weight: 2, run: cutAndAway },
  { name: 'lock held', weight: 3, run: holdLock },
  { name: 'restart, fast', weight: 5, run: restart('fast') },
  { name: 'restart, immediate', weight: 5, run: restart('immediate') },
];

/** Each once, in any order, then as their weights say. */
export function* chooseBreaks(count: number, random: () => number): Generator<PostgresBreak> {
  const first = postgresBreaks
    .map((each) => ({ each, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ each }) => each);
  const all = postgresBreaks.flatMap((each) => Array.from({ length: each.weight }, () => each));
  for (let at = 0; at < count; at += 1) yield first[at] ?? oneOf(all, random);
}

async function terminate({ url, random }: BreakPlace): Promise<void> {
  const share = random();
  await administer(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'intentplane' AND datname = current_database() AND random() <= ${share}`,
  );
}

function cutCommit(fate: CommitFate): PostgresBreak['run'] {
  return async ({ ways, random }) => {
    const way = oneOf(ways, random);
    const { cuts } = way;
    way.cutNextCommit(fate);
    await waitUntil(() => way.cuts > cuts);
  };
}

function cutConnections({ ways, random }: BreakPlace): Promise<void> {
  oneOf(ways, random).cutAll();
  return Promise.resolve();
}

async function away({ ways }: Pick<BreakPlace, 'ways'>, forMs: number): Promise<void> {
  for (const way of ways) {
    way.isDown = true;
    way.cutAll();
  }
  await new Promise((resolve) => setTimeout(resolve, forMs));
  for (const way of ways) way.isDown = false;
}

/** Nobody can find out in time how the commit ended: callers are told that nobody knows. */
async function cutAndAway(place: BreakPlace): Promise<void> {
  await cutCommit('answer lost')(place);
  await away(place, awayLongMs);
}

/** Somebody else holds a row that every write needs. */
async function holdLock({ url, random }: BreakPlace): Promise<void> {
  const table = oneOf(['log_state', 'budget'], random);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`BEGIN; SELECT 1 FROM intentplane.${table} FOR UPDATE`);
    await new Promise((resolve) => setTimeout(resolve, lockHeldMs));
    await client.query('ROLLBACK');
  } finally {
    await client.end();
  }
}

function restart(mode: 'fast' | 'immediate'): PostgresBreak['run'] {
  return async ({ cluster }) => {
    await cluster.down(mode);
    await cluster.up();
  };
}

/** One of them, each as likely as any other. */
function oneOf<T>(list: readonly T[], random: () => number): T {
  const chosen = list[Math.floor(random() * list.length)];
  if (chosen === undefined) throw new Error('there is nothing to choose from');
  return chosen;
}
