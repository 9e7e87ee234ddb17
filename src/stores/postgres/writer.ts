// The one connection that a process writes through, opened again whenever it was lost.

import { Connection } from './connection.ts';
import { mergeNeeds, type Needs } from './needs.ts';
import type { PlannedRows } from './planned-rows.ts';
import { UncertainCommitError } from './postgres-error.ts';
import { checkSchema, checkServer } from './server-check.ts';
import { Transaction, type WriterContext, wasCommitted } from './transaction.ts';

/** A write that is planned on rows, together with others, or one with a transaction of its own. */
export type Work =
  | { readonly kind: 'rows'; readonly needs: Needs; readonly plan: (rows: PlannedRows) => unknown }
  | { readonly kind: 'own'; readonly run: (transaction: Transaction) => Promise<unknown> };

/** How a write ended when its transaction is committed. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

/** The database as the queue uses it. */
export interface WriteEngine {
  /** All in one transaction. Throws when it was undone; `UncertainCommitError` when nobody knows. */
  transact(works: readonly Work[], report: (outcomes: readonly Outcome[]) => void): Promise<void>;
  wasCommitted(batchId: string): Promise<boolean>;
}

export class Writer implements WriteEngine {
  readonly #url: string;
  readonly #context: WriterContext;
  #connection: Connection | undefined;

  constructor(url: string, context: WriterContext) {
    this.#url = url;
    this.#context = context;
  }

  /** `report` is called before the commit: after a lost one the outcomes may still hold. */
  async transact(
    works: readonly Work[],
    report: (outcomes: readonly Outcome[]) => void,
  ): Promise<void> {
    const transaction = new Transaction(await this.#connect(), this.#context);
    try {
      report(await run(transaction, works));
      await transaction.commit();
    } catch (error) {
      if (!(error instanceof UncertainCommitError)) await transaction.rollback();
      throw error;
    }
  }

  async wasCommitted(batchId: string): Promise<boolean> {
    return wasCommitted(await this.#connect(), batchId);
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  async #connect(): Promise<Connection> {
    if (this.#connection !== undefined && !this.#connection.isLost) return this.#connection;
    await this.#connection?.close();
    const connection = await Connection.open(this.#url);
    try {
      checkSchema(await checkServer(connection));
    } catch (error) {
      await connection.close();
      throw error;
    }
    this.#connection = connection;
    return connection;
  }
}

async function run(transaction: Transaction, works: readonly Work[]): Promise<readonly Outcome[]> {
  const [first] = works;
  if (first?.kind === 'own') return [{ ok: true, value: await first.run(transaction) }];
  const planned = works.filter((work) => work.kind === 'rows');
  const needs = mergeNeeds(planned.map((work) => work.needs));
  return transaction.plan(needs, (fresh) => planAll(planned, fresh));
}

type RowsWork = Extract<Work, { kind: 'rows' }>;

/** In order, each on what the ones before it left. A failing one leaves nothing. */
function planAll(
  works: readonly RowsWork[],
  fresh: () => PlannedRows,
): { readonly rows: PlannedRows; readonly value: readonly Outcome[] } {
  const failures = new Map<RowsWork, Outcome>();
  for (;;) {
    const rows = fresh();
    const outcomes = new Map<RowsWork, Outcome>(failures);
    const isClean = works.every((work) => {
      if (failures.has(work)) return true;
      const before = rows.changes;
      const outcome = attempt(work, rows);
      outcomes.set(work, outcome);
      if (outcome.ok) return true;
      failures.set(work, outcome);
      // Half a plan is in the rows: all others are planned again without it.
      return rows.changes === before;
    });
    if (isClean) return { rows, value: works.map((work) => outcomes.get(work) as Outcome) };
  }
}

function attempt(work: RowsWork, rows: PlannedRows): Outcome {
  try {
    return { ok: true, value: work.plan(rows) };
  } catch (error) {
    return { ok: false, error };
  }
}
