import { describe, expect, it } from 'vitest';
import { hookedStore } from '../../test/fixtures/hooked-store.ts';
import {
  idempotency,
  lost,
  type PayingGateway,
  paid,
  payingGateway,
  reconcile,
} from '../../test/reference/paying-gateway.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { StoreError } from '../stores/store.ts';
import type { Caller, OnceAnswer } from './gateway.ts';

const payment = { invoice: 'R-1', amount: 60 };
const caller: Caller = {
  channel: 'library',
  client: 'ledger',
  signal: undefined,
  meta: undefined,
  onProgress: undefined,
  form: false,
};

function once(
  { gateway }: PayingGateway,
  key: string | undefined,
  { args = payment, ...over }: Partial<Caller> & { readonly args?: object } = {},
): Promise<OnceAnswer> {
  const call = { server: 'bank', tool: 'pay', args: args as never, rawText: JSON.stringify(args) };
  return gateway.submitOnce(key, call, { ...caller, ...over });
}

const codesOf = (once: OnceAnswer): readonly string[] => {
  if (once.kind !== 'answered') return [once.kind];
  return once.answer.kind === 'report' ? once.answer.report.codes : [once.answer.kind];
};

describe('submitOnce', () => {
  verifies('EXE-17', 'without a key, or with one that is none, nothing is decided', async () => {
    const world = await payingGateway('');
    for (const key of [undefined, ''])
      expect(await once(world, key)).toEqual({ kind: 'key_missing' });
    for (const key of ['x'.repeat(129), ' x', 'x ', 'a\nb', 'ü', '\u0000'])
      expect(await once(world, key), key).toEqual({ kind: 'key_malformed' });
    expect((await world.store.readTree()).size).toBe(1);
    expect(codesOf(await once(world, 'x'.repeat(128)))).toEqual(['executed']);
    expect(codesOf(await once(world, 'a b', { args: { ...payment, amount: 61 } }))).toEqual([
      'executed',
    ]);
  });

  verifies(
    'EXE-17',
    'the same key again: the stored answer, for ever, and nothing is sent',
    async () => {
      const world = await payingGateway('');
      const first = await once(world, 'k');
      expect(first).toMatchObject({
        kind: 'answered',
        isReplay: false,
        answer: { kind: 'executed' },
      });
      world.target.nowMs += 29 * 86_400_000;
      const again = await once(world, 'k');
      expect(again).toMatchObject({
        kind: 'answered',
        isReplay: true,
        answer: { result: paid.result },
      });
      expect(world.target.sent).toHaveLength(1);
      expect(codesOf(await once(world, 'k', { args: { amount: 60, invoice: 'R-1' } }))).toEqual([
        'executed',
      ]);
      expect(world.target.sent).toHaveLength(1);
    },
  );

  verifies('EXE-17', 'the same key with another call, tool or argument is refused', async () => {
    const world = await payingGateway('');
    await once(world, 'k');
    expect(await once(world, 'k', { args: { ...payment, amount: 61 } })).toMatchObject({
      kind: 'other_call',
    });
    expect(world.target.sent).toHaveLength(1);
  });

  verifies('EXE-17', 'a key belongs to its caller', async () => {
    const world = await payingGateway('');
    await once(world, 'k');
    const other = await once(world, 'k', { args: { ...payment, amount: 61 }, client: 'another' });
    expect(codesOf(other)).toEqual(['executed']);
  });

  verifies('EXE-17', 'while the first one is under way it says so', async () => {
    const world = await payingGateway('');
    const [first, second] = await Promise.all([once(world, 'k'), once(world, 'k')]);
    const [done, waiting] = first.kind === 'in_flight' ? [second, first] : [first, second];
    expect(codesOf(done)).toEqual(['executed']);
    expect(waiting).toMatchObject({ kind: 'in_flight', retryAfterSeconds: 1 });
    expect(world.target.sent).toHaveLength(1);
  });

  verifies(
    'EXE-17',
    'a denial is the answer as well, also when it would be allowed by now',
    async () => {
      const world = await payingGateway('');
      const foreign = { ...payment, unknown: 1 };
      for (const isReplay of [false, true]) {
        const refused = await once(world, 'k', { args: foreign });
        expect(refused).toMatchObject({ kind: 'answered', isReplay });
        expect(codesOf(refused)).toEqual(['CONTRACT_UNEXPECTED_VALUE']);
      }
      const large = { ...payment, amount: 200_000 };
      expect(codesOf(await once(world, 'large', { args: large }))).toEqual(['BUDGET_AMOUNT']);
      expect(codesOf(await once(world, 'large', { args: large }))).toEqual(['BUDGET_AMOUNT']);
    },
  );

  verifies('EXE-17', 'a failure is the answer, and another key is another call', async () => {
    const world = await payingGateway('');
    world.target.outcomes = [{ class: 'REJECTED' }, paid];
    expect(codesOf(await once(world, 'k'))).toEqual(['EXECUTION_FAILED']);
    expect(codesOf(await once(world, 'k'))).toEqual(['EXECUTION_FAILED']);
    expect(world.target.sent).toHaveLength(1);
    expect(codesOf(await once(world, 'k2'))).toEqual(['executed']);
  });

  verifies(
    'EXE-17',
    'what nobody knows is said with its operation, until somebody does',
    async () => {
      const world = await payingGateway(reconcile);
      world.target.outcomes = [lost];
      const first = await once(world, 'k');
      expect(first).toMatchObject({
        kind: 'unknown',
        opId: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      expect(await once(world, 'k')).toMatchObject({ kind: 'unknown' });
      world.target.finding = { kind: 'succeeded' };
      world.target.nowMs += 5_000;
      await world.gateway.checkUnknown();
      const known = await once(world, 'k');
      expect(known).toMatchObject({
        isReplay: true,
        answer: { report: { reason: 'it succeeded; its answer was not kept' } },
      });
      expect(world.target.sent).toHaveLength(1);
    },
  );

  verifies(
    'EXE-17',
    'a question stays one question; granted, the key carries it out once',
    async () => {
      const world = await payingGateway('');
      const large = { ...payment, amount: 900 };
      const asked = await once(world, 'k', { args: large, form: true });
      expect(codesOf(asked)).toEqual(['APPROVAL_PENDING']);
      expect(codesOf(await once(world, 'k', { args: large }))).toEqual(['APPROVAL_PENDING']);
      const [pending] = await world.gateway.listPending();
      if (pending === undefined) throw new Error('nobody was asked');
      const { approvalId, opHash } = pending;
      await world.gateway.answerApproval({
        approvalId,
        opHash,
        verdict: 'approve',
        person: 'maya',
        assurance: 'passcode',
        channel: 'page',
        reason: undefined,
      });
      expect(codesOf(await once(world, 'k', { args: large }))).toEqual(['executed']);
      expect(await once(world, 'k', { args: large })).toMatchObject({ isReplay: true });
      expect(world.target.sent).toHaveLength(1);
    },
  );

  verifies(
    'EXE-17',
    'a question that was rejected or ran out is answered for this key',
    async () => {
      const world = await payingGateway('');
      const large = { ...payment, amount: 900 };
      await once(world, 'k', { args: large });
      const [pending] = await world.gateway.listPending();
      const answer = {
        verdict: 'reject',
        person: 'maya',
        assurance: 'passcode',
        channel: 'page',
      } as const;
      const { approvalId = '', opHash = '' } = pending ?? {};
      await world.gateway.answerApproval({ ...answer, approvalId, opHash, reason: undefined });
      world.target.nowMs += 3_600_000;
      expect(codesOf(await once(world, 'k', { args: large }))).toEqual(['APPROVAL_REJECTED']);
      await once(world, 'k2', { args: { ...large, amount: 901 } });
      world.target.nowMs += 3_600_000;
      await world.store.expireApprovals();
      expect(codesOf(await once(world, 'k2', { args: { ...large, amount: 901 } }))).toEqual([
        'APPROVAL_EXPIRED',
      ]);
      expect(await world.gateway.listPending()).toEqual([]);
    },
  );

  verifies(
    'EXE-17',
    'what could not be recorded was not decided: the key is free for the same call',
    async () => {
      let isBroken = false;
      const world = await payingGateway('', ({ store }) => ({
        store: hookedStore(store, {
          decide: (...args) =>
            isBroken
              ? Promise.reject(new StoreError('STORE_BUSY', 'the store is locked'))
              : store.decide(...args),
        }),
      }));
      isBroken = true;
      expect(codesOf(await once(world, 'k'))).toEqual(['RECEIPT_UNAVAILABLE']);
      isBroken = false;
      expect(codesOf(await once(world, 'k'))).toEqual(['executed']);
      expect(await once(world, 'k')).toMatchObject({ isReplay: true });
      expect(world.target.sent).toHaveLength(1);
    },
  );

  it('an answer that came from an earlier operation is replayed as that answer', async () => {
    const world = await payingGateway(idempotency);
    world.target.outcomes = [lost, paid];
    await world.pay(payment);
    world.target.nowMs += 5_000;
    await world.gateway.checkUnknown();
    for (const isReplay of [false, true]) {
      const told = await once(world, 'k');
      expect(told).toMatchObject({ isReplay, answer: { kind: 'executed', result: paid.result } });
    }
    expect(world.target.sent).toHaveLength(2);
  });
});
