// Reads outside of transactions: an operation with its texts, a request with its view, a status.
import { type CanonicalValue, canonicalJson } from '../../core/canonical-json.ts';
import type { OperationHistory } from '../../core/history.ts';
import { currentBudgets, listBudgets } from '../../core/moves/chain-budgets.ts';
import type { BudgetRow } from '../../core/operation.ts';
import type { MandateStatus, StoredApproval, StoredOperation } from '../store.ts';
import type { Tables } from './tables.ts';

export function readOperation(tables: Tables, opId: string): StoredOperation | undefined {
  const found = tables.operations.byId(opId);
  if (found === undefined) return undefined;
  const { n, row } = found;
  const decision = tables.log.payloadOf(n, 'decision');
  const hasOutcome = row.outcome !== undefined;
  const outcome = hasOutcome ? tables.log.payloadOf(n, 'outcome') : {};
  return {
    row,
    // Only a question makes a level above 0.
    approval: row.level === 0 ? undefined : tables.approvals.byOperation(opId),
    preimage: text(decision['preimage']) ?? '',
    call: text(decision['call']) ?? '',
    result: text(outcome['result']),
  };
}

export function readApproval(tables: Tables, approvalId: string): StoredApproval | undefined {
  const approval = tables.approvals.byId(approvalId);
  const operation = approval && readOperation(tables, approval.opId);
  if (approval === undefined || operation === undefined) return undefined;
  const n = tables.log.proposalOf(approval.opId) as number;
  const { view } = tables.log.payloadOf(n, 'approval.request');
  return { approval, operation, view: view === undefined ? '' : canonicalJson(view) };
}

/** Undefined for a proposal that was refused. */
export function readHistory(
  { operations, history, denials }: Tables,
  opId: string,
  nowMs: number,
): OperationHistory | undefined {
  const found = operations.byId(opId);
  if (found === undefined) return undefined;
  const own = history.own(found.n, opId);
  return {
    compared: own === undefined ? undefined : { own, earlier: history.earlier(own) },
    recentDenials: denials.recent(found.row.mandateId, nowMs),
  };
}

export function readStatus(
  tables: Tables,
  mandateId: string,
  nowMs: number,
): MandateStatus | undefined {
  const mandate = tables.mandates.byId(mandateId);
  if (mandate === undefined) return undefined;
  const budgets = tables.budgets.ofRoots(mandate, nowMs);
  const aged = tables.budgets.aged(budgets, nowMs);
  return {
    mandate,
    budgets: currentBudgets({ mandate, nowMs, budgets, aged }),
    openApprovals: tables.approvals.open(mandateId, nowMs),
  };
}

/** Every budget as it counts now. */
export function readBudgets({ budgets: table }: Tables, nowMs: number): readonly BudgetRow[] {
  const budgets = table.unended(nowMs);
  return listBudgets({ nowMs, budgets, aged: table.aged(budgets, nowMs) });
}

function text(value: CanonicalValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
