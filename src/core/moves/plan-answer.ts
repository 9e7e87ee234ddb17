// A person's answer to an approval request, its end without an answer, and the suspension after three rejects.
import {
  findPerson,
  isQuorumFull,
  mayApprove,
  mayReject,
  type QuorumQuestion,
} from '../checks/quorum.ts';
import type { LeafDraft } from '../leaf.ts';
import type {
  ApprovalRow,
  ApprovalState,
  Assurance,
  MandateRow,
  OperationRow,
  Vote,
} from '../operation.ts';
import type { People, PersonRow } from '../person.ts';
import { noWrites, type Writes } from './writes.ts';

/** Rejects within one hour that suspend the mandate. */
const rejectsToSuspend = 3;
/** Window of that count: 1 h. */
export const rejectWindowMs = 3_600_000;

/** What the choke point hands on. Who it is was proven there; whether this person may answer is judged here. */
export interface ApprovalAnswer {
  readonly approvalId: string;
  /** Hash the person saw; another stored one changes nothing. */
  readonly opHash: string;
  readonly verdict: 'approve' | 'reject';
  /** Handle of the person. */
  readonly person: string;
  /** Passkey that signed. */
  readonly credentialId?: string | undefined;
  readonly assurance: Assurance;
  readonly channel: string;
  readonly reason: string | undefined;
  /** Evidence of the answer (canonical text); committed, and its hash stands in the leaf. */
  readonly evidence: string;
  readonly evidenceHash: string;
}

export interface AnswerRows {
  readonly nowMs: number;
  readonly approval: ApprovalRow | undefined;
  readonly operation: OperationRow | undefined;
  readonly mandate: MandateRow | undefined;
  /** Requests of this mandate that ended REJECTED within `rejectWindowMs`. */
  readonly recentRejects: number;
  readonly people: People;
}

export type AnswerCode =
  | 'NOT_FOUND'
  | 'ENDED'
  | 'EXECUTION_CHANGED'
  | 'APPROVAL_NOT_ELIGIBLE'
  /** This person has approved already; somebody else is waited for. */
  | 'ANSWERED_ALREADY'
  /** The time between the two answers of one person is not over. */
  | 'TOO_EARLY';

/** The state reached, or why nothing changed. */
export interface AnswerPlan {
  readonly result:
    | { readonly ok: true; readonly state: ApprovalState; readonly suspended: boolean }
    | { readonly ok: false; readonly code: AnswerCode; readonly state: ApprovalState | undefined };
  readonly writes: Writes;
}

/** Whoever may approve or reject; a granted request can still be rejected; ended ones never change. */
export function planAnswer(answer: ApprovalAnswer, rows: AnswerRows): AnswerPlan {
  const { approval, operation, mandate } = rows;
  if (approval === undefined || operation === undefined || mandate === undefined) {
    return refuse('NOT_FOUND', undefined);
  }
  if (isOpen(approval) && rows.nowMs >= approval.expiresMs) {
    return {
      ...refuse('ENDED', 'EXPIRED'),
      writes: planEnd(
        { approval, operation },
        { state: 'EXPIRED', reason: 'expired', nowMs: rows.nowMs },
      ),
    };
  }
  if (!isOpen(approval)) return refuse('ENDED', approval.state);
  if (answer.opHash !== operation.opHash) return refuse('EXECUTION_CHANGED', approval.state);
  const { people } = rows;
  const question = { terms: approval.terms, principal: mandate.principal, people };
  const person = entitled(answer, question);
  if (person === undefined) {
    const refused = refuse('APPROVAL_NOT_ELIGIBLE', approval.state);
    return { ...refused, writes: { ...noWrites, leaves: [notEligibleLeaf(answer, approval)] } };
  }
  if (answer.verdict === 'reject') return reject(answer, { approval, operation, mandate, rows });
  if (approval.state === 'GRANTED') return refuse('ENDED', 'GRANTED');
  return approve(answer, { approval, person, question, nowMs: rows.nowMs });
}

/** The person, when this very answer is theirs to give. */
function entitled(answer: ApprovalAnswer, question: QuorumQuestion): PersonRow | undefined {
  const person = findPerson(question, answer.person);
  if (person === undefined) return undefined;
  const may = answer.verdict === 'approve' ? mayApprove : mayReject;
  return may(person, question) ? person : undefined;
}

/** True while a request can still be answered or used. */
export function isOpen(approval: ApprovalRow): boolean {
  return approval.state === 'REQUESTED' || approval.state === 'GRANTED';
}

/** Ends an open request without an answer; its operation is closed with it. */
export function planEnd(
  { approval, operation }: { readonly approval: ApprovalRow; readonly operation: OperationRow },
  end: {
    readonly state: 'EXPIRED' | 'CANCELLED' | 'VOIDED';
    readonly reason: string;
    readonly nowMs: number;
    readonly told?: boolean;
  },
): Writes {
  return {
    ...noWrites,
    moveOperations: [closed(operation, end.nowMs)],
    moveApprovals: [
      {
        from: approval.state,
        votes: approval.votes.length,
        to: {
          ...approval,
          state: end.state,
          endedMs: end.nowMs,
          endReason: end.reason,
          told: end.told ?? false,
        },
      },
    ],
    leaves: [endLeaf(approval, end)],
  };
}

/** The leaf of an end state. */
export function endLeaf(
  approval: ApprovalRow,
  end: { readonly state: ApprovalState; readonly reason: string },
): LeafDraft {
  return {
    type: 'approval.end',
    opId: approval.opId,
    prev: 'ASKING',
    state: end.state === 'CONSUMED' ? 'DISPATCHING' : 'CLOSED',
    open: { request: approval.approvalId, end: end.state },
    committed: { reason: end.reason },
  };
}

function closed(operation: OperationRow, nowMs: number): Writes['moveOperations'][number] {
  const to: OperationRow = { ...operation, state: 'CLOSED', movedMs: nowMs };
  return { from: 'ASKING', attempt: operation.attempt, to };
}

function refuse(code: AnswerCode, state: ApprovalState | undefined): AnswerPlan {
  return { result: { ok: false, code, state }, writes: noWrites };
}

interface Subject {
  readonly approval: ApprovalRow;
  readonly operation: OperationRow;
}

function approve(
  answer: ApprovalAnswer,
  step: {
    readonly approval: ApprovalRow;
    readonly person: PersonRow;
    readonly question: QuorumQuestion;
    readonly nowMs: number;
  },
): AnswerPlan {
  const { approval, question, nowMs } = step;
  const vote: Vote = {
    personId: step.person.personId,
    credentialId: answer.credentialId,
    assurance: answer.assurance,
    channel: answer.channel,
    atMs: nowMs,
  };
  const tooSoon = secondAnswer(vote, approval);
  if (tooSoon !== undefined) return refuse(tooSoon, approval.state);
  const votes = [...approval.votes, vote];
  const state = isQuorumFull(votes, question) ? 'GRANTED' : 'REQUESTED';
  const to = {
    ...approval,
    state,
    votes,
    assurance: answer.assurance,
    channel: answer.channel,
  } as const;
  return {
    result: { ok: true, state, suspended: false },
    writes: {
      ...noWrites,
      moveApprovals: [{ from: approval.state, votes: approval.votes.length, to }],
      leaves: [answerLeaf(answer, to)],
    },
  };
}

/** One answer counts once, but for a person alone, who gives two with time in between. */
function secondAnswer(vote: Vote, { votes, terms }: ApprovalRow): AnswerCode | undefined {
  const [first] = votes.filter(({ personId }) => personId === vote.personId);
  if (first === undefined) return undefined;
  if (terms.soloWaitMs === undefined) return 'ANSWERED_ALREADY';
  return vote.atMs < first.atMs + terms.soloWaitMs ? 'TOO_EARLY' : undefined;
}

function reject(
  answer: ApprovalAnswer,
  subject: Subject & { readonly mandate: MandateRow; readonly rows: AnswerRows },
): AnswerPlan {
  const { approval, operation, mandate, rows } = subject;
  const suspended = rows.recentRejects + 1 >= rejectsToSuspend && mandate.status === 'active';
  const to: ApprovalRow = {
    ...approval,
    state: 'REJECTED',
    endedMs: rows.nowMs,
    endReason: 'rejected',
    assurance: answer.assurance,
    channel: answer.channel,
  };
  return {
    result: { ok: true, state: 'REJECTED', suspended },
    writes: {
      ...noWrites,
      moveOperations: [closed(operation, rows.nowMs)],
      moveApprovals: [{ from: approval.state, votes: approval.votes.length, to }],
      updateMandates: suspended ? [{ ...mandate, status: 'suspended' }] : [],
      leaves: [
        answerLeaf(answer, approval),
        endLeaf(approval, { state: 'REJECTED', reason: answer.reason ?? 'rejected' }),
        ...(suspended ? [suspendLeaf(mandate)] : []),
      ],
    },
  };
}

/** Somebody tried to answer who may not. */
function notEligibleLeaf(answer: ApprovalAnswer, approval: ApprovalRow): LeafDraft {
  return {
    type: 'alarm',
    code: 'APPROVAL_NOT_ELIGIBLE',
    open: { kind: 'approval_not_eligible' },
    committed: { person: answer.person, request: approval.approvalId, channel: answer.channel },
  };
}

function answerLeaf(answer: ApprovalAnswer, approval: ApprovalRow): LeafDraft {
  return {
    type: 'approval.answer',
    opId: approval.opId,
    prev: 'ASKING',
    state: 'ASKING',
    open: {
      request: approval.approvalId,
      op_hash: answer.opHash,
      verdict: answer.verdict,
      assurance: answer.assurance,
      channel: answer.channel,
      evidence_sha256: answer.evidenceHash,
      ...(approval.terms.soloWaitMs === undefined ? {} : { four_eyes: 'solo-delay' }),
    },
    committed: {
      person: answer.person,
      evidence: answer.evidence,
      ...(answer.credentialId === undefined ? {} : { credential: answer.credentialId }),
      ...(answer.reason === undefined ? {} : { reason: answer.reason }),
    },
  };
}

function suspendLeaf(mandate: MandateRow): LeafDraft {
  return {
    type: 'mandate.suspend',
    code: 'AUTHN_MANDATE_SUSPENDED',
    open: { mandate: mandate.mandateId },
    committed: { reason: 'three rejected approval requests within an hour' },
  };
}
