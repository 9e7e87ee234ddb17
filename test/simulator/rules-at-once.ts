// Rules that must hold at every moment: at each commit, and whenever something leaves a process.
import type { MemoryTables } from '../../src/stores/memory/memory-tables.ts';
import { decisionCall } from './decision-call.ts';
import { simAction } from './sim-calls.ts';
import type { Sending } from './sim-target.ts';
import type { BurialEvent, StoreEvent } from './store-call.ts';
import type { World } from './world.ts';

/** What the store holds after a transaction. */
export function commitProblems(world: World, event: StoreEvent): readonly string[] {
  const { tables, commits } = world.database;
  const problems = [...limitProblems(tables)];
  if (event.kind === 'start' || event.kind === 'heartbeat') {
    problems.push(...burialProblems(world, event));
  }
  if (event.kind === 'resend' && event.plan.kind === 'resent') {
    world.dispatchedIn.set(event.request.opId, commits);
  }
  if (event.kind !== 'decide' || event.plan.kind !== 'decided') return problems;
  const { decision, opId, writes } = event.plan;
  for (const { from, to } of writes.moveOperations) {
    // Who approves after an error says that the first attempt had no effect.
    if (from === 'UNKNOWN') world.saidWrongly.add(to.opId);
  }
  if (decision.kind !== 'allow' || opId === undefined) return problems;
  world.dispatchedIn.set(opId, commits);
  return [...problems, ...dispatchProblems(world, opId, event.draft.binding.definition)];
}

function limitProblems({ budgets }: MemoryTables): readonly string[] {
  const problems: string[] = [];
  for (const { kind, reserved, spent, limit } of budgets.values()) {
    if (reserved + spent > limit) problems.push(`budget ${kind} is over its limit`);
    if (reserved < 0 || spent < 0) problems.push(`budget ${kind} is below zero`);
  }
  return problems;
}

/** What is under way is left to the process that has it, as long as anything can come of it. */
function burialProblems(
  { database: { tables }, processes, target, hasSteppedBack }: World,
  { by, settled }: BurialEvent,
): readonly string[] {
  if (hasSteppedBack) return [];
  const own = processes.find(({ processId }) => processId === by);
  return settled.flatMap(({ opId }) => {
    const row = tables.operations.get(opId);
    const owner = processes.find(({ processId }) => processId === row?.owner);
    if (row === undefined || owner === undefined || own === undefined) return [];
    // What has not left yet is looked at again before it does.
    const isSent = target.sendings.some(
      (each) => each.opId === opId && each.attempt === row.attempt,
    );
    if (!isSent) return [];
    if (owner.host === own.host) {
      return owner.state === 'dead' ? [] : ['took what a living process of its host has'];
    }
    return row.movedMs < (row.deadlineMs ?? 0) ? ['took what may still be under way'] : [];
  });
}

/** A dispatch needs its grant, as it was given, and no success that is still to be told. */
function dispatchProblems(
  { database: { tables }, reference }: World,
  opId: string,
  definition: string | null,
): readonly string[] {
  const problems: string[] = [];
  const row = tables.operations.get(opId);
  const approvalId = tables.approvalIdOf.get(opId);
  const approval = approvalId === undefined ? undefined : tables.approvals.get(approvalId);
  if (row?.level !== 0 && approval?.state !== 'CONSUMED') {
    problems.push('dispatched without using up its approval');
  }
  if (approval !== undefined && reference.operations.get(opId)?.definition !== definition) {
    problems.push('dispatched although the tool is not the one that was approved');
  }
  const isUnderWay = [...tables.operations.values()].some(
    (other) =>
      other.fingerprint === row?.fingerprint &&
      other.opId !== opId &&
      other.effect === 'write' &&
      (other.state === 'DISPATCHING' || other.state === 'UNKNOWN'),
  );
  if (isUnderWay) problems.push('dispatched although the same call may be under way');
  const isUntold = [...tables.operations.values()].some(
    (other) =>
      other.fingerprint === row?.fingerprint &&
      other.opId !== opId &&
      other.effect === 'write' &&
      other.state === 'SUCCEEDED' &&
      !other.told,
  );
  return isUntold ? [...problems, 'executed again although a success was never told'] : problems;
}

/** What leaves a process is durable, belongs to it, was never sent before, and is what was decided. */
export function sendProblems(world: World, sending: Sending): readonly string[] {
  const { database, target, dispatchedIn } = world;
  const { opId, attempt, processId, action } = sending;
  const row = database.tables.operations.get(opId);
  const problems: string[] = [];
  if ((dispatchedIn.get(opId) ?? Number.POSITIVE_INFINITY) > database.durableUpTo) {
    problems.push('sent before the intent was durable');
  }
  if (row?.state !== 'DISPATCHING' || row.owner !== processId || row.attempt !== attempt) {
    problems.push(`sent what is ${row?.state ?? 'absent'}, or not its own`);
  }
  const before = target.sendings.filter((each) => each !== sending && each.opId === opId);
  const { isIdempotent, keyLifetimeMs } = simAction(action);
  if (before.length > 0 && !isIdempotent) problems.push('sent twice');
  if (before.length > 0 && keyLifetimeMs === undefined) problems.push('sent twice without a key');
  if (attempt > 3 || before.length > 2) problems.push('sent a fourth time');
  if (before.some(({ key }) => key !== sending.key)) problems.push('sent again under another key');
  if (sending.call !== decisionCall(database.tables, opId)) {
    problems.push('sent something else than was decided');
  }
  return problems;
}
