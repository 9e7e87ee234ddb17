// What earlier operations with the same fingerprint mean for the call at hand.
import { isQuorumFull } from '../checks/quorum.ts';
import type { RepeatFact } from '../facts.ts';
import { opHash } from '../op-hash.ts';
import type { ApprovalRow, OperationRow } from '../operation.ts';
import type { People } from '../person.ts';

/** Time after a reject in which the same resolved proposal is refused without a question: 10 min. */
const rejectBlockMs = 600_000;

/** Earlier operations of one fingerprint and mandate line, as the store reads them. */
export interface RepeatRows {
  /** The newest one, whatever its state, with its approval and stored preimage when it is granted. */
  readonly newest:
    | {
        readonly operation: OperationRow;
        readonly approval: ApprovalRow | undefined;
        readonly preimage: string | undefined;
        /** Arguments to send, as they were approved. */
        readonly call: string | undefined;
        /** As they are now; undefined unless it is granted. */
        readonly people: People | undefined;
      }
    | undefined;
  /** One that is DISPATCHING or UNKNOWN. */
  readonly unresolved: OperationRow | undefined;
  /** A success that nobody was told. */
  readonly untold: OperationRow | undefined;
  /** The newest success. */
  readonly success: OperationRow | undefined;
}

/** Nothing like this call was made before. */
export const noRepeat: RepeatRows = {
  newest: undefined,
  unresolved: undefined,
  untold: undefined,
  success: undefined,
};

/** How the instant and the contract read the rows. */
export interface RepeatTerms {
  readonly nowMs: number;
  readonly duplicateWindowMs: number;
  /** A read may be repeated freely: only a question about it counts. */
  readonly isRead: boolean;
  /** Handle of the mandate's principal. */
  readonly principal: string;
  /** Fields of the granted preimage that differ from what would be built now. */
  readonly changedSince: (preimage: string) => readonly string[];
}

/**
 * What was never told comes first, then what may be under way: a question about the same call rests
 * on the belief that it failed. Then an open or granted question, the tool error it is about, and
 * refusals that still hold.
 */
export function repeatFact(rows: RepeatRows, terms: RepeatTerms): RepeatFact {
  if (terms.isRead) return waiting(rows, terms) ?? ended(rows, terms) ?? { kind: 'none' };
  return (
    untold(rows) ??
    underWay(rows) ??
    waiting(rows, terms) ??
    toolError(rows, terms) ??
    ended(rows, terms) ??
    recent(rows, terms) ?? { kind: 'none' }
  );
}

function waiting({ newest }: RepeatRows, terms: RepeatTerms): RepeatFact | undefined {
  if (newest?.operation.state !== 'ASKING' || newest.approval === undefined) return undefined;
  const { approval, preimage } = newest;
  const { opId, level } = approval;
  if (terms.nowMs >= approval.expiresMs) return { kind: 'ended_untold', opId, how: 'expired' };
  if (approval.state === 'REQUESTED') return { kind: 'open', opId, level };
  if (approval.state !== 'GRANTED') return undefined;
  const isIntact = preimage !== undefined && opHash(preimage) === newest.operation.opHash;
  const changed = isIntact ? terms.changedSince(preimage) : ['preimage'];
  return { kind: 'granted', opId, level, changed: [...voters(newest, terms), ...changed] };
}

/** Somebody who approved may not do so any more, or the passkey was taken away. */
function voters(
  { approval, people }: NonNullable<RepeatRows['newest']>,
  { principal }: RepeatTerms,
): readonly string[] {
  if (approval === undefined || people === undefined) return ['approver'];
  const question = { terms: approval.terms, principal, people };
  return isQuorumFull(approval.votes, question) ? [] : ['approver'];
}

/** Also a call that is sent again after its tool error: what a person said about the first attempt says nothing about this one. */
function underWay({ unresolved: row }: RepeatRows): RepeatFact | undefined {
  if (row === undefined || isToolError(row)) return undefined;
  const { opId, state } = row;
  return state === 'DISPATCHING'
    ? { kind: 'in_flight', opId }
    : { kind: 'unknown', opId, toolError: false };
}

const isToolError = ({ state, outcome }: OperationRow): boolean =>
  state === 'UNKNOWN' && outcome === 'TOOL_ERROR';

/** A tool error leads to a question, and a question that was just answered is not asked again. */
function toolError(rows: RepeatRows, terms: RepeatTerms): RepeatFact | undefined {
  const row = rows.unresolved;
  if (row === undefined) return undefined;
  return ended(rows, terms) ?? { kind: 'unknown', opId: row.opId, toolError: true };
}

function untold({ untold: row }: RepeatRows): RepeatFact | undefined {
  return row === undefined ? undefined : { kind: 'untold_success', opId: row.opId };
}

function ended({ newest }: RepeatRows, { nowMs }: RepeatTerms): RepeatFact | undefined {
  const approval = newest?.approval;
  if (newest?.operation.state !== 'CLOSED' || approval === undefined) return undefined;
  const { opId, state } = approval;
  const endedMs = approval.endedMs ?? approval.createdMs;
  if (state === 'REJECTED' && nowMs < endedMs + rejectBlockMs) return { kind: 'rejected', opId };
  if (approval.told) return undefined;
  if (state === 'EXPIRED') return { kind: 'ended_untold', opId, how: 'expired' };
  if (state === 'VOIDED') return { kind: 'ended_untold', opId, how: 'changed' };
  return undefined;
}

function recent({ success }: RepeatRows, terms: RepeatTerms): RepeatFact | undefined {
  if (success === undefined) return undefined;
  const inside = terms.nowMs < success.movedMs + terms.duplicateWindowMs;
  return inside ? { kind: 'recent_success', opId: success.opId } : undefined;
}
