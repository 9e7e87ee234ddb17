// One look-up of an operation whose outcome nobody knows: asked, settled or sent again, planned anew.
import type { Lookup } from '../connectors/connector.ts';
import type { LookupFinding } from '../core/checks/judge-lookup.ts';
import type { LeafDraft } from '../core/leaf.ts';
import { alarmAfterMs, isAlarmDue, nextCheckMs } from '../core/moves/next-check.ts';
import type { Finding } from '../core/moves/plan-reconcile.ts';
import { attemptKey } from '../core/operation.ts';
import type { CheckJob } from '../stores/check-job.ts';
import { type Execution, executeOperation } from './execute-operation.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { mirrorOutcome } from './mirror-receipt.ts';
import { resendOperation } from './resend-operation.ts';
import { readSentOperation, type SentOperation } from './sent-operation.ts';

/** A look-up is given up after this: 30 s. */
const lookupTimeoutMs = 30_000;
/** Nobody else looks for the same operation meanwhile; a dead process holds it no longer: 60 s. */
const checkLeaseMs = 60_000;

/** Takes one look-up that is due, or that of this operation, and makes it. False when there was none. */
export async function checkUnknown(parts: GatewayParts, opId?: string): Promise<boolean> {
  const wish = { leaseMs: checkLeaseMs, ...(opId === undefined ? {} : { opId }) };
  const job = await parts.store.claimCheck(wish);
  if (job === undefined) return false;
  const sent = await readSentOperation(parts, job);
  const finding = await lookUp(parts, sent);
  const again = await settle(parts, { job, sent, finding });
  await planNext(parts, { job, sent, finding });
  if (again !== undefined) await executeOperation(parts, again);
  return true;
}

/** Whatever the connector does, only one of the four answers comes out of it; undefined = nobody can be asked. */
async function lookUp(
  parts: GatewayParts,
  sent: SentOperation | undefined,
): Promise<LookupFinding | undefined> {
  const { connector } = parts;
  if (sent?.promises.canReconcile !== true || connector.reconcile === undefined) return undefined;
  const { contract, firstSentMs, stored } = sent;
  const { opId, action } = stored.row;
  const { server, tool } = contract;
  const lookup: Lookup = {
    contract,
    key: attemptKey(opId),
    firstSentMs,
    timeoutMs: lookupTimeoutMs,
  };
  try {
    const operation = { opId, action, server, tool, call: stored.call };
    return checked(await connector.reconcile(operation, lookup));
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    parts.log('error', `connector threw: ${what}`, { op: opId });
    return alarm('the connector failed');
  }
}

const alarm = (reason: string): LookupFinding => ({ kind: 'unclear', reason, isAlarm: true });

/** Every answer there is: what is none of them settles nothing. */
const kinds: Readonly<Record<LookupFinding['kind'], true>> = {
  succeeded: true,
  failed: true,
  absent: true,
  unclear: true,
};

function checked(finding: LookupFinding): LookupFinding {
  if (!Object.hasOwn(kinds, finding.kind)) return alarm('the connector named an unknown class');
  if (finding.kind !== 'succeeded' || finding.amount === undefined) return finding;
  const isAmount = Number.isSafeInteger(finding.amount) && finding.amount >= 0;
  return isAmount ? finding : alarm('the connector named no whole amount');
}

/** Settles it, or commits another attempt, which is returned to be executed. */
async function settle(
  parts: GatewayParts,
  { job, sent, finding }: Looked,
): Promise<Execution | undefined> {
  if (sent === undefined || finding?.kind === 'unclear') return undefined;
  const isIdempotent = sent.promises.keyLifetimeMs !== undefined;
  if (finding === undefined)
    return isIdempotent ? resendOperation(parts, sent, 'no_lookup') : undefined;
  if (finding.kind === 'absent' && isIdempotent) {
    const again = await resendOperation(parts, sent, 'absent');
    if (again !== undefined) return again;
  }
  await record(parts, sent, { ...toFinding(sent, finding), lookedMs: job.nowMs });
  return undefined;
}

type Certain = Exclude<LookupFinding, { readonly kind: 'unclear' }>;

async function record(parts: GatewayParts, sent: SentOperation, found: Finding): Promise<void> {
  const { row } = sent.stored;
  const { opId } = row;
  const { amount } = found;
  if (amount !== undefined && amount !== (sent.decidedAmount ?? amount)) {
    const what = 'the target moved another amount than was decided';
    parts.log('error', what, { op: opId });
    await parts.store.appendLeaves([oddLookupLeaf(opId, what)]);
  }
  const plan = await parts.store.reconcile(found);
  if (!plan.isSettled || (plan.state !== 'SUCCEEDED' && plan.state !== 'FAILED')) return;
  mirrorOutcome(parts, row, plan.state);
  parts.log('info', `an unknown outcome is known now: ${plan.state}`, { op: opId });
}

function toFinding({ stored, promises }: SentOperation, finding: Certain): Finding {
  const { opId, attempt } = stored.row;
  const { absenceFinalAfterMs } = promises;
  const { amount, reference } =
    finding.kind === 'succeeded' ? finding : { amount: undefined, reference: undefined };
  return {
    opId,
    attempt,
    finding: finding.kind,
    method: 'connector',
    person: undefined,
    evidence: 'the target was asked',
    isTold: false,
    ...(absenceFinalAfterMs === undefined ? {} : { absenceFinalAfterMs }),
    ...(amount === undefined ? {} : { amount }),
    ...(reference === undefined ? {} : { reference }),
  };
}

interface Looked {
  readonly job: CheckJob;
  readonly sent: SentOperation | undefined;
  readonly finding: LookupFinding | undefined;
}

/** The next look-up, and once a day a word about an operation that stays UNKNOWN. */
async function planNext(parts: GatewayParts, looked: Looked): Promise<void> {
  const { job, finding } = looked;
  const { opId, attempt, firstUnknownMs, nowMs } = job;
  const isOld = isAlarmDue({ unknownSinceMs: firstUnknownMs, alarmedMs: job.alarmedMs, nowMs });
  const odd = finding?.kind === 'unclear' && finding.isAlarm ? finding.reason : undefined;
  const alarmedMs = isOld ? nowMs : job.alarmedMs;
  const leaves: readonly LeafDraft[] = [
    ...(odd === undefined ? [] : [oddLookupLeaf(opId, odd)]),
    ...(isOld ? [oldLeaf(opId, Math.floor((nowMs - firstUnknownMs) / 3_600_000))] : []),
  ];
  const checks = job.checks + 1;
  const dueMs = nextDueMs(parts, looked, alarmedMs);
  const isOpen = await parts.store.finishCheck({ opId, attempt, checks, dueMs, alarmedMs, leaves });
  if (!isOpen) return;
  if (odd !== undefined) parts.log('error', odd, { op: opId });
  if (isOld)
    parts.log('error', 'an outcome is unknown for more than a day: look at the target', {
      op: opId,
    });
}

/** Where nothing can be asked and nothing may be sent there is only the daily word. */
function nextDueMs(
  parts: GatewayParts,
  { job, sent }: Looked,
  alarmedMs: number | undefined,
): number {
  const { unknownSinceMs, firstUnknownMs, nowMs } = job;
  if (sent !== undefined && !sent.promises.canReconcile && !sent.promises.keyLifetimeMs)
    return (alarmedMs ?? firstUnknownMs) + alarmAfterMs;
  const jitter = (parts.random(1)[0] ?? 0) / 256;
  return nextCheckMs({ unknownSinceMs, checks: job.checks + 1, nowMs, jitter });
}

function oddLookupLeaf(op: string, reason: string): LeafDraft {
  return {
    type: 'alarm',
    code: 'EXECUTION_UNKNOWN',
    open: { kind: 'odd_lookup' },
    committed: { op, reason },
  };
}

function oldLeaf(op: string, hours: number): LeafDraft {
  return {
    type: 'alarm',
    code: 'EXECUTION_UNKNOWN',
    open: { kind: 'unknown_too_long', figures: { hours } },
    committed: { op },
  };
}
