// The state of a request as JSON, for the script that keeps an open page true.
import { isFinal, wordsOf } from './approval-states.ts';
import type { FoundApproval } from './find-approval.ts';
import { type HttpAnswer, jsonAnswer } from './http-answer.ts';

type About = Pick<FoundApproval, 'state' | 'detail'>;

/** Changes with everything that a reader would notice. */
export const stateKey = ({ state, detail }: About): string =>
  [state, detail.operation, detail.votes.length].join(' ');

export function stateAnswer(found: About): HttpAnswer {
  const { state, detail } = found;
  const { votes, operation } = detail;
  return jsonAnswer({
    key: stateKey(found),
    ...wordsOf({ state, operation, votes: votes.length }),
    isFinal: isFinal(state, operation),
  });
}
