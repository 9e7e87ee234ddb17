// UNKNOWN → DISPATCHING: the same bytes once more under the same key, when the target honours it.
import type { LeafDraft } from '../leaf.ts';
import { attemptKey, type MandateRow, type OperationRow } from '../operation.ts';
import { sha256Hex } from '../sha256.ts';
import { isAbsenceFinal } from './plan-reconcile.ts';
import { noWrites, type Writes } from './writes.ts';

/** Attempts of one operation, the first one included. */
const attemptsMax = 3;

/** A key is used for this part of its life: clocks differ, and the target forgets when it likes. */
const lifetimeShare = 0.9;

/** What is known outside the transaction; leaves and contracts do not change under it. */
export interface ResendRequest {
  readonly opId: string;
  readonly mandateId: string;
  /** The attempt whose outcome nobody knows. */
  readonly attempt: number;
  /** Process that will dispatch. */
  readonly owner: string;
  readonly connector: string;
  /** Exact text to send: what the decision committed to. */
  readonly call: string;
  readonly attemptTimeoutMs: number;
  /** When the first attempt was committed. */
  readonly firstSentMs: number;
  /** For how long the target honours a key; undefined = it does not. */
  readonly keyLifetimeMs: number | undefined;
  /** Why it may be sent: nothing was there when somebody looked, or nobody can look. */
  readonly because: 'absent' | 'no_lookup';
  /** For `absent`: how long after the deadline it is final. */
  readonly absenceFinalAfterMs: number | undefined;
}

/** What the store reads for it. */
export interface ResendRows {
  readonly nowMs: number;
  readonly operation: OperationRow | undefined;
  readonly mandate: MandateRow | undefined;
  /** Reservations of this operation that are still held: they are kept as they are. */
  readonly reserved: readonly { readonly budgetId: string; readonly amount: number }[];
}

/** Why an operation is not sent again. */
type ResendRefusal =
  | 'moved'
  | 'not_idempotent'
  | 'attempts'
  | 'lifetime'
  | 'mandate'
  | 'absence'
  | 'call';

export type ResendPlan =
  | { readonly kind: 'refused'; readonly reason: ResendRefusal; readonly writes: Writes }
  | { readonly kind: 'resent'; readonly operation: OperationRow; readonly writes: Writes };

/** Only what every rule allows; budgets are not touched, for the first reservation stands. */
export function planResend(request: ResendRequest, rows: ResendRows): ResendPlan {
  const { operation } = rows;
  if (operation?.state !== 'UNKNOWN' || operation.attempt !== request.attempt) {
    return { kind: 'refused', reason: 'moved', writes: noWrites };
  }
  const reason = refusal(request, rows, operation);
  if (reason !== undefined) return { kind: 'refused', reason, writes: noWrites };
  const to: OperationRow = {
    ...operation,
    state: 'DISPATCHING',
    attempt: operation.attempt + 1,
    owner: request.owner,
    movedMs: rows.nowMs,
    deadlineMs: rows.nowMs + request.attemptTimeoutMs,
    told: true,
  };
  return {
    kind: 'resent',
    operation: to,
    writes: {
      ...noWrites,
      moveOperations: [{ from: 'UNKNOWN', attempt: operation.attempt, to }],
      leaves: [attemptLeaf(request, to, rows)],
    },
  };
}

function refusal(
  request: ResendRequest,
  { nowMs, mandate }: ResendRows,
  operation: OperationRow,
): ResendRefusal | undefined {
  const { keyLifetimeMs, firstSentMs, absenceFinalAfterMs } = request;
  if (keyLifetimeMs === undefined || operation.effect === 'read') return 'not_idempotent';
  if (operation.attempt >= attemptsMax) return 'attempts';
  if (nowMs >= firstSentMs + keyLifetimeMs * lifetimeShare) return 'lifetime';
  if (mandate?.status !== 'active' || nowMs >= mandate.expiresMs) return 'mandate';
  if (request.because === 'absent' && !isAbsenceFinal(operation, absenceFinalAfterMs, nowMs)) {
    return 'absence';
  }
  return request.call === '' ? 'call' : undefined;
}

function attemptLeaf(
  { call, connector }: ResendRequest,
  { opId, attempt, deadlineMs }: OperationRow,
  { reserved }: ResendRows,
): LeafDraft {
  return {
    type: 'attempt',
    opId,
    prev: 'UNKNOWN',
    state: 'DISPATCHING',
    open: {
      attempt,
      connector,
      key: attemptKey(opId),
      // INVARIANT: a dispatched operation has a deadline.
      deadline: deadlineMs as number,
      approvals: [],
    },
    committed: {
      call_sha256: sha256Hex(call),
      ...(reserved.length === 0
        ? {}
        : { reserved: reserved.map(({ budgetId, amount }) => ({ amount, budget: budgetId })) }),
    },
  };
}
