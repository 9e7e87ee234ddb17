// Reads outside of transactions, each one statement on any of a few connections. A read that meets
// a lost connection comes again: the server may be restarting.
import { Pool } from 'pg';
import { type Answer, asConnectionError, connectionSettings, toAnswer } from './connection.ts';
import { LostConnectionError, toStoreError } from './postgres-error.ts';
import { encodeValue, type Statement } from './statement.ts';

const connectionsMax = 4;
/** How long a read waits for a server that is away: 5 s. */
const waitMaxMs = 5_000;

export class Reader {
  readonly #pool: Pool;

  constructor(url: string) {
    this.#pool = new Pool({
      ...connectionSettings(url),
      max: connectionsMax,
      allowExitOnIdle: true,
    });
    // An idle connection that ends is replaced at the next read.
    this.#pool.on('error', () => {});
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
    try {
      return toAnswer(await this.#pool.query({ text: sql, values: bound, rowMode: 'array' }));
    } catch (error) {
      throw asConnectionError(error);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
