// What each reason code means for the owner of a gateway: the usual cause and what to do about it.
// The sentence for the agent and the next steps stand in the table of the source.
import type { ReasonCode } from '../../src/core/reason-codes.ts';

export const reasonNotes: Readonly<Record<ReasonCode, string>> = {
  AUTHN_TOKEN_INVALID: 'The store holds no mandate of this session. Start the gateway again.',
  AUTHN_TOKEN_EXPIRED:
    'The time of the mandate is over; the next call gets its successor. When it stays, look at the clock of the computer and at `[mandate] expires_in`.',
  AUTHN_NOT_YET_VALID:
    'The clock stands before the time at which the mandate was issued. Correct the clock.',
  AUTHN_MANDATE_REVOKED:
    'The mandate was replaced by a newer one, or revoked. Start the gateway again with the present configuration.',
  AUTHN_MANDATE_SUSPENDED:
    'A person rejected three approval requests within an hour. Find out what the agent was doing, then `intentplane mandate resume --config FILE`.',
  AUTHN_CHAIN_BROKEN:
    'A mandate above this one is suspended, revoked or expired, or the chain is longer than six.',
  RATE_LIMITED:
    'More refusals and questions in one minute than `[gateway] rate_limit`, or too many calls at once. What is dropped is only counted. Look for an agent in a loop.',
  CONTRACT_UNKNOWN_ACTION:
    'The tool is hidden or does not exist, or no entry with `when` fits the arguments. Add the tool to the file if the agent should have it.',
  CONTRACT_UNEXPECTED_VALUE:
    'An argument that neither the contract nor the schema of the tool knows, or any undeclared one with `undeclared = "refuse"`. Declare it if it is meant.',
  CONTRACT_MISSING_VALUE:
    'A declared parameter is absent. Add `optional = true` when the tool does not need it.',
  CONTRACT_TYPE: 'The argument does not have the declared type, or breaks the schema of the tool.',
  CONTRACT_INVALID:
    'A bound, pattern, line break, hidden character or number that cannot be read exactly. The answer names the form that is expected.',
  CONTRACT_TOO_LARGE: 'More than 1 MiB, 32 levels, 1,000 keys of an object or 10,000 values.',
  CONTRACT_TOOL_CHANGED:
    'The server announces another definition than the recorded one. Read the difference with `intentplane mcp pins diff --config FILE`; accept it only when you know why.',
  PROVENANCE_UNTRUSTED:
    'No source of the parameter holds the value. If it is right, the owner adds it to the registry or claim; the agent cannot.',
  PROVENANCE_AMBIGUOUS:
    'Several records fit and it matters which, or one recipient stands twice in a list. Name the record with `ref:<id>`, or mend the registry.',
  PROVENANCE_LOOKALIKE:
    'The value imitates a trusted one with other characters. Treat it as an attack: find the document it came from.',
  PROVENANCE_RECORD_MISMATCH:
    'The value belongs to another record than the one selected beside it (`record = "…"`).',
  PROVENANCE_STALE: 'The record is older than `max_age`. Check it and renew `verified_at`.',
  PROVENANCE_SOURCE_UNAVAILABLE:
    'The registry file cannot be read, is broken, or is still being indexed. The log says which; nothing falls back to the value of the agent.',
  PROVENANCE_TEXT_ENTITY:
    'A text that leaves names an address, link or account that nothing trusted explains (with `on_unknown = "deny"`), or holds a key or token (always).',
  DELEGATION_SCOPE_MISSING:
    '`[mandate] scopes` does not list the scope of this tool. Add it, or leave the key out to allow every configured action.',
  BUDGET_AMOUNT:
    'Spent, reserved and this amount together exceed `[mandate] budget`. Operations whose outcome is unknown keep their share. A higher `budget` in the file amends the mandate at the next start.',
  BUDGET_CALLS: 'The same for the number of calls, `[mandate] calls`.',
  BUDGET_PERIOD:
    'The same for `[mandate] period_budget`, within its `period`. It passes by itself when the period ends, or when older operations fall out of a rolling one. `clock_regressed`: the clock of the machine was set back by more than a minute; windows are counted again once it has passed the last stored instant.',
  POLICY_NO_PERMIT: 'No `permit` of the policy applies at any level. Add a rule if it should.',
  POLICY_FORBIDDEN: 'A `forbid` applies. It outranks every `permit` and every approval.',
  POLICY_ERROR:
    'A rule could not be evaluated. The receipt names it; test with `has` before reading an optional parameter.',
  APPROVAL_PENDING: 'A person is asked: on the page, in a form of the client, or both.',
  APPROVAL_REJECTED:
    'A person said no. The same call is refused for ten minutes without asking again.',
  APPROVAL_EXPIRED: 'Nobody answered in time (`[approvals] expires_in`). The next call asks again.',
  APPROVAL_NO_CHANNEL:
    'The client shows no forms and no page runs, so nobody can be asked. See the guide to approvals.',
  APPROVAL_NOT_ELIGIBLE: 'The person who answered may not answer this request.',
  APPROVAL_TOO_MANY: 'Five requests of this mandate are open. Answer them, or let them expire.',
  EXECUTION_CHANGED:
    'A record, the policy, the contract or the definition of the tool changed between approval and execution. The approval is void; the next call asks again.',
  EXECUTION_DUPLICATE:
    'The same call is running, its outcome is unknown, it already succeeded and its answer was not kept, or another operation has a value that counts `once`. Nothing was sent.',
  EXECUTION_FAILED: 'The call certainly had no effect. Its budget is released.',
  EXECUTION_UNKNOWN:
    'The call was sent and nobody knows what came of it. Look in the other system; see the page on unknown outcomes.',
  RECEIPT_UNAVAILABLE:
    'The store cannot commit; its error code stands in the log and in the answer. Nothing runs without a receipt.',
  INTERNAL: 'A mistake of the gateway. The log has its stack; please report it.',
};
