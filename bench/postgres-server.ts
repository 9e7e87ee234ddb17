// A PostgreSQL server for one benchmark, durable in every setting, gone afterwards.
import { Cluster, findBinaries } from '../test/fixtures/postgres/cluster.ts';
import { administer } from '../test/fixtures/postgres/database.ts';
import { built } from './built.ts';

const { migrateDatabase } =
  await built<typeof import('../src/stores/postgres/admin.ts')>('stores/postgres/admin');

export interface BenchServer {
  /** A database without our tables. */
  readonly url: string;
  /** Makes one more database and migrates it: a store begins empty, with a guard of its own. */
  emptyStore(): Promise<string>;
  remove(): Promise<void>;
}

/** Undefined when PostgreSQL is not installed. */
export async function startBenchServer(): Promise<BenchServer | undefined> {
  if (findBinaries() === undefined) return undefined;
  const cluster = await Cluster.start();
  const url = cluster.url('postgres');
  let stores = 0;
  return {
    url,
    emptyStore: async () => {
      stores += 1;
      const name = `store_${stores}`;
      await administer(url, `CREATE DATABASE ${name}`);
      await migrateDatabase(cluster.url(name), { nowMs: Date.now() });
      return cluster.url(name);
    },
    remove: () => cluster.remove(),
  };
}

export const noServer = 'PostgreSQL is not installed: its rows are missing';
