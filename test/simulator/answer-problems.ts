// What a client was told, beside what the store and the reference gateway have.
import type { Answer } from '../../src/gateway/gateway.ts';
import type { ReferenceGateway } from './reference-gateway.ts';
import type { Expected } from './reference-rows.ts';
import { simAction } from './sim-calls.ts';
import type { Submission, World } from './world.ts';

export function answerProblems(world: World, submission: Submission): readonly string[] {
  const { answer, process, abort } = submission;
  if (answer === undefined) return process.state === 'dead' ? [] : ['a call was never answered'];
  if (answer.kind === 'dropped') {
    return abort.signal.aborted ? [] : ['a call was dropped that nobody cancelled'];
  }
  const decisionId = answer.kind === 'executed' ? answer.decisionId : answer.report.decisionId;
  if (decisionId === undefined) return withoutDecision(submission, answer);
  const expected = world.reference.expected.get(decisionId);
  if (expected === undefined) return ['an answer rests on a decision that is not there'];
  if (!world.database.tables.seqsOf.has(decisionId)) return ['an answer without its receipt'];
  const opId = 'opId' in expected ? expected.opId : '';
  // A person was wrong: what the caller heard before or after that need not fit.
  if (world.saidWrongly.has(opId)) return [];
  const line = disagreement(world.reference, expected, answer);
  return line === undefined ? [] : [line];
}

/** Nothing was decided: only a store that failed may be the reason. */
function withoutDecision(
  { faultsBefore, faultsAfter = 0 }: Submission,
  answer: Answer,
): readonly string[] {
  const codes = codesOf(answer);
  const isBroken = codes === 'RECEIPT_UNAVAILABLE' && faultsAfter > faultsBefore;
  return isBroken ? [] : [`answered ${codes} for nothing`];
}

function codesOf(answer: Answer): string {
  return answer.kind === 'report' ? answer.report.codes.join() : answer.kind;
}

function disagreement(
  reference: ReferenceGateway,
  expected: Expected,
  answer: Exclude<Answer, { kind: 'dropped' }>,
): string | undefined {
  if (expected.kind === 'dispatched') return ofDispatch(reference, expected.opId, answer);
  if (expected.kind === 'told') return ofTold(reference, expected.opId, answer);
  if (answer.kind === 'executed') return `executed, and it was ${expected.kind}`;
  const { status, codes, opId } = answer.report;
  if (expected.kind === 'pending') {
    return status === 'pending' && opId === expected.opId
      ? undefined
      : `${status}, and a person is asked`;
  }
  const isSame = codes[0] === expected.code && (status === 'denied' || status === 'unknown');
  return isSame ? undefined : `${status} ${codes[0]}, and it was refused with ${expected.code}`;
}

function ofTold(
  reference: ReferenceGateway,
  opId: string,
  answer: Exclude<Answer, { kind: 'dropped' }>,
): string | undefined {
  if (reference.operations.get(opId)?.state !== 'SUCCEEDED')
    return 'a success was told that is none';
  if (answer.kind === 'report') {
    // Its answer was not kept.
    return answer.report.codes[0] === 'EXECUTION_DUPLICATE'
      ? undefined
      : 'an untold success is not told';
  }
  if (answer.result['isError'] === true) return 'an untold success is told as an error';
  return answer.earlier?.opId === opId ? undefined : 'another success is told than the untold one';
}

function ofDispatch(
  reference: ReferenceGateway,
  opId: string,
  answer: Exclude<Answer, { kind: 'dropped' }>,
): string | undefined {
  const row = reference.operations.get(opId);
  const state = row?.state ?? 'absent';
  if (answer.kind === 'report') return ofReport(state, answer.report.status);
  if (answer.opId !== opId || answer.earlier !== undefined) return 'another operation is answered';
  if (answer.report !== undefined || answer.result['isError'] === true) return undefined;
  // A read may be given up as failed before its answer comes; the answer is none the worse.
  if (row !== undefined && simAction(row.action).effect === 'read') return undefined;
  return state === 'SUCCEEDED' ? undefined : `told executed, is ${state}`;
}

/** Unknown may have become anything since. */
function ofReport(state: string, status: string): string | undefined {
  if (status === 'failed') return state === 'FAILED' ? undefined : `told failed, is ${state}`;
  if (status !== 'unknown') return `told ${status}, and it was dispatched`;
  const isPossible = ['UNKNOWN', 'SUCCEEDED', 'FAILED'].includes(state);
  return isPossible ? undefined : `told unknown, is ${state}`;
}
