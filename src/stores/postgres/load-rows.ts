// Reads all that a transaction plans on, and locks it. The order of the locks is the same in every
// process: who issues mandates, lines of mandates by id, budgets by id, the log last.

import type { ApprovalRow, BudgetRow, MandateRow, OperationRow } from '../../core/operation.ts';
import { valuesOf } from '../payload-text.ts';
import { approvalColumns, approvalWidth, toApproval } from './approval-table.ts';
import { budgetColumns, toBudget } from './budget-table.ts';
import type { Answer } from './connection.ts';
import { type LogRow, lockLog, toLogRow } from './log-state.ts';
import { mandateColumns, toMandate } from './mandate-table.ts';
import type { Needs } from './needs.ts';
import { operationColumns, operationWidth, toOperation } from './operation-table.ts';
import { StaleReadError } from './postgres-error.ts';
import { mandateKeys, operationKeys } from './row-keys.ts';
import { type Statement, Values } from './statement.ts';

interface LoadedOperation {
  readonly row: OperationRow;
  readonly approval: ApprovalRow | undefined;
  /** Stored fields of its decision when a person granted it. */
  readonly decision: ReturnType<typeof valuesOf> | undefined;
}

export interface Loaded {
  /** In order of issue. */
  readonly mandates: readonly MandateRow[];
  readonly budgets: readonly BudgetRow[];
  /** In order of their proposals. */
  readonly operations: readonly LoadedOperation[];
  readonly reserved: readonly { opId: string; budgetId: string; amount: number }[];
  readonly log: LogRow;
}

/** The statements of one flight, and how their answers are read. */
export interface Loading {
  readonly statements: readonly Statement[];
  /** Throws `StaleReadError` when something came in between lock and read. */
  readonly read: (answers: readonly Answer[]) => Loaded;
}

export function loadRows(needs: Needs, clockMs: number): Loading {
  const parts: readonly (Statement | undefined)[] = [
    needs.agents === undefined || needs.agents.length === 0 ? undefined : lockIssue,
    lockLines(needs, clockMs),
    selectMandates(needs),
    lockBudgets(needs, clockMs),
    selectOperations(needs, clockMs),
    selectReserved(needs, clockMs),
    lockLog,
  ];
  const statements = parts.filter((each) => each !== undefined);
  const read = (answers: readonly Answer[]): Loaded => {
    const rest = [...answers];
    const [, lines, mandates, budgets, operations, reserved, log] = parts.map((each) =>
      each === undefined ? [] : (rest.shift()?.rows ?? []),
    );
    const loaded: Loaded = {
      mandates: (mandates ?? []).map(toMandate),
      budgets: (budgets ?? []).map(toBudget),
      operations: (operations ?? []).map((row) => ({
        row: toOperation(row),
        approval: toApproval(row, operationWidth),
        decision: decisionOf(row[operationWidth + approvalWidth]),
      })),
      reserved: (reserved ?? []).map(([opId, budgetId, amount]) => ({
        opId: opId as string,
        budgetId: budgetId as string,
        amount: amount as number,
      })),
      log: toLogRow(log?.[0]),
    };
    checkLocked(loaded, new Set((lines ?? []).map(([line]) => line as string)));
    return loaded;
  };
  return { statements, read };
}

/** Nobody else issues the first mandate of an agent meanwhile. */
const lockIssue: Statement = { sql: 'SELECT 1 FROM intentplane.meta FOR UPDATE' };

/** The oldest mandate of a line stands for all that hangs on it: budgets, operations, requests. */
function lockLines(needs: Needs, clockMs: number): Statement | undefined {
  const values = new Values();
  const mandates = mandateKeys(needs, values);
  // Repeats and open requests are of the same line as their mandate.
  const { repeats: _repeats, mandateIds: _mandateIds, ...direct } = needs;
  const operations = operationKeys(direct, { values, clockMs });
  const parts = [
    ...(mandates === undefined
      ? []
      : [`SELECT line FROM intentplane.mandate WHERE mandate_id IN (${mandates})`]),
    ...(operations === undefined
      ? []
      : [`SELECT mandate_line FROM intentplane.operation WHERE op_id IN (${operations})`]),
  ];
  if (parts.length === 0) return undefined;
  const sql = `SELECT mandate_id FROM intentplane.mandate
    WHERE mandate_id IN (${parts.join(' UNION ')}) ORDER BY mandate_id FOR UPDATE`;
  return { sql, values: values.list };
}

function selectMandates(needs: Needs): Statement | undefined {
  const values = new Values();
  const keys = mandateKeys(needs, values);
  if (keys === undefined) return undefined;
  const sql = `SELECT ${mandateColumns} FROM intentplane.mandate m
    WHERE m.mandate_id IN (${keys}) ORDER BY m.n`;
  return { sql, values: values.list };
}

/** Budgets of the mandates, and those that the operations hold. */
function lockBudgets(needs: Needs, clockMs: number): Statement | undefined {
  const values = new Values();
  const mandates = mandateKeys(needs, values);
  const operations = operationKeys(needs, { values, clockMs });
  const parts = [
    ...(mandates === undefined
      ? []
      : [
          `b.budget_root IN (SELECT budget_root FROM intentplane.mandate WHERE mandate_id IN (${mandates}))`,
        ]),
    ...(operations === undefined
      ? []
      : [
          `b.budget_id IN (SELECT budget_id FROM intentplane.budget_entry
             WHERE state = 'reserved' AND op_id IN (${operations}))`,
        ]),
  ];
  if (parts.length === 0) return undefined;
  const sql = `SELECT ${budgetColumns} FROM intentplane.budget b
    WHERE ${parts.join(' OR ')} ORDER BY b.budget_id FOR UPDATE`;
  return { sql, values: values.list };
}

function selectOperations(needs: Needs, clockMs: number): Statement | undefined {
  const values = new Values();
  const keys = operationKeys(needs, { values, clockMs });
  if (keys === undefined) return undefined;
  const sql = `SELECT ${operationColumns}, ${approvalColumns}, d.fields
    FROM intentplane.operation o LEFT JOIN intentplane.approval a ON a.op_id = o.op_id
    LEFT JOIN LATERAL (SELECT p.fields FROM intentplane.leaf l
      JOIN intentplane.payload p ON p.seq = l.seq WHERE l.op_id = o.op_id AND l.type = 'decision'
      ORDER BY l.seq LIMIT 1) d ON a.state = 'GRANTED'
    WHERE o.op_id IN (${keys}) ORDER BY o.n`;
  return { sql, values: values.list };
}

function selectReserved(needs: Needs, clockMs: number): Statement | undefined {
  const values = new Values();
  const keys = operationKeys(needs, { values, clockMs });
  if (keys === undefined) return undefined;
  const sql = `SELECT op_id, budget_id, amount FROM intentplane.budget_entry
    WHERE state = 'reserved' AND op_id IN (${keys}) ORDER BY op_id, budget_id`;
  return { sql, values: values.list };
}

function decisionOf(fields: unknown): LoadedOperation['decision'] {
  return typeof fields === 'string' ? valuesOf(fields) : undefined;
}

function checkLocked({ mandates, operations }: Loaded, locked: ReadonlySet<string>): void {
  const lines = [
    ...mandates.map(({ line }) => line),
    ...operations.map(({ row }) => row.mandateLine),
  ];
  if (lines.some((line) => !locked.has(line))) throw new StaleReadError();
}
