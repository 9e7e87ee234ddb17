// The states of a request in the words of the page.
import type { ApprovalState, OperationState } from '../core/operation.ts';

export interface StateWords {
  readonly title: string;
  readonly sentence: string;
  readonly tone: 'open' | 'good' | 'ended';
}

/** What the person reads about a request in this state. */
const requestWords: Readonly<Record<ApprovalState, StateWords>> = {
  REQUESTED: {
    title: 'Waiting for your answer',
    sentence: 'Nothing happens until you answer.',
    tone: 'open',
  },
  GRANTED: {
    title: 'Approved',
    sentence:
      "The agent's next identical call executes it, once. If the agent is waiting on its call, that call executes it now.",
    tone: 'good',
  },
  CONSUMED: {
    title: 'Approved and used',
    sentence: 'The operation was handed on. An approval is used once; this one is over.',
    tone: 'good',
  },
  REJECTED: {
    title: 'Rejected',
    sentence:
      'Nothing was executed. The same call is refused for 10 minutes without asking you again.',
    tone: 'ended',
  },
  EXPIRED: {
    title: 'Expired',
    sentence: 'Nobody answered in time. Nothing was executed.',
    tone: 'ended',
  },
  CANCELLED: {
    title: 'Cancelled',
    sentence: 'The question was withdrawn. Nothing was executed.',
    tone: 'ended',
  },
  VOIDED: {
    title: 'No longer valid',
    sentence: 'Something that it rests on has changed. Nothing was executed.',
    tone: 'ended',
  },
};

/** What became of a grant that was used. */
const outcomeWords: Readonly<Partial<Record<OperationState, StateWords>>> = {
  DISPATCHING: {
    title: 'Approved and under way',
    sentence: 'The operation was handed on; the answer of the server is not here yet.',
    tone: 'good',
  },
  SUCCEEDED: {
    title: 'Executed',
    sentence: 'The server confirmed the operation. An approval is used once; this one is over.',
    tone: 'good',
  },
  FAILED: {
    title: 'Not executed',
    sentence: 'It was approved, but it was refused or could not be sent. Nothing took effect.',
    tone: 'ended',
  },
  UNKNOWN: {
    title: 'Nobody knows yet',
    sentence:
      'It was approved and handed on, and no clear answer came back. It may have been executed: it is looked for, and not sent again meanwhile.',
    tone: 'open',
  },
};

/** The words for a request, its votes and its operation. */
export function wordsOf(about: {
  readonly state: ApprovalState;
  readonly operation: OperationState;
  readonly votes: number;
}): StateWords {
  const { state, operation, votes } = about;
  const outcome = state === 'CONSUMED' ? outcomeWords[operation] : undefined;
  if (outcome !== undefined) return outcome;
  if (state !== 'REQUESTED' || votes === 0) return requestWords[state];
  return {
    title: 'Approved in part',
    sentence: 'Nothing happens until everybody who has to has answered.',
    tone: 'open',
  };
}

/** Whether nothing more will happen to it. */
export const isFinal = (state: ApprovalState, operation: OperationState): boolean =>
  state === 'CONSUMED'
    ? operation === 'SUCCEEDED' || operation === 'FAILED'
    : state !== 'REQUESTED' && state !== 'GRANTED';
