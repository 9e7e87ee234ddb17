// A call that its caller makes once, whatever happens on the way: the same key is the same call, for ever.
import type { JsonObject } from '../core/json-value.ts';
import type { ApprovalState, OperationRow } from '../core/operation.ts';
import { parseLeaf } from '../core/parse-leaf.ts';
import type { ReasonCode } from '../core/reason-codes.ts';
import { hmacSha256Base64Url } from '../core/sha256.ts';
import { type StoredLeaf, type StoredOperation, StoreError } from '../stores/store.ts';
import { explainDecision } from './explain-decision.ts';
import { sortedKeys } from './fingerprint.ts';
import type { Answer, Caller, OnceAnswer, ToolCall } from './gateway.ts';
import { randomHex } from './random-id.ts';
import { failedReport, reportOf, unknownReport } from './report-failure.ts';
import { type GatewayState, submitAs } from './submit-proposal.ts';

/** Longest key, in characters. */
const keyMax = 128;
/** Printable ASCII without spaces around it. */
const keyForm = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** When a caller may ask again about a call that is under way. */
const retryAfterSeconds = 1;

/** Calls of this process that are being decided or executed, by the id of their proposal. */
export type CallsUnderWay = Set<string>;

/** What a key of this caller stands for: decided now, or answered as it was answered before. */
export async function submitOnce(
  state: GatewayState & { readonly underWay: CallsUnderWay },
  key: string | undefined,
  { call, caller }: { readonly call: ToolCall; readonly caller: Caller },
): Promise<OnceAnswer> {
  if (key === undefined || key === '') return { kind: 'key_missing' };
  if (key.length > keyMax || !keyForm.test(key)) return { kind: 'key_malformed' };
  try {
    return await answerOnce(state, key, { call, caller });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.fatal) state.parts.onFatal(error);
    // INVARIANT: the key was claimed or nothing happened, so asking again is safe.
    const report = reportOf('RECEIPT_UNAVAILABLE', { failure: { detail: 'store_busy' } });
    return { kind: 'answered', isReplay: false, answer: { kind: 'report', report } };
  }
}

async function answerOnce(
  state: GatewayState & { readonly underWay: CallsUnderWay },
  key: string,
  { call, caller }: { readonly call: ToolCall; readonly caller: Caller },
): Promise<OnceAnswer> {
  const { parts, session, underWay } = state;
  const { line } = await session.current();
  const hash = (value: unknown): string => hmacSha256Base64Url(parts.secret, JSON.stringify(value));
  const payload = hash(['call', call.server, call.tool, sortedKeys(call.args ?? {})]);
  const claimed = await parts.store.claimCallKey({
    key: hash(['call key', line, caller.channel, caller.client ?? '', key]),
    payload,
    opId: randomHex(parts.random, 16),
  });
  const { opId } = claimed;
  if (claimed.payload !== payload) return { kind: 'other_call', opId };
  if (underWay.has(opId)) return { kind: 'in_flight', opId, retryAfterSeconds };
  underWay.add(opId);
  try {
    const known = claimed.isNew ? undefined : await replay(state, opId);
    if (known !== undefined && known !== 'ask') return known;
    // A question has its own proposals: each repeat joins it, or carries out what was granted.
    const id = known === 'ask' ? undefined : opId;
    const answer = await submitAs(state, { call, caller, opId: id });
    return told(answer, { isReplay: false });
  } finally {
    underWay.delete(opId);
  }
}

/** Not known yet is an answer of its own: the caller must not make the call under another key. */
function told(answer: Answer, { isReplay }: { readonly isReplay: boolean }): OnceAnswer {
  const report = answer.kind === 'dropped' ? undefined : answer.report;
  const isUnknown = report?.status === 'unknown' && report.opId !== undefined;
  return isUnknown
    ? { kind: 'unknown', opId: report.opId ?? '', answer }
    : { kind: 'answered', isReplay, answer };
}

/** The answer of a decided proposal; `ask` while a person may still answer; undefined before it is decided. */
async function replay(
  { parts }: GatewayState,
  decisionId: string,
): Promise<OnceAnswer | 'ask' | undefined> {
  const leaves = await parts.store.readLeaves({ opId: decisionId });
  const stored = leaves.find(({ type }) => type === 'decision');
  const leaf = stored && parseLeaf(stored.bytes);
  if (leaf?.ok !== true) return undefined;
  const { open } = leaf.value;
  const earlier = [open['joins'], open['repeats']].find((id) => typeof id === 'string');
  const opId = typeof earlier === 'string' ? earlier : decisionId;
  if (open['decision'] === 'deny' && !toldSuccess(stored)) {
    const report = await explainDecision(parts, decisionId, String(open['mandate']));
    return report && told({ kind: 'report', report }, { isReplay: true });
  }
  const operation = await parts.store.readOperation(opId);
  return operation && replayOperation(decisionId, operation);
}

/** A refusal that handed out the answer of an earlier success. */
function toldSuccess(decision: StoredLeaf | undefined): boolean {
  const reasons = decision?.payload['reasons']?.value ?? '[]';
  const failures = JSON.parse(reasons) as readonly { readonly detail?: string }[];
  return failures.some(({ detail }) => detail === 'untold_success');
}

/** How a question ended without an execution. */
const endCodes: Readonly<Partial<Record<ApprovalState, ReasonCode>>> = {
  REJECTED: 'APPROVAL_REJECTED',
  VOIDED: 'EXECUTION_CHANGED',
};

function replayOperation(
  decisionId: string,
  { row, result, approval }: StoredOperation,
): OnceAnswer | 'ask' {
  const { opId, state, movedMs } = row;
  const ids = { decisionId, opId };
  if (state === 'ASKING') return 'ask';
  if (state === 'CLOSED') {
    const code = endCodes[approval?.state ?? 'EXPIRED'] ?? 'APPROVAL_EXPIRED';
    return told({ kind: 'report', report: reportOf(code, ids) }, { isReplay: true });
  }
  if (state === 'DISPATCHING') return { kind: 'in_flight', opId, retryAfterSeconds };
  if (state === 'UNKNOWN') {
    const answer = unknownReport(ids, { sinceMs: movedMs, reason: undefined });
    return { kind: 'unknown', opId, answer };
  }
  const answer =
    state === 'FAILED' ? failedReport(ids, undefined) : succeeded(decisionId, row, result);
  return { kind: 'answered', isReplay: true, answer };
}

function succeeded(decisionId: string, row: OperationRow, result: string | undefined): Answer {
  const { opId, movedMs: atMs } = row;
  if (result === undefined) {
    const reason = 'it succeeded; its answer was not kept';
    const report = reportOf('EXECUTION_DUPLICATE', { decisionId, opId, reason });
    return { kind: 'report', report };
  }
  return {
    kind: 'executed',
    decisionId,
    opId,
    result: JSON.parse(result) as JsonObject,
    report: undefined,
    earlier: { opId, atMs },
  };
}
