// What the reference gateway finds when a call comes.
import type { ReferenceGateway } from './reference-gateway.ts';
import type { Draft, ReferenceMandate, ReferenceOperation, Situation } from './reference-rows.ts';
import { type SimArguments, simAction } from './sim-calls.ts';

/** A call, and everything that was there before it. */
export function situationOf(
  rows: Pick<ReferenceGateway, 'operations' | 'approvals' | 'mandates'>,
  draft: Draft,
  nowMs: number,
): Situation {
  const mandate = rows.mandates.get(draft.mandateId) as ReferenceMandate;
  const { amount, note } = JSON.parse(draft.call ?? '{}') as SimArguments;
  const rule = simAction(draft.action);
  const once = rule.isOnce === true ? `${draft.action}|${note}` : undefined;
  const holder = [...rows.operations.values()].find(
    (each) =>
      once !== undefined &&
      each.once === once &&
      ['DISPATCHING', 'UNKNOWN', 'SUCCEEDED'].includes(each.state),
  );
  const sameness = [mandate.line, draft.action, amount, note].join('|');
  const same = [...rows.operations.values()].filter(
    (each) => each.sameness === sameness && rule.effect === 'write',
  );
  const newest = same.at(-1);
  const question = [...rows.approvals.values()].find((each) => each.opId === newest?.opId);
  const isWaiting = newest?.state === 'ASKING' && question !== undefined;
  return {
    draft,
    nowMs,
    mandate,
    amount,
    sameness,
    once,
    holder,
    newest,
    question,
    waiting: isWaiting ? { operation: newest, question } : undefined,
    untold: same.filter((each) => each.state === 'SUCCEEDED' && !each.told).at(-1),
    unresolved: same
      .filter((each) => each.state === 'DISPATCHING' || each.state === 'UNKNOWN')
      .at(-1),
    success: same
      .filter((each) => each.state === 'SUCCEEDED')
      .toSorted((one, other) => one.movedMs - other.movedMs)
      .at(-1),
  };
}

/** The row of a new operation without its state. */
export function freshRow({
  draft,
  amount,
  sameness,
  once,
  mandate,
}: Situation): Partial<ReferenceOperation> {
  const { opId, action, binding } = draft;
  const { definition } = binding;
  const { root, mandateId } = mandate;
  return {
    opId,
    mandateId,
    action,
    amount,
    sameness,
    once,
    root,
    definition,
    outcome: undefined,
    told: true,
  };
}

/** A value that counts once is taken; one that a person gives back with this call is not. */
export function refusedByHolder({ holder, unresolved }: Situation): string | undefined {
  return holder === undefined || holder === unresolved ? undefined : 'EXECUTION_DUPLICATE';
}
