// The states of a request in the words of the page.
import type { ApprovalState } from '../core/operation.ts';

interface StateWords {
  readonly title: string;
  readonly sentence: string;
  readonly tone: 'open' | 'good' | 'ended';
}

/** What the person reads about a request in this state. */
export const stateWords: Readonly<Record<ApprovalState, StateWords>> = {
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
