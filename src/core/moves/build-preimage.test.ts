import { describe, expect, it } from 'vitest';
import { aCall, aProposal, testDigest } from '../../testing/store-builders.ts';
import { resolveCall } from '../checks/provenance.ts';
import type { Level } from '../decision.ts';
import { encodePreimage } from '../op-hash.ts';
import type { OperationPreimage } from '../operation-preimage.ts';
import { buildPreimage, changedFields, restPath } from './build-preimage.ts';
import type { ProposalDraft } from './proposal-draft.ts';

const asking = { mandateId: 'mandate-1', owner: 'process-1' };
const draft = aProposal(asking);

function build(over: Partial<ProposalDraft> = {}, level: Level = 0): OperationPreimage {
  const { call } = aCall();
  if (call.kind !== 'read') throw new Error('unreadable');
  const { values } = resolveCall(call);
  const terms = { level, expiresS: 7, values, params: call.params };
  return buildPreimage({ ...draft, ...over }, terms);
}

describe('buildPreimage', () => {
  it('holds every value with its origin, and what the operation is bound to', () => {
    const preimage = build();
    expect(preimage).toMatchObject({
      op_id: draft.opId,
      nonce: draft.nonce,
      action: 'payment.send',
      level: 0,
      expires: 7,
      mandate: { id: 'mandate-1', hash: testDigest, chain: testDigest },
      quorum: { count: 0, persons: [] },
    });
    expect(preimage.values).toEqual({
      iban: { type: 'string', value: 'DE89370400440532013000' },
      amount: { type: 'integer', value: 10 },
    });
    expect(preimage.origins).toEqual({
      iban: { source: 'registry:vendors', record: 'v-17', version: '3' },
      amount: { source: 'untrusted', record: null, version: null },
    });
    expect(() => encodePreimage(preimage)).not.toThrow();
  });

  it('holds undeclared arguments as one text', () => {
    const preimage = build({ rest: '{"memo":"x"}' });
    expect(preimage.values[restPath]).toEqual({ type: 'json', value: '{"memo":"x"}' });
    expect(preimage.origins[restPath]).toMatchObject({ source: 'untrusted' });
  });

  it('takes a value without a declared type as a text', () => {
    const values = [
      {
        param: 'unheard',
        path: 'unheard',
        canonical: 'x',
        display: 'x',
        send: 'x',
        replaced: false,
        byReference: false,
        source: '',
        origin: 'untrusted',
        warnings: [],
      },
    ] as const;
    const preimage = buildPreimage(draft, { level: 0, expiresS: 1, values, params: [] });
    expect(preimage.values['unheard']).toEqual({ type: 'string', value: 'x' });
  });

  it('says who has to answer at each level', () => {
    expect(build({}, 1).quorum).toMatchObject({ count: 1, persons: ['alice'], exclude: [] });
    expect(build({}, 2).quorum).toMatchObject({
      count: 1,
      roles: ['approver'],
      exclude: ['alice'],
    });
  });
});

describe('changedFields', () => {
  const stored = encodePreimage(build());

  it('finds nothing in the same operation, whatever its ids, level and key order', () => {
    const later = build({ opId: '99'.repeat(16), nonce: 'B'.repeat(43) }, 1);
    expect(changedFields(stored, later)).toEqual([]);
  });

  it('names each field that is another now', () => {
    const { binding } = draft;
    const now = build({
      action: 'payment.other',
      binding: { ...binding, policySet: 'cd'.repeat(32), definition: null },
    });
    expect(changedFields(stored, now).toSorted()).toEqual(['action', 'policy', 'target']);
    expect(changedFields(stored, build({ rest: '{}' })).toSorted()).toEqual(['origins', 'values']);
  });

  it('takes a stored text that cannot be read as changed', () => {
    expect(changedFields('', build())).toEqual(['preimage']);
  });
});
