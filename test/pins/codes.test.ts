// What clients, policies and auditors read as text: codes, stages, next steps, status numbers.
import { describe, expect, it } from 'vitest';
import { reasonCodes, stages } from '../../src/core/reason-codes.ts';
import { pageFaults } from '../../src/http/page-faults.ts';
import { rpcCodes } from '../../src/proxy/message.ts';

/** Code → stage, next steps, sentence. */
const codes: Readonly<Record<string, readonly [stage: string, next: string, sentence: string]>> = {
  AUTHN_TOKEN_INVALID: ['authn', 'ask_owner stop', 'the mandate of this session is not valid'],
  AUTHN_TOKEN_EXPIRED: ['authn', 'ask_owner stop', 'the mandate of this session has expired'],
  AUTHN_NOT_YET_VALID: ['authn', 'wait', 'the mandate of this session is not valid yet'],
  AUTHN_MANDATE_REVOKED: ['authn', 'stop', 'the mandate was revoked'],
  AUTHN_MANDATE_SUSPENDED: ['authn', 'ask_owner stop', 'the mandate is suspended'],
  RATE_LIMITED: ['authn', 'wait', 'too many refused or asked calls in one minute'],
  CONTRACT_UNKNOWN_ACTION: ['contract', 'stop', 'there is no such action'],
  CONTRACT_UNEXPECTED_VALUE: ['contract', 'fix_argument', 'an argument is not known'],
  CONTRACT_MISSING_VALUE: ['contract', 'fix_argument', 'a required argument is missing'],
  CONTRACT_TYPE: ['contract', 'fix_argument', 'an argument has the wrong type'],
  CONTRACT_INVALID: ['contract', 'fix_argument', 'an argument is not valid'],
  CONTRACT_TOO_LARGE: ['contract', 'fix_argument', 'the arguments are too large'],
  CONTRACT_TOOL_CHANGED: [
    'contract',
    'ask_owner stop',
    "the tool's definition changed since it was accepted",
  ],
  PROVENANCE_UNTRUSTED: [
    'provenance',
    'use_trusted_value ask_owner',
    'a value does not come from a trusted source',
  ],
  PROVENANCE_AMBIGUOUS: [
    'provenance',
    'fix_argument ask_owner',
    'a value fits more than one trusted record',
  ],
  PROVENANCE_LOOKALIKE: [
    'provenance',
    'use_trusted_value stop',
    'a value looks like a trusted one and is not it',
  ],
  PROVENANCE_RECORD_MISMATCH: [
    'provenance',
    'fix_argument',
    'a value does not belong to the record named beside it',
  ],
  PROVENANCE_STALE: ['provenance', 'ask_owner', 'the trusted record is too old to be used'],
  PROVENANCE_SOURCE_UNAVAILABLE: [
    'provenance',
    'wait repeat_same_call',
    'a trusted source cannot be reached',
  ],
  PROVENANCE_TEXT_ENTITY: [
    'provenance',
    'fix_argument ask_owner',
    'a text names an address, link or account that nothing trusted explains',
  ],
  DELEGATION_SCOPE_MISSING: ['delegation', 'ask_owner', 'the mandate does not hold this scope'],
  BUDGET_AMOUNT: ['budget', 'fix_argument ask_owner', 'the amount is above what the budget leaves'],
  BUDGET_CALLS: ['budget', 'ask_owner', 'the number of calls is used up'],
  POLICY_NO_PERMIT: ['policy', 'stop', 'no policy permits this'],
  POLICY_FORBIDDEN: ['policy', 'stop', 'a policy forbids this'],
  POLICY_ERROR: ['policy', 'ask_owner stop', 'a policy could not be evaluated'],
  APPROVAL_PENDING: ['approval', 'open_link repeat_same_call', 'a person must confirm this first'],
  APPROVAL_REJECTED: ['approval', 'stop', 'a person rejected this'],
  APPROVAL_EXPIRED: ['approval', 'repeat_same_call', 'nobody confirmed this in time'],
  APPROVAL_NO_CHANNEL: [
    'approval',
    'ask_owner stop',
    'this needs a person and no channel reaches one',
  ],
  APPROVAL_NOT_ELIGIBLE: ['approval', 'ask_owner stop', 'nobody who may confirm this exists'],
  APPROVAL_TOO_MANY: ['approval', 'wait', 'too many confirmations are open already'],
  EXECUTION_CHANGED: [
    'execution',
    'repeat_same_call',
    'what was confirmed is no longer what would run',
  ],
  EXECUTION_DUPLICATE: [
    'execution',
    'do_not_repeat',
    'the same operation is already there; nothing was sent again',
  ],
  EXECUTION_FAILED: ['execution', 'repeat_same_call', 'the call failed and nothing took effect'],
  EXECUTION_UNKNOWN: ['execution', 'do_not_repeat', 'it is not known whether the effect happened'],
  RECEIPT_UNAVAILABLE: [
    'receipt',
    'wait repeat_same_call',
    'the record cannot be written, so nothing is executed',
  ],
  INTERNAL: ['receipt', 'ask_owner stop', 'the gateway failed; nothing was executed'],
};

/** Code of the approval page → HTTP status. */
const pageStatuses: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  FORBIDDEN: 403,
  PASSCODE_WRONG: 403,
  APPROVAL_NOT_ELIGIBLE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  TOO_SLOW: 408,
  ENDED: 409,
  EXECUTION_CHANGED: 409,
  PREVIEW_INCOMPLETE: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_TYPE: 415,
  HOST_REFUSED: 421,
  PASSCODE_LOCKED: 429,
  TOO_MANY_TRIES: 429,
  INTERNAL: 500,
};

describe('codes', () => {
  it('stages come in this order', () => {
    expect(stages).toEqual([
      'authn',
      'contract',
      'provenance',
      'delegation',
      'budget',
      'policy',
      'approval',
      'execution',
      'receipt',
    ]);
  });

  it('each reason code has its stage, its next steps and its sentence', () => {
    const rows = Object.entries(reasonCodes).map(([code, { stage, next, sentence }]) => [
      code,
      [stage, next.join(' '), sentence],
    ]);
    expect(Object.fromEntries(rows)).toEqual(codes);
  });

  it('each refusal of the approval page has its HTTP status', () => {
    const rows = Object.entries(pageFaults).map(([code, { status }]) => [code, status]);
    expect(Object.fromEntries(rows)).toEqual(pageStatuses);
  });

  it('JSON-RPC errors have the numbers of the protocol', () => {
    expect(rpcCodes).toEqual({
      parseError: -32700,
      invalidRequest: -32600,
      methodNotFound: -32601,
      invalidParams: -32602,
      internalError: -32603,
      unsupportedVersion: -32022,
    });
  });
});
