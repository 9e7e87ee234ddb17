// What stores and their surroundings say to each other about values that are erased.
import type { Erasure, RedactionOrder, RedactionPlan } from '../core/moves/plan-redaction.ts';
import type { OperationState } from '../core/operation.ts';

/** What was erased, kept outside the store and its backups: it must not come back with one of them. */
export interface RedactionList {
  /** Where it lies, for messages. */
  readonly place: string;
  /** Oldest first; throws `StoreError` when it cannot be read. */
  read(): readonly Erasure[];
  /** Durable when it returns. */
  append(erasures: readonly Erasure[]): void;
}

export interface RedactionResult {
  /** The operation that still needs its texts; nothing was erased then. */
  readonly refused: RedactionPlan['refused'];
  readonly erasures: readonly Erasure[];
  /** False while another process keeps pages with the erased values in a file beside the database. */
  readonly isGone: boolean;
}

/** Leaves from `from` on and below `below`. */
export interface KeptPage {
  readonly from: number;
  readonly below: number;
  readonly count: number;
}

/** A leaf of which at least one value is still there. */
export interface KeptLeaf {
  readonly seq: number;
  readonly type: string;
  /** Action of its proposal; undefined for a leaf of no proposal. */
  readonly action: string | undefined;
  /** State of its operation; undefined when it has no row. */
  readonly state: OperationState | undefined;
}

/** Told to the list before the transaction commits: what a crash leaves is erased at the next start. */
export function noteErasures(list: RedactionList | undefined, { erasures }: RedactionPlan): void {
  // What expires by itself does so again after a restore.
  const listed = erasures.filter(({ basis }) => basis !== 'retention');
  if (listed.length > 0) list?.append(listed);
}

/** A replay comes from the list and is not written there again. */
export function listOf(
  order: RedactionOrder,
  list: RedactionList | undefined,
): RedactionList | undefined {
  return order.isReplay === true ? undefined : list;
}

/** From columns of a database; the bytes of the proposal are those of one without a row. */
export function toKeptLeaf([seq, type, action, state, proposal]: readonly unknown[]): KeptLeaf {
  return {
    seq: seq as number,
    type: type as string,
    action:
      (action as string | null) ??
      (proposal === null ? undefined : actionOf(proposal as Uint8Array)),
    state: (state as OperationState | null) ?? undefined,
  };
}

const decoder = new TextDecoder();

/** Action of a proposal, from its leaf. */
export function actionOf(bytes: Uint8Array): string | undefined {
  const { action } = JSON.parse(decoder.decode(bytes)) as { readonly action?: unknown };
  return typeof action === 'string' ? action : undefined;
}
