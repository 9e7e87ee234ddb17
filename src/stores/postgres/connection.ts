// One connection to the server. Statements of a flight are sent together and answered in order, so
// a transaction costs as many round trips as it has flights. Nothing here outlives a transaction
// on the server: behind PgBouncer each one may run in another session.
import { Client, type ClientConfig, types } from 'pg';
import { StoreError } from '../store.ts';
import { isLostState, LostConnectionError, sqlState } from './postgres-error.ts';
import { encodeValue, type SqlRow, type Statement } from './statement.ts';
import { decodeText } from './stored-text.ts';

/** How long a server may take to accept a connection: 3 s. */
const connectMaxMs = 3_000;
/** An answer that takes longer never comes: the server's own limit is 5 s. */
const answerMaxMs = 10_000;
/** How long a goodbye may take: 1 s. */
const goodbyeMaxMs = 1_000;

export interface Answer {
  readonly rows: readonly SqlRow[];
  /** Rows that changed, or that were read. */
  readonly count: number;
  /** First word of what the server did. */
  readonly command: string;
}

/** Settings of every connection to this server. */
export function connectionSettings(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'intentplane',
    connectionTimeoutMillis: connectMaxMs,
    query_timeout: answerMaxMs,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/** Numbers of 64 bits stay exact, or the read fails. */
function getTypeParser(oid: number, format?: unknown): (text: string) => unknown {
  if (oid === types.builtins.INT8) return toSafeInteger;
  if (oid === types.builtins.TEXT) return decodeText;
  return types.getTypeParser(oid, format as 'text') as (text: string) => unknown;
}

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new StoreError('STORE_FAILED', 'a stored number is too large', { fatal: true });
}

export class Connection {
  readonly #client: Client;
  #isLost = false;
  #closing: Promise<void> | undefined;

  private constructor(client: Client) {
    this.#client = client;
    // What is under way is told by its own answer.
    client.on('error', () => this.#lose());
    client.on('end', () => this.#lose());
  }

  /** Throws `LostConnectionError`, or what the server answered. */
  static async open(url: string): Promise<Connection> {
    const client = new Client({ ...connectionSettings(url), pipeline: true });
    const connection = new Connection(client);
    try {
      await client.connect();
    } catch (error) {
      await connection.close();
      throw asConnectionError(error);
    }
    return connection;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  #lose(): void {
    this.#isLost = true;
  }

  /** Sends all at once; throws the first error after the last answer. */
  async flight(statements: readonly Statement[]): Promise<readonly Answer[]> {
    const values = statements.map((each) => each.values?.map(encodeValue));
    const settled = await Promise.allSettled(
      statements.map((each, i) => this.#send(each, values[i])),
    );
    return settled.map((each, i) => {
      if (each.status === 'rejected') throw each.reason;
      const { expect } = statements[i] as Statement;
      if (expect === undefined || each.value.count === expect) return each.value;
      throw new StoreError('STORE_CONFLICT', 'a row is not what the transaction was planned on');
    });
  }

  async query(statement: Statement): Promise<Answer> {
    const [answer] = await this.flight([statement]);
    return answer as Answer;
  }

  async #send({ sql }: Statement, values: unknown[] | undefined): Promise<Answer> {
    try {
      const result = await this.#client.query({
        text: sql,
        rowMode: 'array',
        ...(values === undefined ? {} : { values }),
      });
      return toAnswer(result);
    } catch (error) {
      const mapped = asConnectionError(error);
      if (mapped instanceof LostConnectionError) this.#lose();
      throw mapped;
    }
  }

  /** Never waits for a server that does not answer; safe to call twice. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#lose();
    const goodbye = this.#client.end().catch(() => {});
    await Promise.race([
      goodbye,
      new Promise((resolve) => setTimeout(resolve, goodbyeMaxMs).unref()),
    ]);
    // The types do not know it: a socket that hangs must not keep the process.
    (this.#client as unknown as { unref(): void }).unref();
  }
}

/** The answer of the driver; several statements in one text have several. */
export function toAnswer(result: unknown): Answer {
  const last = (Array.isArray(result) ? result.at(-1) : result) as {
    readonly rows: readonly SqlRow[];
    readonly rowCount: number | null;
    readonly command: string;
  };
  return { rows: last.rows, count: last.rowCount ?? 0, command: last.command };
}

/** What the server did not say itself comes from the way to it. */
export function asConnectionError(error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const state = sqlState(error);
  return state === undefined || isLostState(state) ? new LostConnectionError(error) : error;
}
