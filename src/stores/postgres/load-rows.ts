// Reads all that a transaction plans on, and locks it. The order of the locks is the same in every
// process: who issues mandates, lines of mandates by id, budgets by id, the log last.

import type { KeptRecord } from '../../core/kept-record.ts';
import type {
  AgedEntries,
  ApprovalRow,
  BudgetRow,
  MandateRow,
  OperationRow,
} from '../../core/operation.ts';
import { valuesOf } from '../payload-text.ts';
import type { OnceHolder, Reservation } from '../row-tables.ts';
import { approvalColumns, approvalWidth, toApproval } from './approval-table.ts';
import { agedColumn, budgetColumns, budgetWidth, toAged, toBudget } from './budget-table.ts';
import type { Answer } from './connection.ts';
import { type LogRow, lockLog, toLogRow } from './log-state.ts';
import { mandateColumns, toMandate } from './mandate-table.ts';
import type { Needs, RepeatNeed } from './needs.ts';
import { selectOnce, toOnceHolder } from './once-table.ts';
import { operationColumns, operationWidth, toOperation } from './operation-table.ts';
import { StaleReadError } from './postgres-error.ts';
import { lockPeople, toRecord } from './record-table.ts';
import { chainKeys, findRepeated, operationKeys, repeatKeys } from './row-keys.ts';
import { type SqlRow, type Statement, Values } from './statement.ts';
import { decodeText } from './stored-text.ts';

interface LoadedOperation {
  /** `seq` of its proposal. */
  readonly n: number;
  readonly row: OperationRow;
  readonly approval: ApprovalRow | undefined;
  /** What it holds of budgets. */
  readonly reserved: readonly Reservation[];
  /** Stored fields of its decision when a person granted it. */
  readonly decision: ReturnType<typeof valuesOf> | undefined;
}

export interface Loaded {
  /** In order of issue. */
  readonly mandates: readonly MandateRow[];
  readonly budgets: readonly BudgetRow[];
  readonly aged: readonly AgedEntries[];
  /** In order of their proposals. */
  readonly operations: readonly LoadedOperation[];
  readonly once: readonly OnceHolder[];
  /** People and passkeys, when somebody's answer matters. */
  readonly records: readonly KeptRecord[];
  readonly log: LogRow;
}

type Read = (statements: readonly Statement[]) => Promise<readonly Answer[]>;

/** One flight; a second one when calls repeat earlier ones. Throws `StaleReadError` when something came in between lock and read. */
export async function loadRows(needs: Needs, clockMs: number, read: Read): Promise<Loaded> {
  const { agents = [], repeats = [], onceKeys = [], approvalIds = [] } = needs;
  const parts: readonly (Statement | undefined)[] = [
    agents.length === 0 ? undefined : lockIssue,
    lockLines(needs, clockMs),
    selectMandates(needs),
    lockBudgets(needs, clockMs),
    selectOperations(needs, clockMs),
    repeats.length === 0 ? undefined : findRepeated(repeats),
    approvalIds.length === 0 ? undefined : lockPeople,
    lockLog,
    onceKeys.length === 0 ? undefined : selectOnce(onceKeys),
  ];
  const rest = [...(await read(parts.filter((each) => each !== undefined)))];
  const [, lines, mandates, budgets, operations, repeated, people, log, once] = parts.map((each) =>
    each === undefined ? [] : (rest.shift()?.rows ?? []),
  );
  const loaded: Loaded = {
    mandates: (mandates ?? []).map(toMandate),
    budgets: (budgets ?? []).map(toBudget),
    aged: (budgets ?? []).flatMap((row) => toAged(row[0] as string, row[budgetWidth]) ?? []),
    operations: (operations ?? []).map(toLoadedOperation),
    once: (once ?? []).map(toOnceHolder),
    records: (people ?? []).map(toRecord),
    log: toLogRow(log?.[0]),
  };
  const found = (repeated ?? []).map(([place]) => repeats[Number(place) - 1] as RepeatNeed);
  const all = found.length === 0 ? loaded : await addRepeats(loaded, found, read);
  checkLocked(all, new Set((lines ?? []).map(([line]) => line as string)));
  return all;
}

/** Earlier calls are of a line that is locked already, and so are the budgets that they hold. */
async function addRepeats(
  loaded: Loaded,
  repeats: readonly RepeatNeed[],
  read: Read,
): Promise<Loaded> {
  const [operations, budgets, people] = await read([
    operationsOf((values) => repeatKeys(repeats, values)),
    budgetsHeldBy((values) => repeatKeys(repeats, values)),
    lockPeople,
  ]);
  const byId = new Map(loaded.operations.map((each) => [each.row.opId, each]));
  for (const each of (operations?.rows ?? []).map(toLoadedOperation)) byId.set(each.row.opId, each);
  const known = new Set(loaded.budgets.map(({ budgetId }) => budgetId));
  const more = (budgets?.rows ?? []).map(toBudget).filter((each) => !known.has(each.budgetId));
  return {
    ...loaded,
    operations: [...byId.values()].toSorted((a, b) => a.n - b.n),
    budgets: [...loaded.budgets, ...more],
    records: (people?.rows ?? []).map(toRecord),
  };
}

/** Nobody else issues the first mandate of an agent meanwhile. */
const lockIssue: Statement = { sql: 'SELECT 1 FROM intentplane.meta FOR UPDATE' };

/** The oldest mandate of a line stands for all that hangs on it: budgets, operations, requests. */
function lockLines(needs: Needs, clockMs: number): Statement | undefined {
  const values = new Values();
  const mandates = chainKeys(needs, values);
  // Open requests are of the same line as their mandate.
  const { mandateIds: _mandateIds, ...direct } = needs;
  const operations = operationKeys(direct, { values, clockMs });
  const parts = [
    ...(mandates === undefined
      ? []
      : [`SELECT line FROM intentplane.mandate WHERE mandate_id IN (${mandates})`]),
    ...(operations === undefined ? [] : [linesOf(operations)]),
  ];
  if (parts.length === 0) return undefined;
  const sql = `SELECT mandate_id FROM intentplane.mandate
    WHERE mandate_id IN (${parts.join(' UNION ')}) ORDER BY mandate_id FOR UPDATE`;
  return { sql, values: values.list };
}

/** What an operation holds of ancestors is moved under their locks too. */
const linesOf = (operations: string): string =>
  `SELECT unnest(array_append(
       ARRAY(SELECT json_array_elements_text(m.ancestors::json)), o.mandate_line))
   FROM intentplane.operation o LEFT JOIN intentplane.mandate m ON m.mandate_id = o.mandate_id
   WHERE o.op_id IN (${operations})`;

function selectMandates(needs: Needs): Statement | undefined {
  const values = new Values();
  const keys = chainKeys(needs, values);
  if (keys === undefined) return undefined;
  const sql = `SELECT ${mandateColumns} FROM intentplane.mandate m
    WHERE m.mandate_id IN (${keys}) ORDER BY m.n`;
  return { sql, values: values.list };
}

/** Budgets of the mandates with periods that are not over, and those that the operations hold; open requests hold none. */
function lockBudgets(needs: Needs, clockMs: number): Statement | undefined {
  const values = new Values();
  const clock = values.bind(clockMs, 'bigint');
  const parts = budgetParts(needs, { values, clock, clockMs });
  if (parts.length === 0) return undefined;
  const sql = `SELECT ${budgetColumns}, ${agedColumn(clock)} FROM intentplane.budget b
    WHERE ${parts.join(' OR ')} ORDER BY b.budget_id FOR UPDATE OF b`;
  return { sql, values: values.list };
}

function budgetParts(
  needs: Needs,
  { values, clock, clockMs }: { values: Values; clock: string; clockMs: number },
): readonly string[] {
  const mandates = chainKeys(needs, values);
  const { mandateIds: _mandateIds, ...direct } = needs;
  const operations = operationKeys(direct, { values, clockMs });
  const { budgetIds = [] } = needs;
  return [
    ...(mandates === undefined
      ? []
      : [
          `(b.ends_ms > ${clock} AND b.budget_root IN (SELECT unnest(ARRAY[budget_root, line])
            FROM intentplane.mandate WHERE mandate_id IN (${mandates})))`,
        ]),
    ...(operations === undefined ? [] : [heldBy(operations)]),
    ...(budgetIds.length === 0 ? [] : [`b.budget_id = ANY (${values.bind(budgetIds, 'text[]')})`]),
  ];
}

/** Counters of reservations that are still held, and the budgets whose periods they are. */
const heldBy = (keys: string): string =>
  `b.budget_id IN (SELECT unnest(ARRAY[budget_id, split_part(budget_id, '@', 1)])
     FROM intentplane.budget_entry WHERE state = 'reserved' AND op_id IN (${keys}))`;

function budgetsHeldBy(keys: (values: Values) => string): Statement {
  const values = new Values();
  const sql = `SELECT ${budgetColumns} FROM intentplane.budget b
    WHERE ${heldBy(keys(values))} ORDER BY b.budget_id FOR UPDATE`;
  return { sql, values: values.list };
}

function selectOperations(needs: Needs, clockMs: number): Statement | undefined {
  const isAny = operationKeys(needs, { values: new Values(), clockMs }) !== undefined;
  if (!isAny) return undefined;
  return operationsOf((values) => operationKeys(needs, { values, clockMs }) ?? '');
}

function operationsOf(keys: (values: Values) => string): Statement {
  const values = new Values();
  const sql = `SELECT ${operationColumns}, ${approvalColumns}, o.n,
      (SELECT json_agg(json_build_array(e.budget_id, e.amount) ORDER BY e.budget_id)
        FROM intentplane.budget_entry e WHERE e.op_id = o.op_id AND e.state = 'reserved'),
      CASE WHEN a.state = 'GRANTED' THEN (SELECT p.fields FROM intentplane.leaf l
        JOIN intentplane.payload p ON p.seq = l.seq
        WHERE l.op_id = o.op_id AND l.type = 'decision' ORDER BY l.seq LIMIT 1) END
    FROM intentplane.operation o LEFT JOIN intentplane.approval a ON a.op_id = o.op_id
    WHERE o.op_id IN (${keys(values)}) ORDER BY o.n`;
  return { sql, values: values.list };
}

const belongingsAt = operationWidth + approvalWidth;

function toLoadedOperation(row: SqlRow): LoadedOperation {
  const [n, held, decision] = row.slice(belongingsAt) as readonly unknown[];
  return {
    n: n as number,
    row: toOperation(row),
    approval: toApproval(row, operationWidth),
    reserved: ((held ?? []) as readonly (readonly [string, number])[]).map(
      ([budgetId, amount]) => ({ budgetId: decodeText(budgetId), amount, agesMs: undefined }),
    ),
    decision: typeof decision === 'string' ? valuesOf(decision) : undefined,
  };
}

function checkLocked({ mandates, operations }: Loaded, locked: ReadonlySet<string>): void {
  const lines = [
    ...mandates.flatMap(({ line, ancestors }) => [line, ...ancestors]),
    ...operations.map(({ row }) => row.mandateLine),
  ];
  if (lines.some((line) => !locked.has(line))) throw new StaleReadError();
}
