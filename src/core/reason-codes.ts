// Every reason code once: its stage, what it means, and what an agent is told to do next.

/** Stages of a decision in their order; the first failing one decides. */
export const stages = [
  'authn',
  'contract',
  'provenance',
  'delegation',
  'budget',
  'policy',
  'approval',
  'execution',
  'receipt',
] as const;

export type Stage = (typeof stages)[number];

/** The next legal step of an agent; the closed list of the answers. */
export type NextStep =
  | 'use_trusted_value'
  | 'fix_argument'
  | 'ask_owner'
  | 'open_link'
  | 'repeat_same_call'
  | 'wait'
  | 'do_not_repeat'
  | 'stop';

/** A stable reason code: clients, policies and auditors rely on the names. */
export type ReasonCode =
  | 'AUTHN_TOKEN_INVALID'
  | 'AUTHN_TOKEN_EXPIRED'
  | 'AUTHN_NOT_YET_VALID'
  | 'AUTHN_MANDATE_REVOKED'
  | 'AUTHN_MANDATE_SUSPENDED'
  | 'AUTHN_CHAIN_BROKEN'
  | 'RATE_LIMITED'
  | 'CONTRACT_UNKNOWN_ACTION'
  | 'CONTRACT_UNEXPECTED_VALUE'
  | 'CONTRACT_MISSING_VALUE'
  | 'CONTRACT_TYPE'
  | 'CONTRACT_INVALID'
  | 'CONTRACT_TOO_LARGE'
  | 'CONTRACT_TOOL_CHANGED'
  | 'PROVENANCE_UNTRUSTED'
  | 'PROVENANCE_AMBIGUOUS'
  | 'PROVENANCE_LOOKALIKE'
  | 'PROVENANCE_RECORD_MISMATCH'
  | 'PROVENANCE_STALE'
  | 'PROVENANCE_SOURCE_UNAVAILABLE'
  | 'PROVENANCE_TEXT_ENTITY'
  | 'DELEGATION_SCOPE_MISSING'
  | 'BUDGET_AMOUNT'
  | 'BUDGET_CALLS'
  | 'BUDGET_PERIOD'
  | 'POLICY_NO_PERMIT'
  | 'POLICY_FORBIDDEN'
  | 'POLICY_ERROR'
  | 'APPROVAL_PENDING'
  | 'APPROVAL_REJECTED'
  | 'APPROVAL_EXPIRED'
  | 'APPROVAL_NO_CHANNEL'
  | 'APPROVAL_NOT_ELIGIBLE'
  | 'APPROVAL_TOO_MANY'
  | 'EXECUTION_CHANGED'
  | 'EXECUTION_DUPLICATE'
  | 'EXECUTION_FAILED'
  | 'EXECUTION_UNKNOWN'
  | 'RECEIPT_UNAVAILABLE'
  | 'INTERNAL';

interface CodeRow {
  readonly stage: Stage;
  /** One sentence for the agent, no full stop. */
  readonly sentence: string;
  readonly next: readonly NextStep[];
}

const row = (stage: Stage, sentence: string, ...next: readonly NextStep[]): CodeRow => ({
  stage,
  sentence,
  next,
});

/** The table of reason codes. */
export const reasonCodes: Readonly<Record<ReasonCode, CodeRow>> = {
  AUTHN_TOKEN_INVALID: row(
    'authn',
    'the mandate of this session is not valid',
    'ask_owner',
    'stop',
  ),
  AUTHN_TOKEN_EXPIRED: row('authn', 'the mandate of this session has expired', 'ask_owner', 'stop'),
  AUTHN_NOT_YET_VALID: row('authn', 'the mandate of this session is not valid yet', 'wait'),
  AUTHN_MANDATE_REVOKED: row('authn', 'the mandate was revoked', 'stop'),
  AUTHN_MANDATE_SUSPENDED: row('authn', 'the mandate is suspended', 'ask_owner', 'stop'),
  AUTHN_CHAIN_BROKEN: row(
    'authn',
    'a mandate that this one was delegated from cannot be used now',
    'ask_owner',
    'stop',
  ),
  RATE_LIMITED: row('authn', 'too many refused or asked calls in one minute', 'wait'),
  CONTRACT_UNKNOWN_ACTION: row('contract', 'there is no such action', 'stop'),
  CONTRACT_UNEXPECTED_VALUE: row('contract', 'an argument is not known', 'fix_argument'),
  CONTRACT_MISSING_VALUE: row('contract', 'a required argument is missing', 'fix_argument'),
  CONTRACT_TYPE: row('contract', 'an argument has the wrong type', 'fix_argument'),
  CONTRACT_INVALID: row('contract', 'an argument is not valid', 'fix_argument'),
  CONTRACT_TOO_LARGE: row('contract', 'the arguments are too large', 'fix_argument'),
  CONTRACT_TOOL_CHANGED: row(
    'contract',
    "the tool's definition changed since it was accepted",
    'ask_owner',
    'stop',
  ),
  PROVENANCE_UNTRUSTED: row(
    'provenance',
    'a value does not come from a trusted source',
    'use_trusted_value',
    'ask_owner',
  ),
  PROVENANCE_AMBIGUOUS: row(
    'provenance',
    'a value fits more than one trusted record',
    'fix_argument',
    'ask_owner',
  ),
  PROVENANCE_LOOKALIKE: row(
    'provenance',
    'a value looks like a trusted one and is not it',
    'use_trusted_value',
    'stop',
  ),
  PROVENANCE_RECORD_MISMATCH: row(
    'provenance',
    'a value does not belong to the record named beside it',
    'fix_argument',
  ),
  PROVENANCE_STALE: row('provenance', 'the trusted record is too old to be used', 'ask_owner'),
  PROVENANCE_SOURCE_UNAVAILABLE: row(
    'provenance',
    'a trusted source cannot be reached',
    'wait',
    'repeat_same_call',
  ),
  PROVENANCE_TEXT_ENTITY: row(
    'provenance',
    'a text names an address, link or account that nothing trusted explains',
    'fix_argument',
    'ask_owner',
  ),
  DELEGATION_SCOPE_MISSING: row('delegation', 'the mandate does not hold this scope', 'ask_owner'),
  BUDGET_AMOUNT: row(
    'budget',
    'the amount is above what the budget leaves',
    'fix_argument',
    'ask_owner',
  ),
  BUDGET_CALLS: row('budget', 'the number of calls is used up', 'ask_owner'),
  BUDGET_PERIOD: row(
    'budget',
    'this is above what the budget of the current period leaves',
    'wait',
    'ask_owner',
  ),
  POLICY_NO_PERMIT: row('policy', 'no policy permits this', 'stop'),
  POLICY_FORBIDDEN: row('policy', 'a policy forbids this', 'stop'),
  POLICY_ERROR: row('policy', 'a policy could not be evaluated', 'ask_owner', 'stop'),
  APPROVAL_PENDING: row(
    'approval',
    'a person must confirm this first',
    'open_link',
    'repeat_same_call',
  ),
  APPROVAL_REJECTED: row('approval', 'a person rejected this', 'stop'),
  APPROVAL_EXPIRED: row('approval', 'nobody confirmed this in time', 'repeat_same_call'),
  APPROVAL_NO_CHANNEL: row(
    'approval',
    'this needs a person and no channel reaches one',
    'ask_owner',
    'stop',
  ),
  APPROVAL_NOT_ELIGIBLE: row('approval', 'nobody who may confirm this exists', 'ask_owner', 'stop'),
  APPROVAL_TOO_MANY: row('approval', 'too many confirmations are open already', 'wait'),
  EXECUTION_CHANGED: row(
    'execution',
    'what was confirmed is no longer what would run',
    'repeat_same_call',
  ),
  EXECUTION_DUPLICATE: row(
    'execution',
    'the same operation is already there; nothing was sent again',
    'do_not_repeat',
  ),
  EXECUTION_FAILED: row('execution', 'the call failed and nothing took effect', 'repeat_same_call'),
  EXECUTION_UNKNOWN: row(
    'execution',
    'it is not known whether the effect happened',
    'do_not_repeat',
  ),
  RECEIPT_UNAVAILABLE: row(
    'receipt',
    'the record cannot be written, so nothing is executed',
    'wait',
    'repeat_same_call',
  ),
  INTERNAL: row('receipt', 'the gateway failed; nothing was executed', 'ask_owner', 'stop'),
};
