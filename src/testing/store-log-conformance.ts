// What the log of every store must do.
import { expect, it } from 'vitest';
import { decodeBase64Url } from '../core/base64.ts';
import { type LeafType, parseLeaf } from '../core/leaf.ts';
import { commitmentText } from '../core/leaf-format.ts';
import {
  appendLeafHash,
  emptyFrontier,
  frontierRoot,
  inclusionPath,
  leafHash,
  rootFromInclusion,
} from '../core/merkle.ts';
import { hmacSha256Base64Url } from '../core/sha256.ts';
import { readProofNodes } from '../receipts/proof-nodes.ts';
import type { StoredLeaf } from '../stores/store.ts';
import type { StoreTestContext } from './opened-store.ts';
import { aCall, anAnswer, aReport, testId } from './store-builders.ts';

export function testStoreLog({ opened, reopen, place }: StoreTestContext): void {
  it('RCP-01: every step of every proposal has its leaf, numbered without a gap', async () => {
    const asked = opened().proposal();
    const request = await opened().ask(asked);
    await opened().store.answer(anAnswer(request));
    const repeat = opened().proposal({ fingerprint: asked.fingerprint });
    await opened().decide(repeat, aCall({ level: 1 }));
    await opened().store.finish(aReport(asked));
    await opened().decide(opened().proposal(), aCall({ amount: 5_000 }));
    const leaves = await opened().allLeaves();
    expect(leaves.map((leaf) => leaf.seq)).toEqual(leaves.map((_, i) => i));
    expect(leaves.map((leaf) => leaf.type)).toEqual([
      'log.start',
      'mandate.issue',
      ...['proposal', 'decision', 'approval.request', 'approval.answer'],
      ...['proposal', 'decision', 'approval.end', 'attempt', 'outcome'],
      ...['proposal', 'decision'],
    ]);
    for (const leaf of leaves) {
      const parsed = parseLeaf(leaf.bytes);
      expect(parsed).toMatchObject({ ok: true, value: { seq: leaf.seq, type: leaf.type } });
    }
    expect(await opened().types(repeat.opId)).toEqual(['proposal', 'decision']);
    expect(await opened().store.readLeaves({ opId: testId() })).toEqual([]);
    expect(await opened().store.readLeaves({ from: 3, count: 2 })).toEqual(leaves.slice(3, 5));
  });

  it('RCP-04: no value of a call stands in the bytes of a leaf', async () => {
    const asked = opened().proposal();
    const request = await opened().ask(asked);
    await opened().store.answer(anAnswer(request, { verdict: 'reject', reason: 'call 555-0100' }));
    const done = opened().proposal();
    await opened().decide(done);
    await opened().store.finish(aReport(done, { result: '"receipt 4711"' }));
    const values = [
      ...['DE89370400440532013000', 'alice', 'bookkeeper', 'acme-supplies'],
      ...['a client', '555-0100', 'receipt 4711'],
    ];
    for (const { bytes, payload } of await opened().allLeaves()) {
      const text = Buffer.from(bytes).toString();
      for (const value of values) expect(text).not.toContain(value);
      for (const { salt } of Object.values(payload)) expect(text).not.toContain(salt);
    }
  });

  it('RCP-05: salt and value of each field open its commitment and no other', async () => {
    const draft = opened().proposal();
    await opened().decide(draft);
    await opened().store.finish(aReport(draft));
    const leaves = await opened().allLeaves();
    const salts = leaves.flatMap((leaf) => Object.values(leaf.payload).map((each) => each.salt));
    expect(new Set(salts).size).toBe(salts.length);
    for (const leaf of leaves) {
      const parsed = parseLeaf(leaf.bytes);
      if (!parsed.ok) throw new Error(parsed.error.code);
      expect(parsed.value.commit).toEqual(commitmentsOf(leaf, parsed.value.type));
    }
    const decision = leaves.find((leaf) => leaf.type === 'decision');
    expect(Object.keys(decision?.payload ?? {}).toSorted()).toEqual([
      'call',
      'param.amount',
      'param.iban',
      'preimage',
      'rules',
    ]);
  });

  it('what the log says about itself, without everything else', async () => {
    const rotate = {
      type: 'key.rotate',
      open: { purpose: 'log', old_key: 'a', new_key: 'b' },
      committed: {},
    } as const;
    const distrust = {
      type: 'key.distrust',
      open: { purpose: 'log', key: 'a', after: 3 },
      committed: {},
    } as const;
    await opened().decide(opened().proposal());
    await opened().store.appendLeaves([rotate, distrust]);
    const about = await opened().store.readLeaves({ about: 'log' });
    expect(about.map(({ type }) => type)).toEqual(['log.start', 'key.rotate', 'key.distrust']);
    const all = await opened().allLeaves();
    expect(about).toEqual([all[0], ...all.slice(-2)]);
  });

  it('a root over all leaves, and proofs from stored nodes', async () => {
    // Past two tiles of 256.
    const note = { type: 'alarm', open: { kind: 'test', figures: {} }, committed: {} } as const;
    await opened().store.appendLeaves(Array.from({ length: 520 }, () => note));
    const leaves = await opened().allLeaves();
    let frontier = emptyFrontier;
    for (const { bytes } of leaves) {
      frontier = appendLeafHash(frontier, leafHash(bytes)).frontier;
    }
    const { size, root } = await opened().store.readTree();
    expect({ size, root }).toEqual({ size: 522, root: frontierRoot(frontier) });
    const readNode = (level: number, index: number): Promise<Uint8Array> =>
      opened().store.readNode(level, index);
    for (const index of [0, 255, 256, 521]) {
      const leaf = leafHash(leaves[index]?.bytes ?? '');
      const path = inclusionPath(index, size, await readProofNodes({ index, size }, readNode));
      expect(rootFromInclusion({ index, size, leafHash: leaf, path })).toEqual(root);
    }
    await expect(readNode(0, 522)).rejects.toThrow(RangeError);
  });

  it('time in the log never runs back', async () => {
    const { clock } = opened();
    const startMs = clock.nowMs;
    clock.nowMs -= 60_000;
    await opened().decide(opened().proposal());
    clock.nowMs = startMs + 1;
    await opened().decide(opened().proposal());
    const times = (await opened().allLeaves()).map((leaf) => {
      const parsed = parseLeaf(leaf.bytes);
      return parsed.ok ? parsed.value.ts : -1;
    });
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times)).toEqual(new Set([startMs, startMs + 1]));
  });

  it('keeps the lines of witnesses with the checkpoint that they are about', async () => {
    const { store } = opened();
    const line = (name: string, signature: string): string =>
      `— ${name} ${Buffer.from(`keyX${signature}`).toString('base64')}\n`;
    const note = `text\n\n${line('log', 'own')}`;
    expect(await store.readCosigned()).toBeUndefined();
    const { size, root } = await store.checkpoint(() => note);
    const lost = store.cosign({ size: size + 1, lines: line('w', '1'), atMs: 1 });
    await expect(lost).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
    await store.cosign({ size, lines: line('w', '1'), atMs: 1_000 });
    await store.cosign({ size, lines: line('w', '2') + line('v', '2'), atMs: 2_000 });
    const cosigned = note + line('w', '1') + line('v', '2');
    const expected = { size, root, note: cosigned, cosignedMs: 2_000 };
    expect(await store.readCosigned()).toEqual(expected);
    expect(await store.readCheckpoints()).toEqual([{ size, root, note: cosigned }]);
    expect(await store.checkpoint(() => 'not asked for')).toEqual({ size, root, note: cosigned });
    await opened().decide(opened().proposal());
    await store.checkpoint(() => note);
    expect(await store.readCosigned()).toEqual(expected);
  });

  it('keeps a timestamp with the checkpoint that it is about', async () => {
    const { store } = opened();
    const token = (byte: number): Uint8Array => new Uint8Array(300).fill(byte);
    expect(await store.readTimestamped()).toBeUndefined();
    const { size, root, note } = await store.checkpoint(() => 'text\n\nown\n');
    const lost = store.timestamp({ size: size + 1, token: token(1), atMs: 1 });
    await expect(lost).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
    await store.timestamp({ size, token: token(1), atMs: 1_000 });
    const first = { size, root, note, token: token(1), timestampedMs: 1_000 };
    expect(await store.readTimestamped()).toEqual(first);
    await store.timestamp({ size, token: token(2), atMs: 2_000 });
    expect(await store.readTimestamped()).toEqual(first);
    await store.cosign({ size, lines: '— w a2V5WHNpZ25lZA==\n', atMs: 3_000 });
    const cosigned = { ...first, note: `${note}— w a2V5WHNpZ25lZA==\n` };
    expect(await store.readTimestamped()).toEqual(cosigned);
    await opened().decide(opened().proposal());
    const next = await store.checkpoint(() => 'next\n\nown\n');
    expect(await store.readTimestamped()).toEqual(cosigned);
    await store.timestamp({ size: next.size, token: token(3), atMs: 4_000 });
    expect(await store.readTimestamped()).toMatchObject({ size: next.size, token: token(3) });
  });

  it('RCP-13: one checkpoint per size, each extending the one before', async () => {
    const { store } = opened();
    const signed: number[] = [];
    const sign = (size: number): string => {
      signed.push(size);
      return `note ${size}`;
    };
    expect(await store.readLastCheckpoint()).toBeUndefined();
    const first = await store.checkpoint(sign);
    expect(first).toEqual({ ...(await store.readTree()), note: `note ${first.size}` });
    expect(await store.checkpoint(sign)).toEqual(first);
    await opened().decide(opened().proposal());
    const second = await store.checkpoint(sign);
    expect(second).toMatchObject({ size: first.size + 3, note: `note ${first.size + 3}` });
    expect(signed).toEqual([first.size, second.size]);
    expect(await store.readLastCheckpoint()).toEqual(second);
    expect((await store.readCheckpoints()).at(-1)).toEqual(second);
    expect(await store.readCheckpoints(second.size)).toEqual([second]);
    expect(await store.readCheckpoints(second.size + 1)).toEqual([]);
  });

  it('RCP-13: a signature that failed is made for the same size and root again', async () => {
    const { store } = opened();
    const failing = store.checkpoint(() => {
      throw new Error('no key');
    });
    await expect(failing).rejects.toThrow('no key');
    const { size, root } = await store.readTree();
    expect(await store.checkpoint(() => 'note')).toEqual({ size, root, note: 'note' });
  });

  it('a restart continues the log under its own origin', async (test) => {
    if (!place().isDurable) test.skip('a memory store forgets');
    const before = await opened().store.readTree();
    await opened().store.checkpoint(() => 'kept');
    const again = await reopen();
    expect(await again.store.readTree()).toEqual(before);
    const known = await again.store.checkpoint(() => 'not asked for');
    expect(known.note).toBe('kept');
  });

  it('refuses texts that cannot be stored as they are', async () => {
    const before = await opened().store.readTree();
    const draft = opened().proposal({ channel: 'a\ud800b' });
    await expect(opened().decide(draft)).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(await opened().store.readTree()).toEqual(before);
  });
}

function commitmentsOf({ payload }: StoredLeaf, type: LeafType): Record<string, string> {
  return Object.fromEntries(
    Object.entries(payload).map(([field, { salt, value }]) => {
      const bytes = decodeBase64Url(salt);
      if (!bytes.ok) throw new Error('a salt is no base64url');
      return [
        field,
        hmacSha256Base64Url(bytes.value, commitmentText(type, JSON.stringify(field), value)),
      ];
    }),
  );
}
