import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import type { Contract } from '../core/contract.ts';
import type { ResolvedValue } from '../core/decision.ts';
import type { ComparedCall } from '../core/history.ts';
import type { JsonObject } from '../core/json-value.ts';
import { aContract, aCriticalParam, aParam } from '../testing/contract-builders.ts';
import { comparedCall } from './compared-call.ts';

const secret = new Uint8Array(32).fill(7);
const fixed = { kind: 'const', name: 'const:bank', value: 'bank' } as const;
const claim = { kind: 'mandate', name: 'mandate:account', claim: 'account' } as const;
const params = [
  aCriticalParam('bank', { sources: [fixed] }),
  aCriticalParam('from', { sources: [claim] }),
  aParam('memo'),
  aCriticalParam('amount', { type: 'money' }),
  aCriticalParam('to', { each: true }),
  aCriticalParam('copy'),
  aParam('invoice'),
  aParam('sent_at'),
];
const contract = aContract(params, { once: ['invoice'], volatile: ['sent_at'] });

function value(param: string, canonical: string, path: string = param): ResolvedValue {
  return {
    param,
    path,
    canonical,
    display: canonical,
    send: canonical,
    replaced: false,
    byReference: false,
    source: '',
    origin: 'untrusted',
    warnings: [],
  };
}

const usual = [
  value('from', 'own'),
  value('memo', 'rent'),
  value('to', 'acme', 'to[0]'),
  value('to', 'beta', 'to[1]'),
  value('invoice', '1'),
  value('sent_at', 'now'),
];

function compared(
  values: readonly ResolvedValue[] = usual,
  over: { readonly contract?: Contract; readonly rest?: JsonObject; readonly tenant?: string } = {},
): ComparedCall | undefined {
  const { rest = {}, tenant = 'acme' } = over;
  return comparedCall(secret, tenant, { contract: over.contract ?? contract, values, rest });
}

const with_ = (...changed: readonly ResolvedValue[]): readonly ResolvedValue[] => [
  ...usual.filter(({ path }) => !changed.some((each) => each.path === path)),
  ...changed,
];

describe('comparedCall', () => {
  verifies(
    'APR-22',
    'the recipient is the first critical text that a source of others explains',
    () => {
      const known = compared();
      expect(known?.recipientPaths).toEqual(['to[0]', 'to[1]']);
      expect(compared(with_(value('copy', 'eve')))?.recipientKey).toBe(known?.recipientKey);
      expect(compared(with_(value('from', 'other')))?.recipientKey).toBe(known?.recipientKey);
    },
  );

  verifies(
    'APR-22',
    'one more, one less or another recipient is another key; order is none',
    () => {
      const key = compared()?.recipientKey;
      const swapped = with_(value('to', 'beta', 'to[0]'), value('to', 'acme', 'to[1]'));
      expect(compared(swapped)?.recipientKey).toBe(key);
      const others = [
        compared(with_(value('to', 'mallory', 'to[1]'))),
        compared(with_(value('to', 'mallory', 'to[2]'))),
        compared(usual.filter(({ path }) => path !== 'to[1]')),
        compared(usual, { tenant: 'other' }),
        compared(usual, { contract: { ...contract, action: 'bank.order' } }),
      ];
      for (const each of others) expect(each?.recipientKey).not.toBe(key);
    },
  );

  it('holds no value', () => {
    const text = JSON.stringify(compared());
    for (const each of ['own', 'rent', 'acme', 'beta']) expect(text).not.toContain(each);
  });

  verifies('APR-22', 'tells which field is another one, and not what differs every time', () => {
    const fields = compared()?.fields ?? {};
    expect(Object.keys(fields).toSorted()).toEqual(['from', 'memo']);
    expect(compared(with_(value('invoice', '2'), value('sent_at', 'later')))?.fields).toEqual(
      fields,
    );
    const changed = compared(with_(value('memo', 'gift')))?.fields ?? {};
    expect(changed['from']).toBe(fields['from']);
    expect(changed['memo']).not.toBe(fields['memo']);
    const rest = compared(usual, { rest: { b: 1, a: 2 } })?.fields;
    expect(rest?.['_rest']).toBe(compared(usual, { rest: { a: 2, b: 1 } })?.fields['_rest']);
    expect(rest?.['_rest']).not.toBe(compared(usual, { rest: { a: 2 } })?.fields['_rest']);
  });

  it('is nothing for a read, without a recipient, and where it is left out', () => {
    expect(compared(usual, { contract: { ...contract, effect: 'read' } })).toBeUndefined();
    const noRecipient = aContract(params.filter(({ name }) => name !== 'to' && name !== 'copy'));
    expect(compared(usual, { contract: noRecipient })).toBeUndefined();
    const without = usual.filter(({ param }) => param !== 'to');
    expect(compared([...without, value('copy', 'eve')])).toBeUndefined();
  });
});
