// The session mandate of a configuration: joined, issued, or renewed by its successor.
import type { Level } from '../decision.ts';
import type { LeafDraft } from '../leaf.ts';
import type { MandateRow } from '../operation.ts';
import { noWrites, type Writes } from './writes.ts';

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
  readonly budgets: readonly { readonly kind: 'amount' | 'calls'; readonly limit: number }[];
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
  const mandate = issue(draft, newest, nowMs);
  return {
    mandate,
    writes: {
      ...noWrites,
      insertMandates: [mandate],
      putBudgets: draft.budgets.map(({ kind, limit }) => ({
        budgetId: `${mandate.budgetRoot}/${kind}`,
        budgetRoot: mandate.budgetRoot,
        kind,
        limit,
      })),
      updateMandates: newest === undefined ? [] : [{ ...newest, status: 'superseded' }],
      leaves: [issueLeaf(mandate)],
    },
  };
}

function staysAsItIs(newest: MandateRow, draft: MandateDraft, nowMs: number): boolean {
  if (newest.status === 'suspended' || newest.status === 'revoked') return true;
  return nowMs < newest.expiresMs && newest.hash === draft.terms;
}

function issue(draft: MandateDraft, newest: MandateRow | undefined, nowMs: number): MandateRow {
  const amends = newest !== undefined && nowMs < newest.expiresMs;
  return {
    mandateId: draft.mandateId,
    line: newest?.line ?? draft.mandateId,
    supersedes: newest?.mandateId,
    budgetRoot: amends ? newest.budgetRoot : draft.mandateId,
    budgetKinds: draft.budgets.map((budget) => budget.kind),
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
