// What every store must know of earlier operations, of how requests were answered, and of drafts.
import { describe, expect, it } from 'vitest';
import type { ComparedCall } from '../core/history.ts';
import { amendmentWindowMs } from '../core/moves/plan-amendment.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import type { OpenedStore, StoreTestContext } from './opened-store.ts';
import { aCall, anAnswer, aReport, type CallChoice, testId } from './store-builders.ts';

const minuteMs = 60_000;

const compared = (over: Partial<ComparedCall> = {}): ComparedCall => ({
  recipientKey: 'acme',
  recipientPaths: ['iban'],
  fields: { amount: 'a' },
  ...over,
});

/** Proposed a second after whatever came before, and done. */
async function done(
  opened: OpenedStore,
  choice: CallChoice = {},
  over: Partial<ComparedCall> = {},
): Promise<ProposalDraft> {
  opened.clock.nowMs += 1_000;
  const draft = opened.proposal({ compared: compared(over) });
  await opened.decide(draft, aCall({ currency: 'EUR', ...choice }));
  await opened.store.finish(aReport(draft));
  return draft;
}

/** Asked about a second after whatever came before. */
async function asked(opened: OpenedStore, choice: CallChoice = {}): Promise<ProposalDraft> {
  opened.clock.nowMs += 1_000;
  const draft = opened.proposal({ compared: compared() });
  await opened.decide(draft, aCall({ level: 1, currency: 'EUR', ...choice }));
  return draft;
}

async function answered(
  opened: OpenedStore,
  verdict: 'approve' | 'reject',
  choice: CallChoice = {},
): Promise<ProposalDraft> {
  const draft = await asked(opened, choice);
  opened.clock.nowMs += 5_000;
  const { operation } = (await opened.store.readApproval(draft.approvalId)) ?? {};
  const subject = { approvalId: draft.approvalId, opHash: operation?.row.opHash ?? '' };
  await opened.store.answer(anAnswer(subject, { verdict }));
  return draft;
}

/** Approved, and used by the repeat of the call. */
async function approved(opened: OpenedStore, choice: CallChoice = {}): Promise<ProposalDraft> {
  const draft = await answered(opened, 'approve', choice);
  const repeat = opened.proposal({ fingerprint: draft.fingerprint });
  await opened.decide(repeat, aCall({ level: 1, currency: 'EUR', ...choice }));
  await opened.store.finish(aReport(draft));
  return draft;
}

export function testHistory(context: StoreTestContext): void {
  describe('compared', () => testCompared(context));
  describe('drafts', () => testDrafts(context));
}

function testCompared({ opened, reopen }: StoreTestContext): void {
  it('APR-22: tells what succeeded for the same recipient before, newest amounts first', async () => {
    await done(opened(), { amount: 10 });
    const firstMs = opened().clock.nowMs;
    await done(opened(), { amount: 20 });
    await done(opened(), { amount: 30 }, { fields: { amount: 'b' } });
    await done(opened(), { amount: 40 }, { recipientKey: 'mallory' });
    await done(opened(), { amount: 50, currency: 'USD' }, { fields: { amount: 'c' } });
    const failed = opened().proposal({ compared: compared() });
    await opened().decide(failed, aCall({ amount: 60, currency: 'EUR' }));
    await opened().store.finish(aReport(failed, { class: 'REJECTED', result: undefined }));
    const draft = await asked(opened(), { amount: 70 });
    const atMs = opened().clock.nowMs;
    await done(opened(), { amount: 80 });

    await reopenIfDurable(opened(), reopen);
    const expected = {
      compared: {
        own: { ...compared(), opId: draft.opId, amount: 70, currency: 'EUR', atMs },
        earlier: { count: 4, firstMs, amounts: [30, 20, 10], lastFields: { amount: 'c' } },
      },
      recentDenials: 0,
    };
    expect(await opened().store.readHistory(draft.opId)).toEqual(expected);
  });

  it('APR-22: knows the first operation for a recipient as one', async () => {
    const draft = await asked(opened());
    const history = await opened().store.readHistory(draft.opId);
    expect(history?.compared?.earlier).toEqual({
      count: 0,
      firstMs: undefined,
      amounts: [],
      lastFields: undefined,
    });
  });

  it('APR-22: keeps the last 20 amounts', async () => {
    for (let amount = 1; amount <= 22; amount += 1) await done(opened(), { amount });
    const draft = await asked(opened());
    const amounts = (await opened().store.readHistory(draft.opId))?.compared?.earlier.amounts;
    expect(amounts).toEqual(Array.from({ length: 20 }, (_unused, at) => 22 - at));
  });

  it('compares nothing without a recipient, and knows nothing of a refused proposal', async () => {
    const plain = opened().proposal();
    await opened().decide(plain);
    expect(await opened().store.readHistory(plain.opId)).toEqual({
      compared: undefined,
      recentDenials: 0,
    });
    expect(await opened().store.readHistory(testId())).toBeUndefined();
  });

  it('APR-22: counts the proposals of a mandate that were denied within the last hour', async () => {
    const draft = await asked(opened());
    const denials = async (): Promise<number | undefined> =>
      (await opened().store.readHistory(draft.opId))?.recentDenials;
    const startMs = Math.ceil(opened().clock.nowMs / minuteMs) * minuteMs;
    opened().clock.nowMs = startMs;
    const tooMuch = aCall({ amount: 1_001 });
    for (let i = 0; i < 3; i += 1) await opened().decide(opened().proposal(), tooMuch);
    await opened().decide(opened().proposal({ mandateId: 'nobody' }), tooMuch);
    expect(await denials()).toBe(3);
    opened().clock.nowMs = startMs + 30 * minuteMs;
    await opened().decide(opened().proposal(), tooMuch);
    expect(await denials()).toBe(4);
    opened().clock.nowMs = startMs + 60 * minuteMs;
    expect(await denials()).toBe(1);
    // The row of the first minute is used again, and counts from one.
    await opened().decide(opened().proposal(), tooMuch);
    expect(await denials()).toBe(2);
  });

  it('RCP-25: an erased operation is compared with nothing any more', async () => {
    const paid = await done(opened(), { amount: 10 });
    const leaves = await opened().store.readLeaves({ opId: paid.opId });
    await opened().store.redact({ basis: 'gdpr-17', targets: leaves.map(({ seq }) => ({ seq })) });
    expect((await opened().store.readHistory(paid.opId))?.compared).toBeUndefined();
    const draft = await asked(opened());
    const history = await opened().store.readHistory(draft.opId);
    expect(history?.compared?.earlier.count).toBe(0);
  });

  it('APR-24: gives every request since an instant with its answers', async () => {
    await answered(opened(), 'reject');
    opened().clock.nowMs += 1_000;
    const sinceMs = opened().clock.nowMs;
    await done(opened());
    const used = await approved(opened(), { amount: 20 });
    const waiting = await asked(opened());
    const figures = await opened().store.readApprovalFigures({ sinceMs });
    const { nowMs } = opened().clock;
    const of = { action: 'payment.send', level: 1 };
    expect(figures).toEqual({
      operations: 3,
      requests: [
        {
          ...of,
          approvalId: used.approvalId,
          opId: used.opId,
          state: 'CONSUMED',
          createdMs: nowMs - 6_000,
          expiresMs: nowMs - 6_000 + 600_000,
          answers: [{ approves: true, atMs: nowMs - 1_000 }],
        },
        {
          ...of,
          approvalId: waiting.approvalId,
          opId: waiting.opId,
          state: 'REQUESTED',
          createdMs: nowMs,
          expiresMs: nowMs + 600_000,
          answers: [],
        },
      ],
    });
    const all = await opened().store.readApprovalFigures({ sinceMs: 0 });
    expect(all.requests[0]?.answers).toMatchObject([{ approves: false }]);
  });
}

function testDrafts({ opened, reopen }: StoreTestContext): void {
  it('APR-25: drafts once for three equal approvals, and says so in one leaf', async () => {
    const draftsOf = async (draft: ProposalDraft): Promise<string | undefined> => {
      const made = await opened().store.draftAmendment(draft.approvalId, testId());
      return made?.draftId;
    };
    const first = await approved(opened(), { amount: 100 });
    const second = await approved(opened(), { amount: 80 });
    expect(await draftsOf(first)).toBeUndefined();
    expect(await draftsOf(second)).toBeUndefined();
    // Another payee, another currency, a reject and a request of level 0 are none of them.
    await answered(opened(), 'reject', { amount: 70 });
    await approved(opened(), { amount: 60, currency: 'USD' });
    await done(opened(), { amount: 50 });
    expect(await draftsOf(second)).toBeUndefined();
    const third = await answered(opened(), 'approve', { amount: 90 });
    const before = (await opened().store.readTree()).size;
    const draftId = await draftsOf(third);
    expect(await opened().store.readDrafts()).toEqual([
      {
        draftId,
        mandateId: opened().mandate.mandateId,
        mandateLine: opened().mandate.line,
        action: 'payment.send',
        recipientKey: 'acme',
        recipientPaths: ['iban'],
        ceiling: 100,
        currency: 'EUR',
        basis: [first.approvalId, second.approvalId, third.approvalId],
        state: 'drafted',
        createdMs: opened().clock.nowMs,
        expiresMs: opened().clock.nowMs + amendmentWindowMs,
      },
    ]);
    const added = await opened().store.readLeaves({ from: before, count: 10 });
    expect(added.map(({ type, payload }) => [type, Object.keys(payload).toSorted()])).toEqual([
      ['alarm', ['action', 'basis', 'ceiling', 'currency', 'draft', 'mandate']],
    ]);

    await reopenIfDurable(opened(), reopen);
    const fourth = await answered(opened(), 'approve', { amount: 100 });
    expect(await draftsOf(fourth)).toBeUndefined();
    expect(await opened().store.readDrafts()).toHaveLength(1);
    opened().clock.nowMs += amendmentWindowMs;
    expect(await opened().store.readDrafts()).toEqual([]);
  });

  it('APR-25: an approval that is not the last of three drafts nothing, and neither does no request', async () => {
    expect(await opened().store.draftAmendment(testId(), testId())).toBeUndefined();
    const plain = opened().proposal();
    await opened().grant(plain);
    expect(await opened().store.draftAmendment(plain.approvalId, testId())).toBeUndefined();
  });

  it('RCP-25: a draft that rests on an erased operation says nothing any more', async () => {
    const first = await approved(opened());
    await approved(opened());
    const third = await approved(opened());
    await opened().store.draftAmendment(third.approvalId, testId());
    expect(await opened().store.readDrafts()).toHaveLength(1);
    const leaves = await opened().store.readLeaves({ opId: first.opId });
    await opened().store.redact({ basis: 'gdpr-17', targets: leaves.map(({ seq }) => ({ seq })) });
    expect(await opened().store.readDrafts()).toEqual([]);
  });
}

/** What a store in memory knows ends with it. */
async function reopenIfDurable(
  { store }: OpenedStore,
  reopen: () => Promise<OpenedStore>,
): Promise<void> {
  if (store.name !== 'memory') await reopen();
}
