// Clients, policies and auditors rely on these: name, stage and next steps, copied by hand.
import { describe, expect } from 'vitest';
import { reasonCodes, stages } from '../../src/core/reason-codes.ts';
import { verifies } from '../requirements/verifies.ts';

const pinned = `
AUTHN_TOKEN_INVALID authn ask_owner stop
AUTHN_TOKEN_EXPIRED authn ask_owner stop
AUTHN_NOT_YET_VALID authn wait
AUTHN_MANDATE_REVOKED authn stop
AUTHN_MANDATE_SUSPENDED authn ask_owner stop
AUTHN_CHAIN_BROKEN authn ask_owner stop
RATE_LIMITED authn wait
CONTRACT_UNKNOWN_ACTION contract stop
CONTRACT_UNEXPECTED_VALUE contract fix_argument
CONTRACT_MISSING_VALUE contract fix_argument
CONTRACT_TYPE contract fix_argument
CONTRACT_INVALID contract fix_argument
CONTRACT_TOO_LARGE contract fix_argument
CONTRACT_TOOL_CHANGED contract ask_owner stop
PROVENANCE_UNTRUSTED provenance use_trusted_value ask_owner
PROVENANCE_AMBIGUOUS provenance fix_argument ask_owner
PROVENANCE_LOOKALIKE provenance use_trusted_value stop
PROVENANCE_RECORD_MISMATCH provenance fix_argument
PROVENANCE_STALE provenance ask_owner
PROVENANCE_SOURCE_UNAVAILABLE provenance wait repeat_same_call
PROVENANCE_TEXT_ENTITY provenance fix_argument ask_owner
DELEGATION_SCOPE_MISSING delegation ask_owner
BUDGET_AMOUNT budget fix_argument ask_owner
BUDGET_CALLS budget ask_owner
BUDGET_PERIOD budget wait ask_owner
POLICY_NO_PERMIT policy stop
POLICY_FORBIDDEN policy stop
POLICY_ERROR policy ask_owner stop
APPROVAL_PENDING approval open_link repeat_same_call
APPROVAL_REJECTED approval stop
APPROVAL_EXPIRED approval repeat_same_call
APPROVAL_NO_CHANNEL approval ask_owner stop
APPROVAL_NOT_ELIGIBLE approval ask_owner stop
APPROVAL_TOO_MANY approval wait
EXECUTION_CHANGED execution repeat_same_call
EXECUTION_DUPLICATE execution do_not_repeat
EXECUTION_FAILED execution repeat_same_call
EXECUTION_UNKNOWN execution do_not_repeat
RECEIPT_UNAVAILABLE receipt wait repeat_same_call
INTERNAL receipt ask_owner stop
`;

describe('reason codes', () => {
  verifies('DEC-02', 'keep their names, stages and next steps', () => {
    const rows = Object.entries(reasonCodes).map(([code, { stage, next }]) =>
      [code, stage, ...next].join(' '),
    );
    expect(`\n${rows.join('\n')}\n`).toBe(pinned);
  });

  verifies('DEC-02', 'stand in the order of the stages', () => {
    expect(stages.join(' ')).toBe(
      'authn contract provenance delegation budget policy approval execution receipt',
    );
    const order = Object.values(reasonCodes).map(({ stage }) => stages.indexOf(stage));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  verifies('DEC-02', 'each have a sentence that goes on in a line', () => {
    for (const [code, { sentence }] of Object.entries(reasonCodes)) {
      expect(sentence, code).toMatch(/^[a-z].{10,80}[a-z]$/);
    }
  });
});
