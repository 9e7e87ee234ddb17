import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { leafSizeMaxBytes, sealLeaf } from '../leaf.ts';
import {
  needsTexts,
  planRedaction,
  type RedactableLeaf,
  type RedactionOrder,
  redactionBases,
} from './plan-redaction.ts';

const opId = 'a'.repeat(32);

function aLeaf(seq: number, over: Partial<RedactableLeaf> = {}): RedactableLeaf {
  const hash = new Uint8Array(32).fill(seq);
  return { seq, hash, type: 'proposal', opId, state: 'SUCCEEDED', kept: ['raw'], ...over };
}

const order = (
  targets: RedactionOrder['targets'],
  over: Partial<RedactionOrder> = {},
): RedactionOrder => ({ basis: 'gdpr-17', targets, ...over });

describe('planRedaction', () => {
  verifies('RCP-25', 'names exactly what is taken, sorted, with its basis', () => {
    const leaves = [aLeaf(3), aLeaf(4, { type: 'decision', kept: ['preimage', 'call'] })];
    const plan = planRedaction(order([{ seq: 3 }, { seq: 4 }]), leaves);
    expect(plan.erasures.map(({ seq, fields }) => [seq, fields])).toEqual([
      [3, ['raw']],
      [4, ['call', 'preimage']],
    ]);
    expect(plan.forgotten).toEqual([opId]);
    expect(plan.leaves).toEqual([
      {
        type: 'redaction',
        opId,
        open: {
          basis: 'gdpr-17',
          targets: [
            { fields: ['raw'], seqs: [3] },
            { fields: ['call', 'preimage'], seqs: [4] },
          ],
        },
        committed: {},
      },
    ]);
  });

  it('takes the named fields alone, and forgets no operation for it', () => {
    const leaves = [aLeaf(4, { type: 'decision', kept: ['preimage', 'call'] })];
    const plan = planRedaction(order([{ seq: 4, fields: ['call', 'result'] }]), leaves);
    expect(plan.erasures).toMatchObject([{ fields: ['call'] }]);
    expect(plan.forgotten).toEqual([]);
  });

  it('plans nothing when nothing is there any more', () => {
    const plan = planRedaction(order([{ seq: 3 }, { seq: 9 }]), [aLeaf(3, { kept: [] })]);
    expect(plan).toEqual({ refused: undefined, erasures: [], forgotten: [], leaves: [] });
  });

  it('refuses while an operation needs its texts, except what was erased before', () => {
    for (const state of ['ASKING', 'DISPATCHING', 'UNKNOWN'] as const) {
      expect(needsTexts(state)).toBe(true);
      const leaves = [aLeaf(1), aLeaf(3, { state })];
      const targets = [{ seq: 1 }, { seq: 3 }];
      expect(planRedaction(order(targets), leaves)).toMatchObject({
        refused: { opId, state },
        erasures: [],
        leaves: [],
      });
      const replay = planRedaction(order(targets, { isReplay: true }), leaves);
      expect(replay.erasures).toHaveLength(2);
    }
    for (const state of ['SUCCEEDED', 'FAILED', 'CLOSED', undefined] as const) {
      expect(needsTexts(state)).toBe(false);
      expect(planRedaction(order([{ seq: 3 }]), [aLeaf(3, { state })]).erasures).toHaveLength(1);
    }
  });

  it('leaves a leaf alone that is not the one that was meant', () => {
    const meant = aLeaf(3);
    const target = { seq: 3, leafHash: new Uint8Array(32) };
    expect(planRedaction(order([target]), [meant]).erasures).toEqual([]);
    const same = { seq: 3, leafHash: meant.hash };
    expect(planRedaction(order([same]), [meant]).erasures).toHaveLength(1);
  });

  it('names no operation when the leaves are of several or of none', () => {
    const leaves = [aLeaf(1), aLeaf(2, { opId: 'b'.repeat(32) })];
    const targets = [{ seq: 1 }, { seq: 2 }];
    expect(planRedaction(order(targets), leaves).leaves[0]).not.toHaveProperty('opId');
    const alone = [aLeaf(1, { opId: undefined, state: undefined, type: 'decision' })];
    const plan = planRedaction(order([{ seq: 1 }]), alone);
    expect(plan.leaves[0]).not.toHaveProperty('opId');
    expect(plan.forgotten).toEqual([]);
  });

  it('spreads what does not fit into one leaf over several, each of which can be sealed', () => {
    const many = Array.from({ length: 5_000 }, (_unused, seq) =>
      aLeaf(seq, { kept: [seq % 2 === 0 ? 'raw' : `param.${'x'.repeat(200)}${seq % 40}`] }),
    );
    const plan = planRedaction(order(many.map(({ seq }) => ({ seq }))), many);
    expect(plan.leaves.length).toBeGreaterThan(1);
    const named = plan.leaves.flatMap(({ open }) => open['targets'] as { seqs: number[] }[]);
    expect(named.flatMap(({ seqs }) => seqs).toSorted((a, b) => a - b)).toEqual(
      many.map(({ seq }) => seq),
    );
    for (const draft of plan.leaves) {
      const stamp = { seq: 2 ** 40, ts: 2 ** 42, gw: '0.1.0', config: 'c'.repeat(43) };
      const { bytes } = sealLeaf(draft, { ...stamp, salts: () => new Uint8Array(32) });
      expect(bytes.length).toBeLessThanOrEqual(leafSizeMaxBytes);
    }
  });

  it('has these reasons', () => {
    expect(redactionBases).toEqual(['gdpr-17', 'retention', 'legal-order', 'mistake']);
  });
});
