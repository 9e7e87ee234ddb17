// A log that may not be signed any more goes on under another name. What was spent, consumed or
// revoked after the copy that it goes on from is not in it: everything stops until a person lifts it.
import { encodeBase64 } from '../base64.ts';
import type { LeafDraft } from '../leaf.ts';
import type { ApprovalRow, MandateRow, OperationRow } from '../operation.ts';
import { planEnd } from './plan-answer.ts';
import { noWrites, type Writes } from './writes.ts';

interface Tree {
  readonly size: number;
  readonly root: Uint8Array;
}

/** The names, and where the old log ends. */
export interface RestartTerms {
  readonly origin: string;
  readonly oldOrigin: string;
  /** What the store has: the beginning of the new log. */
  readonly tree: Tree;
  /** What was signed last under the old name; undefined when nobody knows. */
  readonly signed: Tree | undefined;
}

export interface RestartRows {
  readonly nowMs: number;
  readonly activeMandates: readonly MandateRow[];
  readonly openRequests: readonly {
    readonly approval: ApprovalRow;
    readonly operation: OperationRow;
  }[];
}

/** The first leaf of the new origin, then what is stopped. Budgets are frozen by the store. */
export function planRestart(terms: RestartTerms, rows: RestartRows): Writes {
  const ends = rows.openRequests.map((request) =>
    planEnd(request, { state: 'VOIDED', reason: 'restart', nowMs: rows.nowMs }),
  );
  return {
    ...noWrites,
    updateMandates: rows.activeMandates.map((row) => ({ ...row, status: 'suspended' })),
    moveOperations: ends.flatMap(({ moveOperations }) => moveOperations),
    moveApprovals: ends.flatMap(({ moveApprovals }) => moveApprovals),
    leaves: [
      startLeaf(terms),
      ...rows.activeMandates.map(suspendLeaf),
      ...ends.flatMap(({ leaves }) => leaves),
    ],
  };
}

function startLeaf({ origin, oldOrigin, tree, signed }: RestartTerms): LeafDraft {
  return {
    type: 'log.start',
    open: {
      origin,
      reason: 'restart',
      old_origin: oldOrigin,
      old_size: tree.size,
      old_root: encodeBase64(tree.root),
      ...(signed === undefined
        ? {}
        : { signed_size: signed.size, signed_root: encodeBase64(signed.root) }),
    },
    committed: {},
  };
}

function suspendLeaf({ mandateId }: MandateRow): LeafDraft {
  return {
    type: 'mandate.suspend',
    code: 'AUTHN_MANDATE_SUSPENDED',
    open: { mandate: mandateId },
    committed: { reason: 'the log was begun anew' },
  };
}
