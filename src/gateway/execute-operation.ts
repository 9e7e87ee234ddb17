// A dispatched operation: sent once, its outcome recorded, its answer handed back.

import type { ConnectorOutcome } from '../connectors/connector.ts';
import { judgeAnswer } from '../core/checks/judge-answer.ts';
import type { Contract } from '../core/contract.ts';
import type { ResolvedValue } from '../core/decision.ts';
import type { JsonObject } from '../core/json-value.ts';
import { neverSent, resultKeptMax } from '../core/moves/plan-outcome.ts';
import { attemptKey, type OutcomeClass } from '../core/operation.ts';
import { sha256Hex } from '../core/sha256.ts';
import { type StoredOperation, StoreError } from '../stores/store.ts';
import type { Answer, Caller } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { mirrorOutcome } from './mirror-receipt.ts';
import { failedReport, unknownReport } from './report-failure.ts';

/** What is executed and for whom. */
export interface Execution {
  readonly opId: string;
  /** Number of this attempt, as it was committed. */
  readonly attempt: number;
  readonly decisionId: string;
  readonly contract: Contract;
  readonly values: readonly ResolvedValue[];
  readonly caller: Caller;
}

/** The intent is durable when this is called; whatever happens now, one outcome is recorded. */
export async function executeOperation(parts: GatewayParts, execution: Execution): Promise<Answer> {
  const operation = await readBack(parts, execution);
  const outcome = isOwn(parts, execution, operation)
    ? await send(parts, execution, operation)
    : takenOver;
  try {
    const state = await record(parts, execution, { operation, outcome });
    mirrorOutcome(parts, operation.row, state);
    return answer(execution, { outcome, state, nowMs: parts.nowMs() });
  } catch (error) {
    parts.log('error', 'the outcome could not be recorded; it is unknown until the next start', {
      op: execution.opId,
    });
    if (error instanceof StoreError) parts.onFatal(error);
    return unknownReport(execution, { sinceMs: parts.nowMs(), reason: undefined });
  }
}

/** What came of it; `isFault` = the connector itself cannot be believed. */
interface Sent extends ConnectorOutcome {
  readonly isFault?: boolean;
}

/** Another process took this one for dead, and what it took over is not sent by anybody. */
const takenOver: Sent = {
  class: 'NOT_SENT',
  reason: 'this process was silent for too long: nothing was sent',
};

/** Whether it is still this attempt of this process that the store waits for. */
function isOwn(
  { processId }: GatewayParts,
  { attempt }: Execution,
  { row }: StoredOperation,
): boolean {
  return row.state === 'DISPATCHING' && row.attempt === attempt && row.owner === processId;
}

/** What is sent is what was committed. When it cannot be read, nothing was sent, and that is recorded. */
async function readBack(parts: GatewayParts, execution: Execution): Promise<StoredOperation> {
  const { opId, attempt } = execution;
  try {
    let operation = await parts.store.readOperation(opId);
    // A machine that was suspended wakes up here: others may have decided what became of this call.
    while (!parts.store.holdsLease()) {
      await parts.store.heartbeat();
      operation = await parts.store.readOperation(opId);
    }
    // INVARIANT: the row was committed by this process a moment ago.
    if (operation === undefined) throw new Error('a committed operation is gone');
    return operation;
  } catch (error) {
    const owner = parts.processId;
    const reason = 'the committed operation could not be read back: nothing was sent';
    // A store that cannot do this either has it as an orphan at the next start.
    await parts.store.finish(neverSent({ opId, attempt, owner }, reason)).catch(() => undefined);
    throw error;
  }
}

/** An odd answer is judged here, so that a connector only classifies what it saw. */
async function send(
  parts: GatewayParts,
  { contract, values, caller }: Execution,
  operation: StoredOperation,
): Promise<Sent> {
  const { opId, attempt, deadlineMs, action } = operation.row;
  const key = attemptKey(opId);
  try {
    const outcome = await parts.connector.execute(
      { opId, action, server: contract.server, tool: contract.tool, call: operation.call },
      {
        key,
        attempt,
        deadlineMs: deadlineMs ?? parts.nowMs(),
        meta: caller.meta,
        onProgress: caller.onProgress,
      },
    );
    const fault = faultOf(outcome, key);
    if (fault !== undefined) return brokenConnector(parts, opId, fault);
    if (outcome.class !== 'SUCCESS' || outcome.result === undefined) return outcome;
    const odd = judgeAnswer(contract, values, outcome.result);
    return odd === undefined ? outcome : { ...outcome, class: 'ODD_ANSWER', reason: odd };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    parts.log('error', `connector threw: ${what}`, { op: opId });
    return brokenConnector(parts, opId, 'the connector failed');
  }
}

/** Every class there is: what is none of them is ambiguous. */
const classes: Readonly<Record<OutcomeClass, true>> = {
  SUCCESS: true,
  NOT_SENT: true,
  REJECTED: true,
  AMBIGUOUS: true,
  TOOL_ERROR: true,
  ODD_ANSWER: true,
};

function faultOf(outcome: ConnectorOutcome, key: string): string | undefined {
  if (!Object.hasOwn(classes, outcome.class)) return 'the connector named an unknown class';
  if (outcome.key === undefined || outcome.key === key) return undefined;
  return 'the answer carries the key of another operation';
}

function brokenConnector(parts: GatewayParts, op: string, reason: string): Sent {
  parts.log('error', reason, { op });
  return { class: 'AMBIGUOUS', reason, isFault: true };
}

type Ending = 'SUCCEEDED' | 'FAILED' | 'UNKNOWN';

async function record(
  parts: GatewayParts,
  execution: Execution,
  { operation, outcome }: { readonly operation: StoredOperation; readonly outcome: Sent },
): Promise<Ending> {
  const { contract, caller } = execution;
  const body = outcome.result ?? outcome.error;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const isKept = text !== undefined && text.length <= resultKeptMax && text.isWellFormed();
  const plan = await parts.store.finish({
    opId: operation.row.opId,
    attempt: execution.attempt,
    owner: parts.processId,
    class: outcome.class,
    ...(outcome.isFault === true ? { isFault: true } : {}),
    result: isKept ? text : undefined,
    resultHash: text === undefined || isKept ? undefined : sha256Hex(text.toWellFormed()),
    reason: outcome.reason,
    toolErrorFails: contract.toolError === 'failed',
    told: caller.signal?.aborted !== true,
  });
  if (plan.late) parts.log('warn', 'a late outcome was recorded', { op: operation.row.opId });
  return plan.state === 'SUCCEEDED' || plan.state === 'FAILED' ? plan.state : 'UNKNOWN';
}

/** A tool's own error passes like any result; what else failed is said in our words. */
function answer(
  execution: Execution,
  ended: { readonly outcome: ConnectorOutcome; readonly state: Ending; readonly nowMs: number },
): Answer {
  const { outcome, state, nowMs } = ended;
  const { opId, decisionId } = execution;
  const executed = (result: JsonObject): Answer => {
    const unknown =
      state === 'UNKNOWN'
        ? unknownReport(execution, { sinceMs: nowMs, reason: outcome.reason })
        : undefined;
    const report = unknown?.kind === 'report' ? unknown.report : undefined;
    return { kind: 'executed', decisionId, opId, result, report, earlier: undefined };
  };
  if (outcome.result !== undefined && outcome.class !== 'ODD_ANSWER')
    return executed(outcome.result);
  if (state === 'FAILED') return failedReport(execution, outcome.error?.message ?? outcome.reason);
  if (state === 'SUCCEEDED' && outcome.result !== undefined) return executed(outcome.result);
  return unknownReport(execution, {
    sinceMs: nowMs,
    reason: outcome.error?.message ?? outcome.reason,
  });
}
