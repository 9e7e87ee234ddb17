// The session mandate of a configuration: joined, issued, or renewed by its successor.
import { type BudgetWindow, lifeWindow, windowText } from '../checks/budget-window.ts';
import type { Level } from '../decision.ts';
import type { LeafDraft } from '../leaf.ts';
import type { BudgetTerms, MandateRow } from '../operation.ts';
import { noWrites, type Writes } from './writes.ts';

/** One budget as a mandate grants it; at most one of each kind and window. */
export interface BudgetDraft {
  readonly kind: 'amount' | 'calls';
  readonly limit: number;
  /** ISO 4217; absent = whatever unit the contracts charge. */
  readonly currency?: string;
  /** Absent = the life of the mandate. */
  readonly window?: BudgetWindow;
  /** Absent = `subtree`. */
  readonly spread?: 'subtree' | 'self';
}

/** What the configuration says; identities of a possible new mandate are made outside. */
export interface MandateDraft {
  /** UUID of a mandate that would be issued now. */
  readonly mandateId: string;
  readonly principal: string;
  readonly tenant: string;
  readonly agent: string;
  readonly scopes: readonly string[];
  readonly levelMin: Level;
  readonly validForMs: number;
  /** SHA-256 (hex) over everything the configuration says about the mandate; a change issues a successor. */
  readonly terms: string;
  readonly budgets: readonly BudgetDraft[];
}

/** The newest mandate of this principal and agent, with what its budgets have used. */
export interface MandateRows {
  readonly nowMs: number;
  readonly newest: MandateRow | undefined;
}

/** The mandate to use, and what must be written first. */
export interface MandatePlan {
  readonly mandate: MandateRow;
  readonly writes: Writes;
}

/**
 * An unexpired mandate with the same terms is joined with its counters. A suspended or revoked one
 * stays what it is, whatever the configuration says now. Else a successor is issued.
 */
export function planMandate(draft: MandateDraft, { nowMs, newest }: MandateRows): MandatePlan {
  if (newest !== undefined && staysAsItIs(newest, draft, nowMs)) {
    return { mandate: newest, writes: noWrites };
  }
  const { mandate, writes } = issueMandate(draft, { nowMs, newest, parent: undefined });
  const superseded = newest === undefined ? [] : [{ ...newest, status: 'superseded' } as const];
  return { mandate, writes: { ...writes, updateMandates: superseded } };
}

function staysAsItIs(newest: MandateRow, draft: MandateDraft, nowMs: number): boolean {
  if (newest.status === 'suspended' || newest.status === 'revoked') return true;
  return nowMs < newest.expiresMs && newest.hash === draft.terms;
}

/** What a mandate is issued from. */
export interface IssueRows extends MandateRows {
  readonly parent: MandateRow | undefined;
}

/** A new mandate with its budgets and its leaf. Life budgets go on with an amendment; windows go on in any case. */
export function issueMandate(draft: MandateDraft, rows: IssueRows): MandatePlan {
  const { nowMs, newest } = rows;
  const amends = newest !== undefined && nowMs < newest.expiresMs;
  const line = newest?.line ?? draft.mandateId;
  const budgetRoot = amends ? newest.budgetRoot : draft.mandateId;
  const budgets = draft.budgets.map((budget) => budgetTerms(budget, { line, budgetRoot }));
  const mandate = mandateRow(draft, { rows, line, budgetRoot, budgets });
  return {
    mandate,
    writes: {
      ...noWrites,
      insertMandates: [mandate],
      putBudgets: budgets,
      leaves: [issueLeaf(mandate)],
    },
  };
}

function budgetTerms(
  { kind, limit, currency, window = lifeWindow, spread = 'subtree' }: BudgetDraft,
  { line, budgetRoot: lifeRoot }: Pick<MandateRow, 'line' | 'budgetRoot'>,
): BudgetTerms {
  const isLife = window.kind === 'life';
  const budgetRoot = isLife ? lifeRoot : line;
  // Another window is another count: no sum of the old one fits it.
  const budgetId = `${budgetRoot}/${kind}${isLife ? '' : `.${windowText(window)}`}`;
  const unlimited = { period: undefined, endsMs: undefined };
  return { budgetId, budgetRoot, kind, limit, currency, window, spread, ...unlimited };
}

function mandateRow(
  draft: MandateDraft,
  issued: Pick<MandateRow, 'line' | 'budgetRoot'> & {
    readonly rows: IssueRows;
    readonly budgets: readonly BudgetTerms[];
  },
): MandateRow {
  const { nowMs, newest, parent } = issued.rows;
  return {
    mandateId: draft.mandateId,
    line: issued.line,
    supersedes: newest?.mandateId,
    parent: parent?.mandateId,
    ancestors: parent === undefined ? [] : [parent.line, ...parent.ancestors],
    budgetRoot: issued.budgetRoot,
    budgetIds: issued.budgets.map(({ budgetId }) => budgetId),
    principal: draft.principal,
    tenant: draft.tenant,
    agent: draft.agent,
    status: 'active',
    notBeforeMs: nowMs,
    expiresMs: nowMs + draft.validForMs,
    levelMin: draft.levelMin,
    scopes: draft.scopes,
    hash: draft.terms,
  };
}

function issueLeaf(mandate: MandateRow): LeafDraft {
  return {
    type: 'mandate.issue',
    open: {
      mandate: mandate.mandateId,
      mandate_sha256: mandate.hash,
      expires: mandate.expiresMs,
      ...(mandate.parent === undefined ? {} : { parent: mandate.parent }),
      ...(mandate.supersedes === undefined ? {} : { supersedes: mandate.supersedes }),
    },
    committed: {
      principal: mandate.principal,
      tenant: mandate.tenant,
      agent: mandate.agent,
      scopes: [...mandate.scopes],
    },
  };
}

/** Lifts a suspension; undefined when the mandate is not suspended. */
export function planResume(mandate: MandateRow, person: string): MandatePlan | undefined {
  if (mandate.status !== 'suspended') return undefined;
  const to: MandateRow = { ...mandate, status: 'active' };
  return {
    mandate: to,
    writes: {
      ...noWrites,
      updateMandates: [to],
      leaves: [
        { type: 'mandate.resume', open: { mandate: mandate.mandateId }, committed: { person } },
      ],
    },
  };
}
