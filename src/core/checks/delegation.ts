// Stage delegation: does the mandate hold the scope that the contract asks for?
import type { Contract } from '../contract.ts';
import type { Failure } from '../decision.ts';
import type { MandateFact } from '../facts.ts';

/** Exact match; an absent scope is a failure, never a guess. */
export function checkDelegation(contract: Contract, mandate: MandateFact): readonly Failure[] {
  if (mandate.scopes.includes(contract.scope)) return [];
  return [{ code: 'DELEGATION_SCOPE_MISSING', detail: contract.scope }];
}
