// What the disk and the databases take for the smallest durable write: the baselines of the stores.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { inFlight } from './in-flight.ts';

/** About one receipt. */
const rowBytes = 1_500;
const times = 300;

/** Milliseconds of each `fsync` after a write of one receipt at the end of a file. */
export function fsyncTimes(folder: string): readonly number[] {
  const file = openSync(join(folder, 'fsync.bin'), 'a');
  const bytes = new Uint8Array(rowBytes);
  const measured = timesOf(() => {
    writeSync(file, bytes);
    fsyncSync(file);
  });
  closeSync(file);
  return measured;
}

/** Milliseconds of each SQLite transaction with one row, `synchronous=FULL`. */
export function sqliteCommitTimes(folder: string): readonly number[] {
  const database = new DatabaseSync(join(folder, 'commit.db'));
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS row (bytes BLOB) STRICT',
  );
  const insert = database.prepare('INSERT INTO row VALUES (?)');
  const bytes = new Uint8Array(rowBytes);
  const measured = timesOf(() => {
    database.exec('BEGIN IMMEDIATE');
    insert.run(bytes);
    database.exec('COMMIT');
  });
  database.close();
  return measured;
}

function timesOf(work: () => void): readonly number[] {
  return Array.from({ length: times }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
}

/** Connections to one PostgreSQL that each run one statement at a time, as pgbench does. */
export class RawPostgres {
  readonly #clients: readonly Client[];

  private constructor(clients: readonly Client[]) {
    this.#clients = clients;
  }

  /** Makes the tables that the statements below use, with `budgets` rows. */
  static async open(url: string, connections: number, budgets: number): Promise<RawPostgres> {
    const clients = Array.from(
      { length: connections },
      () => new Client({ connectionString: url }),
    );
    // What goes wrong is told by the statement it meets.
    for (const client of clients) client.on('error', () => {});
    await Promise.all(clients.map((client) => client.connect()));
    const raw = new RawPostgres(clients);
    await clients[0]?.query(
      `CREATE SCHEMA IF NOT EXISTS raw;
       CREATE TABLE IF NOT EXISTS raw.row (id bigserial PRIMARY KEY, bytes bytea);
       CREATE TABLE IF NOT EXISTS raw.budget (id int PRIMARY KEY, used bigint, most bigint);
       INSERT INTO raw.budget SELECT n, 0, 9007199254740991 FROM generate_series(0, ${budgets - 1}) n
         ON CONFLICT DO NOTHING`,
    );
    return raw;
  }

  /** One row of a receipt's size in each transaction; per second. */
  insert(count: number, workers: number, note: (ms: number) => void = () => {}): Promise<number> {
    const bytes = Buffer.alloc(rowBytes);
    return this.#run({ count, workers, note }, () => [
      'INSERT INTO raw.row (bytes) VALUES ($1)',
      [bytes],
    ]);
  }

  /** A conditional update of one of `budgets` counters and one row, in one statement; per second. */
  reserve(count: number, workers: number, budgets: number): Promise<number> {
    const bytes = Buffer.alloc(rowBytes);
    return this.#run({ count, workers, note: () => {} }, (left) => [
      `WITH reserved AS (UPDATE raw.budget SET used = used + 1
         WHERE id = $1 AND used + 1 <= most RETURNING id)
       INSERT INTO raw.row (bytes) SELECT $2 FROM reserved`,
      [left % budgets, bytes],
    ]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end()));
  }

  #run(
    load: {
      readonly count: number;
      readonly workers: number;
      readonly note: (ms: number) => void;
    },
    statement: (left: number) => readonly [sql: string, values: readonly unknown[]],
  ): Promise<number> {
    const free = [...this.#clients.slice(0, load.workers)];
    return inFlight(load.count, load.workers, async (left) => {
      const client = free.pop();
      if (client === undefined) throw new Error('a worker has no connection');
      const [text, values] = statement(left);
      const start = performance.now();
      const { rowCount } = await client.query({
        name: text.slice(0, 40),
        text,
        values: [...values],
      });
      load.note(performance.now() - start);
      if (rowCount !== 1) throw new Error('nothing was written');
      free.push(client);
    });
  }
}
