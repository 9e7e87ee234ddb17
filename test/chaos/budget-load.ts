// 64 callers on one hot budget after the other, on SQLite and on PostgreSQL.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fsckStore } from '../../src/server/fsck-store.ts';
import { migrateDatabase } from '../../src/stores/postgres/admin.ts';
import { openPostgresStore } from '../../src/stores/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store, StoreSettings } from '../../src/stores/store.ts';
import { aStoreSettings } from '../../src/testing/store-builders.ts';
import { Cluster } from '../fixtures/postgres/cluster.ts';
import { randomOf } from '../fixtures/random-of.ts';
import { type BudgetFindings, budgetRound } from './budget-round.ts';
import type { Break, BreakReport } from './chaos-break.ts';
import { judgeBudget } from './judge-budget.ts';

export interface BudgetLoadReport extends BreakReport {
  readonly rounds: number;
  readonly proposals: number;
  readonly refused: number;
  /** Sum of all effects, which is the sum of all limits. */
  readonly effects: number;
  readonly perSecond: number;
}

const callers = 64;
/** Stores, each with a connection of its own, that share one PostgreSQL. */
const postgresStores = 4;
/** Demands of one budget: a history that is searched in seconds. */
const demandsPerRound = 2_000;
const amountMax = 9;
/** What of all that is wanted the budget has. */
const limitShare = 0.35;

export interface BudgetLoad {
  readonly kind: 'sqlite' | 'postgres';
  /** Demands, over all rounds. */
  readonly operations: number;
  readonly seed: number;
  /** Changes what was found before it is judged: the judgement must notice. */
  readonly meddle?: (found: BudgetFindings) => BudgetFindings;
}

export async function budgetLoad({
  kind,
  operations,
  seed,
  meddle = (found) => found,
}: BudgetLoad): Promise<BudgetLoadReport> {
  const place = await (kind === 'sqlite' ? sqlitePlace() : postgresPlace());
  try {
    for (const store of place.stores) await store.start();
    const random = randomOf(seed);
    const problems: string[] = [];
    const sums = { rounds: 0, proposals: 0, refused: 0, effects: 0 };
    let busyMs = 0;
    for (let left = operations; left > 0; left -= demandsPerRound) {
      const startedMs = performance.now();
      const terms = makeTerms(sums.rounds, Math.min(left, demandsPerRound), random);
      const found = meddle(await budgetRound(place.stores, terms));
      busyMs += performance.now() - startedMs;
      problems.push(...judgeBudget(found));
      sums.rounds += 1;
      sums.proposals += found.proposals;
      sums.refused += found.refused;
      sums.effects += found.effects;
    }
    const { faults } = await fsckStore(place.stores[0] as Store);
    problems.push(...faults.map(({ code, words }) => `fsck: ${code} ${words}`));
    const perSecond = Math.round((sums.proposals / busyMs) * 1_000);
    return { ok: problems.length === 0, ...sums, perSecond, problems };
  } finally {
    await Promise.all(place.stores.map((store) => store.close()));
    await place.remove();
  }
}

function makeTerms(
  round: number,
  count: number,
  random: () => number,
): Parameters<typeof budgetRound>[1] {
  const demands = Array.from({ length: count }, () => 1 + Math.floor(random() * amountMax));
  const limit = Math.floor(demands.reduce((sum, each) => sum + each, 0) * limitShare);
  return { agent: `round ${round}`, limit, demands, callers, random };
}

interface Place {
  readonly stores: readonly Store[];
  remove(): void | Promise<void>;
}

/** One process: every caller meets the others in the group commit. */
async function sqlitePlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'budget-'));
  return {
    stores: [openSqliteStore(join(folder, 'store.db'), settings())],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function postgresPlace(): Promise<Place> {
  const cluster = await Cluster.start();
  const url = cluster.url('postgres');
  await migrateDatabase(url, { nowMs: Date.now() });
  return {
    stores: Array.from({ length: postgresStores }, () => openPostgresStore(url, settings())),
    remove: () => cluster.remove(),
  };
}

function settings(): StoreSettings {
  const { identity, ...rest } = aStoreSettings({ nowMs: 0 });
  return {
    ...rest,
    identity: { ...identity, processId: randomUUID() },
    nowMs: Date.now,
    random: (size) => randomBytes(size),
  };
}

/** `npm run chaos -- budget`. */
export const budgetBreak: Break = async ({ isLong, seed, count }) => {
  const operations = count ?? (isLong ? 100_000 : 20_000);
  const sqlite = await budgetLoad({ kind: 'sqlite', operations, seed });
  const postgres = await budgetLoad({ kind: 'postgres', operations, seed });
  const problems = [
    ...sqlite.problems.map((line) => `SQLite: ${line}`),
    ...postgres.problems.map((line) => `PostgreSQL: ${line}`),
  ];
  const figures = ({ problems: _problems, ok: _ok, ...rest }: BudgetLoadReport): object => rest;
  return {
    ok: problems.length === 0,
    operations,
    callers,
    sqlite: figures(sqlite),
    postgres: figures(postgres),
    problems,
  };
};
