// What a transaction answered, in one line, as the reference gateway says it.
import type { DecisionPlan } from '../../src/core/moves/plan-decision.ts';
import type { StoreEvent } from './store-call.ts';

export function describeEvent(event: StoreEvent): string {
  switch (event.kind) {
    case 'start':
    case 'heartbeat':
      return `unknown: ${event.orphans.join()}`;
    case 'join':
      return event.mandate.mandateId;
    case 'decide':
      return decided(event.plan);
    case 'finish':
      return `${event.plan.late ? 'late ' : ''}${event.plan.state}`;
    case 'reconcile':
      return event.plan.isSettled ? `${event.plan.state}` : `not unknown: ${event.plan.state}`;
    case 'resend':
      return event.plan.kind === 'resent'
        ? `attempt ${event.plan.operation.attempt}`
        : `refused: ${event.plan.reason}`;
    case 'claim':
      return event.job === undefined ? 'nothing' : `${event.job.opId} ${event.job.attempt}`;
    case 'checked':
      return event.isHeld ? 'unknown' : 'over';
    case 'answer':
      return answered(event.plan.result);
    case 'cancel':
      return event.ended?.state ?? 'nothing';
    case 'expire':
      return event.ended.map(({ approvalId }) => approvalId).join();
    case 'suspend':
      return 'suspended';
    case 'resume':
      return event.mandate?.mandateId ?? 'nothing';
    case 'read operation':
    case 'read budgets':
      return '';
  }
}

function decided(plan: DecisionPlan): string {
  if (plan.kind === 'incomplete') return 'incomplete';
  const { decision, opId } = plan;
  if (decision.kind === 'allow') return `dispatch ${opId}`;
  if (decision.kind === 'ask') return `ask ${opId}`;
  const told = decision.tells === undefined ? '' : ` tells ${decision.tells}`;
  return `deny ${decision.failures[0].code}${told}`;
}

function answered(result: Extract<StoreEvent, { kind: 'answer' }>['plan']['result']): string {
  if (result.ok) return result.state;
  return [result.code, result.state].filter((each) => each !== undefined).join(' ');
}
