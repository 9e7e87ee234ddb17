// What is read outside of transactions, as statements and the way to read their answers.
import { type CanonicalValue, canonicalJson } from '../../core/canonical-json.ts';
import type { AgedEntries, BudgetRow, MandateRow, OperationRow } from '../../core/operation.ts';
import { decodePayload, valuesOf } from '../payload-text.ts';
import type {
  BudgetSum,
  CosignedCheckpoint,
  SignedCheckpoint,
  StoredApproval,
  StoredDefinition,
  StoredLeaf,
  StoredOperation,
  TimestampedCheckpoint,
} from '../store.ts';
import { approvalColumns, approvalWidth, isOpenState, toApproval } from './approval-table.ts';
import { agedColumn, budgetColumns, budgetWidth, toAged, toBudget } from './budget-table.ts';
import { mandateColumns, toMandate } from './mandate-table.ts';
import { operationColumns, operationWidth, toOperation } from './operation-table.ts';
import type { SqlRow, Statement } from './statement.ts';

/** A statement and how one row of its answer is read. */
export interface Read<T> extends Statement {
  readonly toRow: (row: SqlRow) => T;
}

const fieldsOf = (type: string): string =>
  `(SELECT p.fields FROM intentplane.leaf l LEFT JOIN intentplane.payload p ON p.seq = l.seq
    WHERE l.op_id = o.op_id AND l.type = '${type}' ORDER BY l.seq DESC LIMIT 1)`;

const storedColumns = `${operationColumns}, ${approvalColumns}, ${fieldsOf('decision')},
  CASE WHEN o.outcome IS NOT NULL THEN ${fieldsOf('outcome')} END`;
const storedTables =
  'intentplane.operation o LEFT JOIN intentplane.approval a ON a.op_id = o.op_id';

export function operationsById(opIds: readonly string[]): Read<StoredOperation> {
  return {
    sql: `SELECT ${storedColumns} FROM ${storedTables} WHERE o.op_id = ANY ($1::text[])`,
    values: [opIds],
    toRow: toStoredOperation,
  };
}

export function approvalById(approvalId: string): Read<StoredApproval> {
  return {
    sql: `SELECT ${storedColumns}, ${fieldsOf('approval.request')} FROM ${storedTables}
      WHERE a.approval_id = $1`,
    values: [approvalId],
    toRow: (row) => {
      const operation = toStoredOperation(row);
      const { view } = valuesIn(row[fieldsAt + 2]);
      return {
        // INVARIANT: the row was found by its request.
        approval: operation.approval as NonNullable<StoredOperation['approval']>,
        operation,
        view: view === undefined ? '' : canonicalJson(view),
      };
    },
  };
}

const fieldsAt = operationWidth + approvalWidth;

function toStoredOperation(row: SqlRow): StoredOperation {
  const decision = valuesIn(row[fieldsAt]);
  const outcome = valuesIn(row[fieldsAt + 1]);
  return {
    row: toOperation(row),
    approval: toApproval(row, operationWidth),
    preimage: textOf(decision['preimage']) ?? '',
    call: textOf(decision['call']) ?? '',
    result: textOf(outcome['result']),
  };
}

/** Empty when it was erased. */
function valuesIn(fields: unknown): Readonly<Record<string, CanonicalValue>> {
  return typeof fields === 'string' ? valuesOf(fields) : {};
}

function textOf(value: CanonicalValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function mandateById(mandateId: string): Read<MandateRow> {
  return {
    sql: `SELECT ${mandateColumns} FROM intentplane.mandate m WHERE m.mandate_id = $1`,
    values: [mandateId],
    toRow: toMandate,
  };
}

export function newestMandate(principal: string, agent: string): Read<MandateRow> {
  return {
    sql: `SELECT ${mandateColumns} FROM intentplane.mandate m
      WHERE m.principal = $1 AND m.agent = $2 ORDER BY m.n DESC LIMIT 1`,
    values: [principal, agent],
    toRow: toMandate,
  };
}

/** A counter with what has aged of it. */
interface ReadBudget {
  readonly budget: BudgetRow;
  readonly aged: AgedEntries | undefined;
}

/** Counters of one mandate, or of all, but for periods that are over. */
export function budgetsNow(nowMs: number, mandate?: MandateRow): Read<ReadBudget> {
  const roots = mandate === undefined ? [] : [[mandate.budgetRoot, mandate.line]];
  const ofRoots = mandate === undefined ? '' : 'AND b.budget_root = ANY ($2::text[])';
  return {
    sql: `SELECT ${budgetColumns}, ${agedColumn('$1::bigint')} FROM intentplane.budget b
      WHERE b.ends_ms > $1::bigint ${ofRoots} ORDER BY b.budget_id`,
    values: [nowMs, ...roots],
    toRow: (row) => ({
      budget: toBudget(row),
      aged: toAged(row[0] as string, row[budgetWidth]),
    }),
  };
}

/** What budgets as they count now are found in. */
export function budgetRows(
  read: readonly ReadBudget[],
  nowMs: number,
): {
  readonly nowMs: number;
  readonly budgets: readonly BudgetRow[];
  readonly aged: readonly AgedEntries[];
} {
  const budgets = read.map(({ budget }) => budget);
  return { nowMs, budgets, aged: read.flatMap(({ aged }) => aged ?? []) };
}

/** Requests of one mandate that somebody could still answer or use. */
export function openApprovals(
  mandateId: string,
  nowMs: number,
): Read<ReturnType<typeof toApproval>> {
  return {
    sql: `SELECT ${approvalColumns} FROM intentplane.approval a
      WHERE a.mandate_id = $1 AND ${isOpenState} AND a.expires_ms > $2
      ORDER BY a.created_ms, a.approval_id`,
    values: [mandateId, nowMs],
    toRow: (row) => toApproval(row, 0),
  };
}

export function hasDueApprovals(nowMs: number): Read<boolean> {
  return {
    sql: `SELECT EXISTS (SELECT 1 FROM intentplane.approval
      WHERE ${isOpenState} AND expires_ms <= $1)`,
    values: [nowMs],
    toRow: ([isDue]) => isDue === true,
  };
}

const selectLeaves = `SELECT l.seq, l.op_id, l.type, l.bytes, p.fields, l.hash
  FROM intentplane.leaf l LEFT JOIN intentplane.payload p ON p.seq = l.seq`;

export function leavesOf(opId: string): Read<StoredLeaf> {
  return {
    sql: `${selectLeaves} WHERE l.op_id = $1 ORDER BY l.seq`,
    values: [opId],
    toRow: toLeaf,
  };
}

export function leavesFrom(from: number, count: number): Read<StoredLeaf> {
  return {
    sql: `${selectLeaves} WHERE l.seq >= $1 ORDER BY l.seq LIMIT $2`,
    values: [from, count],
    toRow: toLeaf,
  };
}

/** In the words of the partial index. */
export const leavesAboutLog: Read<StoredLeaf> = {
  sql: `${selectLeaves}
    WHERE l.type = 'log.start' OR l.type = 'key.rotate' OR l.type = 'key.distrust' ORDER BY l.seq`,
  toRow: toLeaf,
};

function toLeaf([seq, opId, type, bytes, fields, hash]: SqlRow): StoredLeaf {
  return {
    seq: seq as number,
    opId: (opId as string | null) ?? undefined,
    type: type as string,
    bytes: Uint8Array.from(bytes as Uint8Array),
    hash: Uint8Array.from(hash as Uint8Array),
    payload: typeof fields === 'string' ? decodePayload(fields) : {},
  };
}

/** Operations whose outcome nobody knows, oldest first. */
export const unknownOperations: Read<OperationRow> = {
  sql: `SELECT ${operationColumns} FROM intentplane.operation o WHERE o.state = 'UNKNOWN' ORDER BY o.n`,
  toRow: toOperation,
};

/** Operations after a number, in order. */
export function operationsAfter(
  after: number,
  count: number,
): Read<{ readonly n: number; readonly row: OperationRow }> {
  return {
    sql: `SELECT ${operationColumns}, o.n FROM intentplane.operation o
      WHERE o.n > $1 ORDER BY o.n LIMIT $2`,
    values: [after, count],
    toRow: (row) => ({ n: row[operationWidth] as number, row: toOperation(row) }),
  };
}

/** Counters beside the sums of their entries. */
export const budgetSums: Read<BudgetSum> = {
  sql: `SELECT ${budgetColumns},
      coalesce((SELECT sum(e.amount) FROM intentplane.budget_entry e
        WHERE e.budget_id = b.budget_id AND e.state = 'reserved'), 0)::bigint,
      coalesce((SELECT sum(e.amount) FROM intentplane.budget_entry e
        WHERE e.budget_id = b.budget_id AND e.state IN ('settled', 'overrun')), 0)::bigint
    FROM intentplane.budget b ORDER BY b.budget_id`,
  toRow: (row) => ({
    budget: toBudget(row),
    reserved: row[budgetWidth] as number,
    spent: row[budgetWidth + 1] as number,
  }),
};

/** Everything of this size and above that was signed, smallest first. */
export const signedCheckpoints = (from: number): Read<SignedCheckpoint> => ({
  sql: `SELECT size, root, note FROM intentplane.checkpoint
    WHERE note IS NOT NULL AND size >= $1 ORDER BY size`,
  values: [from],
  toRow: toSigned,
});

export const lastCheckpoint: Read<SignedCheckpoint> = {
  sql: `SELECT size, root, note FROM intentplane.checkpoint
    WHERE note IS NOT NULL ORDER BY size DESC LIMIT 1`,
  toRow: toSigned,
};

function toSigned([size, root, note]: SqlRow): SignedCheckpoint {
  return {
    size: size as number,
    root: Uint8Array.from(root as Uint8Array),
    note: note as string,
  };
}

export const lastCosigned: Read<CosignedCheckpoint> = {
  sql: `SELECT size, root, note, cosigned_ms FROM intentplane.checkpoint
    WHERE cosigned_ms IS NOT NULL ORDER BY size DESC LIMIT 1`,
  toRow: ([size, root, note, cosignedMs]) => ({
    size: size as number,
    root: Uint8Array.from(root as Uint8Array),
    note: note as string,
    cosignedMs: cosignedMs as number,
  }),
};

export const lastTimestamped: Read<TimestampedCheckpoint> = {
  sql: `SELECT size, root, note, timestamp_token, timestamped_ms FROM intentplane.checkpoint
    WHERE timestamped_ms IS NOT NULL ORDER BY size DESC LIMIT 1`,
  toRow: ([size, root, note, token, timestampedMs]) => ({
    ...toSigned([size, root, note] as unknown as SqlRow),
    token: Uint8Array.from(token as Uint8Array),
    timestampedMs: timestampedMs as number,
  }),
};

export const allDefinitions: Read<StoredDefinition> = {
  sql: `SELECT server, tool, identity, digest, definition, instructions, recorded_ms
    FROM intentplane.definition ORDER BY server, tool`,
  toRow: (row) => ({
    server: row[0] as string,
    tool: row[1] as string,
    identity: row[2] as string,
    digest: row[3] as string,
    definition: row[4] as string,
    instructions: (row[5] as string | null) ?? undefined,
    recordedMs: row[6] as number,
  }),
};
