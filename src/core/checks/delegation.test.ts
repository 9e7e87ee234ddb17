import { describe, expect, it } from 'vitest';
import { aContract } from '../../testing/contract-builders.ts';
import type { MandateFact } from '../facts.ts';
import { checkDelegation } from './delegation.ts';

const mandateWith = (...scopes: string[]): MandateFact => ({
  id: 'm1',
  status: 'active',
  notBeforeMs: 0,
  expiresMs: 1,
  scopes,
  levelMin: 0,
});

describe('checkDelegation', () => {
  const contract = aContract([], { scope: 'payment.transfer' });

  it('takes a mandate that holds the scope', () => {
    expect(checkDelegation(contract, mandateWith('mail.send', 'payment.transfer'))).toEqual([]);
  });

  it('refuses a scope that is only alike', () => {
    const near = mandateWith('payment', 'payment.transfers', 'Payment.transfer', 'payment.*');
    expect(checkDelegation(contract, near)).toEqual([
      { code: 'DELEGATION_SCOPE_MISSING', detail: 'payment.transfer' },
    ]);
  });
});
