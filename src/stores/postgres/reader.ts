// Reads outside of transactions, each one statement on any of a few connections. A read that meets
// a lost connection comes again: the server may be restarting.
import { Pool } from 'pg';
import { type Answer, asConnectionError, connectionSettings, toAnswer } from './connection.ts';
import { LostConnectionError, toStoreError } from './postgres-error.ts';
import { encodeValue, type Statement } from './statement.ts';

const connectionsMax = 4;
/** How long a read waits for a server that is away: 5 s. */
const waitMaxMs = 5_000;
// A transaction for the one setting: a plan is never compiled, which takes longer than any read of ours.
const begin = 'BEGIN READ ONLY; SET LOCAL jit = off';

const ignore = (): void => {};

export class Reader {
  readonly #pool: Pool;

  constructor(url: string) {
    this.#pool = new Pool({
      ...connectionSettings(url),
      pipeline: true,
      max: connectionsMax,
      allowExitOnIdle: true,
    });
    // An idle connection that ends is replaced at the next read; what a busy one loses is told by its answers.
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => client.on('error', ignore));
  }

  async read(statement: Statement): Promise<Answer> {
    const untilMs = performance.now() + waitMaxMs;
    for (;;) {
      try {
        return await this.#readOnce(statement);
      } catch (error) {
        const isLost = error instanceof LostConnectionError;
        if (!isLost || performance.now() > untilMs) throw toStoreError(error);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #readOnce({ sql, values = [] }: Statement): Promise<Answer> {
    const bound = values.map(encodeValue);
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw asConnectionError(error);
    });
    const [, answer, end] = await Promise.allSettled([
      client.query(begin),
      client.query({ text: sql, values: bound, rowMode: 'array' }),
      client.query('COMMIT'),
    ]);
    // After a failed read the server takes the commit for a rollback; without its answer the connection is lost.
    client.release(end.status === 'rejected');
    if (answer.status === 'rejected') throw asConnectionError(answer.reason);
    return toAnswer(answer.value);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
