// Answers to a call that was made before: recognised after provenance, before budget, policy or a person.
import type { Deny, Failure } from '../decision.ts';
import type { RepeatFact } from '../facts.ts';

/** The refusal that an earlier operation demands, or undefined when the call goes on. */
export function checkRepeat(repeat: RepeatFact): Deny | undefined {
  switch (repeat.kind) {
    case 'in_flight':
      return refuse('execution', {
        code: 'EXECUTION_DUPLICATE',
        opId: repeat.opId,
        detail: 'in_flight',
      });
    case 'unknown':
      if (repeat.toolError) return undefined;
      return refuse('execution', {
        code: 'EXECUTION_DUPLICATE',
        opId: repeat.opId,
        detail: 'unknown',
      });
    case 'untold_success':
      return {
        ...refuse('execution', {
          code: 'EXECUTION_DUPLICATE',
          opId: repeat.opId,
          detail: 'untold_success',
        }),
        tells: repeat.opId,
      };
    case 'rejected':
      return refuse('approval', { code: 'APPROVAL_REJECTED', opId: repeat.opId });
    case 'ended_untold':
      return repeat.how === 'expired'
        ? refuse('approval', { code: 'APPROVAL_EXPIRED', opId: repeat.opId })
        : refuse('execution', { code: 'EXECUTION_CHANGED', opId: repeat.opId });
    case 'granted':
      if (repeat.changed.length === 0) return undefined;
      return refuse('execution', {
        code: 'EXECUTION_CHANGED',
        opId: repeat.opId,
        detail: repeat.changed.join(', '),
      });
    case 'none':
    case 'open':
    case 'recent_success':
      return undefined;
  }
}

function refuse(stage: Deny['stage'], failure: Failure): Deny {
  return { kind: 'deny', stage, failures: [failure] };
}
