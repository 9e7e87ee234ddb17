// The smallest transaction of a store, one leaf with its tree, beside what the disk and the database
// take for one row.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store, StoreSettings } from '../src/stores/store.ts';
import { built } from './built.ts';
import { inFlight } from './in-flight.ts';
import { type BenchServer, noServer, startBenchServer } from './postgres-server.ts';
import { fsyncTimes, RawPostgres, sqliteCommitTimes } from './raw-commits.ts';
import { type BenchReport, type BenchRow, median, percentile, rowOfRounds } from './report.ts';

const { openSqliteStore } = await built<typeof import('../src/stores/sqlite/sqlite-store.ts')>(
  'stores/sqlite/sqlite-store',
);
const { openPostgresStore } = await built<
  typeof import('../src/stores/postgres/postgres-store.ts')
>('stores/postgres/postgres-store');

const rounds = 5;
const clients = [1, 16, 64] as const;
/** Commits of one client in one round. */
const commitsOf = (workers: number): number => 200 * Math.min(8, workers);

/** p50 and p99 in milliseconds, and per second, of each round. */
interface Figures {
  readonly p50: number[];
  readonly p99: number[];
  readonly perSecond: number[];
}

export async function run(): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), 'intentplane-bench-'));
  const server = await startBenchServer();
  try {
    const sqlite = await measureSqlite(folder);
    const postgres = server === undefined ? [] : await measurePostgres(server);
    return {
      rows: [...sqlite, ...postgres],
      notes: [
        'a commit of a store: one leaf with one committed value, its hash, the new root',
        ...(server === undefined ? [noServer] : []),
      ],
    };
  } finally {
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureSqlite(folder: string): Promise<readonly BenchRow[]> {
  const store = openSqliteStore(join(folder, 'store.db'), settings());
  await store.start();
  await commit(store, { count: 200, workers: 16 });
  const fsync = noFigures();
  const raw = noFigures();
  const stored = clients.map(noFigures);
  for (let round = 0; round < rounds; round += 1) {
    addTimes(fsync, fsyncTimes(folder));
    addTimes(raw, sqliteCommitTimes(folder));
    for (const [at, workers] of clients.entries()) {
      await measure(stored[at] as Figures, (note) =>
        commit(store, { count: commitsOf(workers), workers, note }),
      );
    }
  }
  await store.close();
  return [
    ...rowsOf('raw fsync of this disk', fsync),
    ...rowsOf('one row in SQLite, synchronous=FULL', raw),
    ratio('  of it beside raw fsync, p50', raw.p50, fsync.p50),
    ...clients.flatMap((workers, at) => {
      const figures = stored[at] as Figures;
      return [
        ...rowsOf(`SQLite store, ${workers} at once`, figures),
        ratio('  per second beside raw fsync', figures.perSecond, fsync.perSecond),
        ratio('  per second beside one row', figures.perSecond, raw.perSecond),
      ];
    }),
  ];
}

async function measurePostgres(server: BenchServer): Promise<readonly BenchRow[]> {
  const store = openPostgresStore(await server.emptyStore(), settings());
  await store.start();
  await commit(store, { count: 200, workers: 16 });
  const rawClients = await RawPostgres.open(server.url, Math.max(...clients), 1);
  const raw = clients.map(noFigures);
  const stored = clients.map(noFigures);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, workers] of clients.entries()) {
      const count = commitsOf(workers);
      await measure(raw[at] as Figures, (note) => rawClients.insert(count, workers, note));
      await measure(stored[at] as Figures, (note) => commit(store, { count, workers, note }));
    }
  }
  await rawClients.close();
  await store.close();
  return clients.flatMap((workers, at) => [
    ...rowsOf(`one INSERT in PostgreSQL, ${workers} connections`, raw[at] as Figures),
    ...rowsOf(`PostgreSQL store, ${workers} at once, one connection`, stored[at] as Figures),
    ratio(
      '  per second beside one INSERT',
      (stored[at] as Figures).perSecond,
      (raw[at] as Figures).perSecond,
    ),
  ]);
}

interface CommitLoad {
  /** Leaves, each in a call of its own. */
  readonly count: number;
  readonly workers: number;
  readonly note?: (ms: number) => void;
}

/** Commits per second. */
function commit(store: Store, { count, workers, note }: CommitLoad): Promise<number> {
  return inFlight(count, workers, async (left) => {
    const start = performance.now();
    await store.appendLeaves([
      { type: 'alarm', open: { kind: 'bench' }, committed: { note: `leaf ${left}` } },
    ]);
    note?.(performance.now() - start);
  });
}

async function measure(
  figures: Figures,
  work: (note: (ms: number) => void) => Promise<number>,
): Promise<void> {
  const times: number[] = [];
  const perSecond = await work((ms) => times.push(ms));
  figures.p50.push(percentile(times, 0.5));
  figures.p99.push(percentile(times, 0.99));
  figures.perSecond.push(perSecond);
}

const noFigures = (): Figures => ({ p50: [], p99: [], perSecond: [] });

/** Of one writer that does nothing else. */
function addTimes(figures: Figures, times: readonly number[]): void {
  figures.p50.push(percentile(times, 0.5));
  figures.p99.push(percentile(times, 0.99));
  figures.perSecond.push((times.length / times.reduce((sum, ms) => sum + ms, 0)) * 1_000);
}

function rowsOf(what: string, { p50, p99, perSecond }: Figures): readonly BenchRow[] {
  return [
    rowOfRounds([`${what}, p50`, 'ms'], p50),
    rowOfRounds([`${what}, p99`, 'ms'], p99),
    rowOfRounds([what, '/s'], perSecond),
  ];
}

/** Round by round, since both were measured beside each other. */
function ratio(what: string, of: readonly number[], beside: readonly number[]): BenchRow {
  return rowOfRounds(
    [what, '×'],
    of.map((value, round) => value / (beside[round] ?? median(beside))),
  );
}

function settings(): StoreSettings {
  return {
    identity: {
      processId: randomUUID(),
      host: 'bench',
      bootId: 'bench',
      pid: process.pid,
      pidStart: '',
    },
    isAlive: () => true,
    nowMs: Date.now,
    random: (size) => randomBytes(size),
    origin: 'bench.example/gateway',
    gatewayVersion: '0.0.0',
    configDigest: '0'.repeat(64),
  };
}
