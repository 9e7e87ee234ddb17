// Stage approval: the level is known; who answers, does somebody answer already, may one be asked?
import type { Allow, Ask, Deny, Failure, Level, LevelReason, ResolvedValue } from '../decision.ts';
import type { Facts } from '../facts.ts';

/** What an operation has when it reaches this stage. */
export interface ReadyToApprove {
  readonly level: Level;
  readonly values: readonly ResolvedValue[];
  readonly rules: readonly string[];
  readonly reasons: readonly LevelReason[];
}

/** Level 0 runs; a granted operation runs when it was granted at this level or above; else a person is asked. */
export function decideApproval(ready: ReadyToApprove, facts: Facts): Allow | Ask | Deny {
  const { repeat } = facts.live;
  if (repeat.kind === 'granted' && repeat.level >= ready.level) {
    return { kind: 'allow', ...ready, level: repeat.level, consumes: repeat.opId };
  }
  if (ready.level === 0) return { kind: 'allow', ...ready };
  const level = ready.level;
  if (repeat.kind === 'open' && repeat.level >= level) {
    return { kind: 'ask', ...ready, level: repeat.level, joins: repeat.opId };
  }
  const failure = cannotAsk({ ...ready, level }, facts);
  if (failure !== undefined) return { kind: 'deny', stage: 'approval', failures: [failure] };
  return { kind: 'ask', ...ready, level };
}

function cannotAsk(
  { level, reasons }: ReadyToApprove & { readonly level: 1 | 2 },
  facts: Facts,
): Failure | undefined {
  if (!facts.channels[level]) return noChannel(level, reasons);
  if (!facts.eligible[level]) return notEligible(level);
  if (facts.live.openApprovals >= facts.openApprovalsMax) return { code: 'APPROVAL_TOO_MANY' };
  return undefined;
}

function notEligible(level: 1 | 2): Failure {
  const detail = level === 2 ? 'no_second_person' : 'nobody_there';
  return { code: 'APPROVAL_NOT_ELIGIBLE', detail };
}

/** Names the text that asks for a person, so that the agent can leave it out. */
function noChannel(level: 1 | 2, reasons: ReadyToApprove['reasons']): Failure {
  const text = reasons.find((reason) => reason.kind === 'text');
  const why = text?.detail === undefined ? '' : `: the text holds ${text.detail}`;
  return {
    code: 'APPROVAL_NO_CHANNEL',
    detail: `level ${level}${why}`,
    ...(text?.path === undefined ? {} : { path: text.path }),
  };
}
