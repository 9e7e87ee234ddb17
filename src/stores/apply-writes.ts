// Applies the writes of one transaction to rows in memory: everything is checked and sealed before
// the first row changes, so a write that throws leaves no trace.

import { findIllegalMove } from '../core/moves/legal-writes.ts';
import { isOpen } from '../core/moves/plan-answer.ts';
import type { Writes } from '../core/moves/writes.ts';
import type { ApprovalRow, MandateRow, OperationRow } from '../core/operation.ts';
import { changedLedger } from './changed-ledger.ts';
import {
  type Repeats,
  type Reservation,
  type RowLog,
  type RowTables,
  repeatKey,
} from './row-tables.ts';
import { conflict, StoreError } from './store.ts';
import { sealingError } from './store-faults.ts';
import { countDenial } from './table-history.ts';

export function applyWrites(tables: RowTables, writes: Writes, log: RowLog): void {
  const illegal = findIllegalMove(writes);
  if (illegal !== undefined) throw new StoreError('ILLEGAL_MOVE', `no such move: ${illegal}`);
  checkOperations(tables, writes);
  checkApprovals(tables, writes);
  const mandates = changedMandates(tables, writes);
  const ledger = changedLedger(tables, writes);
  checkOnceKeys(tables, writes);
  append(log, writes);
  for (const row of mandates) tables.mandates.set(row.mandateId, row);
  for (const [id, row] of ledger.budgets) tables.budgets.set(id, row);
  for (const [opId, held] of ledger.reserved) setReserved(tables, opId, held);
  for (const [id, entries] of ledger.spent) tables.spent.set(id, entries);
  for (const row of writes.insertOperations) insertOperation(tables, row);
  for (const row of writes.insertHistory) tables.history.set(row.opId, row);
  for (const { to } of writes.moveOperations) putOperation(tables, to);
  for (const { once, opId } of writes.takeOnce) {
    tables.once.set(once, { once, opId, state: 'DISPATCHING' });
  }
  for (const denial of writes.countDenials) countDenial(tables, denial);
  for (const draft of writes.insertDrafts) tables.drafts.set(draft.draftId, draft);
  for (const opId of writes.tellOperations) tellOperation(tables, opId);
  for (const row of writes.insertApprovals) putApproval(tables, row);
  for (const { to } of writes.moveApprovals) putApproval(tables, to);
  for (const id of writes.tellApprovals) tellApproval(tables, id);
}

function checkOperations({ operations }: RowTables, writes: Writes): void {
  for (const { opId } of writes.insertOperations) {
    if (operations.has(opId)) throw conflict(`operation ${opId}`);
  }
  for (const { from, attempt, to } of writes.moveOperations) {
    const row = operations.get(to.opId);
    if (row?.state !== from || row.attempt !== attempt) throw conflict(`operation ${to.opId}`);
  }
  for (const opId of writes.tellOperations) {
    if (!operations.has(opId)) throw conflict(`operation ${opId}`);
  }
}

function checkOnceKeys({ once: holders }: RowTables, { takeOnce }: Writes): void {
  for (const { once, from } of takeOnce) {
    if (holders.get(once)?.opId !== from) throw conflict('a once key');
  }
}

function checkApprovals({ approvals, approvalIdOf }: RowTables, writes: Writes): void {
  for (const { approvalId, opId } of writes.insertApprovals) {
    if (approvals.has(approvalId) || approvalIdOf.has(opId))
      throw conflict(`request ${approvalId}`);
  }
  for (const { from, votes, to } of writes.moveApprovals) {
    const row = approvals.get(to.approvalId);
    const isRead = row?.state === from && row.votes.length === votes;
    if (!isRead) throw conflict(`request ${to.approvalId}`);
  }
  for (const id of writes.tellApprovals) {
    if (!approvals.has(id)) throw conflict(`request ${id}`);
  }
}

function changedMandates({ mandates }: RowTables, writes: Writes): readonly MandateRow[] {
  for (const { mandateId } of writes.insertMandates) {
    if (mandates.has(mandateId)) throw conflict(`mandate ${mandateId}`);
  }
  for (const { mandateId } of writes.updateMandates) {
    const status = mandates.get(mandateId)?.status;
    if (status !== 'active' && status !== 'suspended') throw conflict(`mandate ${mandateId}`);
  }
  return [...writes.insertMandates, ...writes.updateMandates];
}

function append(log: RowLog, { leaves }: Writes): void {
  try {
    log.append(leaves);
  } catch (error) {
    throw sealingError(error);
  }
}

function setReserved(tables: RowTables, opId: string, held: readonly Reservation[]): void {
  if (held.length === 0) tables.reserved.delete(opId);
  else tables.reserved.set(opId, held);
}

function insertOperation(tables: RowTables, row: OperationRow): void {
  tables.operations.set(row.opId, row);
  addToRepeats(tables, row);
}

/** Sorts an operation into those of its fingerprint; the newest one comes last. */
export function addToRepeats(tables: RowTables, row: OperationRow): void {
  if (row.fingerprint === '') return;
  const key = repeatKey(row.fingerprint, row.mandateLine);
  const known = tables.repeats.get(key);
  if (known !== undefined) known.newest = row.opId;
  else tables.repeats.set(key, firstOf(row.opId));
  sortIntoRepeats(tables, row, undefined);
}

const firstOf = (opId: string): Repeats => ({
  newest: opId,
  success: undefined,
  unresolved: new Set(),
  untold: new Set(),
});

function putOperation(tables: RowTables, row: OperationRow): void {
  const before = tables.operations.get(row.opId);
  tables.operations.set(row.opId, row);
  sortIntoRepeats(tables, row, before?.state);
}

function sortIntoRepeats(
  tables: RowTables,
  row: OperationRow,
  before: OperationRow['state'] | undefined,
): void {
  const repeats = tables.repeats.get(repeatKey(row.fingerprint, row.mandateLine));
  if (repeats === undefined) return;
  const { opId, state, told } = row;
  keep(repeats.unresolved, opId, state === 'DISPATCHING' || state === 'UNKNOWN');
  keep(repeats.untold, opId, state === 'SUCCEEDED' && !told);
  // An older success that is told now is not the newest one.
  if (state === 'SUCCEEDED' && before !== 'SUCCEEDED') repeats.success = opId;
}

function keep(set: Set<string>, opId: string, isIn: boolean): void {
  if (isIn) set.add(opId);
  else set.delete(opId);
}

/** Marks an operation as told, whatever its state. */
export function tellOperation(tables: RowTables, opId: string): void {
  const row = tables.operations.get(opId);
  if (row !== undefined) putOperation(tables, { ...row, told: true });
}

/** Sets a request and everything that finds it. */
export function putApproval(tables: RowTables, row: ApprovalRow): void {
  tables.approvals.set(row.approvalId, row);
  tables.approvalIdOf.set(row.opId, row.approvalId);
  keep(tables.openApprovals, row.approvalId, isOpen(row));
}

/** Marks the end of a request as told. */
export function tellApproval(tables: RowTables, approvalId: string): void {
  const row = tables.approvals.get(approvalId);
  if (row !== undefined) tables.approvals.set(approvalId, { ...row, told: true });
}
