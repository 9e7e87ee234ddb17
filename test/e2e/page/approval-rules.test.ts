import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { Answer, AnswerResult, PendingApproval } from '../../../src/gateway/gateway.ts';
import { keepPerson } from '../../fixtures/page/sign-in.ts';
import { type GatewayPage, startGatewayPage } from '../../fixtures/page/start-gateway-page.ts';
import { verifies } from '../../requirements/verifies.ts';

const minuteMs = 60_000;
const to = 'DE89370400440532013000';

let world: GatewayPage;
let clock: { nowMs: number };

beforeEach(async () => {
  clock = { nowMs: Date.UTC(2026, 10, 30, 13) };
  world = await startGatewayPage(() => clock.nowMs);
});
afterEach(async () => {
  await world.page.close();
  await world.store.close();
});

const pay = (amount: number): Promise<Answer> => world.pay({ to, amount });
const codes = (answer: Answer): readonly string[] =>
  answer.kind === 'report' ? answer.report.codes : [answer.kind];

async function ask(amount: number): Promise<PendingApproval> {
  const answer = await pay(amount);
  const pending = answer.kind === 'report' ? answer.report.approval : undefined;
  if (pending === undefined) throw new Error(`not pending: ${JSON.stringify(answer)}`);
  return pending;
}

function answer(
  { approvalId, opHash }: PendingApproval,
  verdict: 'approve' | 'reject',
  person = 'maya',
): Promise<AnswerResult> {
  return world.gateway.answerApproval({
    approvalId,
    opHash,
    verdict,
    person,
    assurance: 'passcode',
    channel: 'page',
    reason: undefined,
  });
}

describe('an approval request', () => {
  verifies('APR-05', 'is refused at the answer from its expiry instant on', async () => {
    const pending = await ask(200);
    clock.nowMs = pending.expiresMs;
    expect(await answer(pending, 'approve')).toEqual({
      ok: false,
      code: 'ENDED',
      state: 'EXPIRED',
    });
    expect(codes(await pay(200))).toEqual(['APPROVAL_EXPIRED']);
    expect((await ask(200)).approvalId).not.toBe(pending.approvalId);
  });

  verifies('APR-05', 'is refused at dispatch although it was granted in time', async () => {
    const pending = await ask(200);
    clock.nowMs = pending.expiresMs - 1;
    expect(await answer(pending, 'approve')).toEqual({ ok: true, state: 'GRANTED' });
    clock.nowMs += 1;
    expect(codes(await pay(200))).toEqual(['APPROVAL_EXPIRED']);
    expect(world.effects).toEqual([]);
  });

  verifies('APR-06', 'of level 1 is answered by the principal and by nobody else', async () => {
    const pending = await ask(200);
    for (const person of ['bob', 'Maya', '', 'agent']) {
      for (const verdict of ['approve', 'reject'] as const) {
        expect(await answer(pending, verdict, person)).toEqual({
          ok: false,
          code: 'APPROVAL_NOT_ELIGIBLE',
          state: 'REQUESTED',
        });
      }
    }
    expect(await answer(pending, 'approve')).toEqual({ ok: true, state: 'GRANTED' });
  });

  verifies('APR-16', 'of level 2 is never answered through the client of the agent', async () => {
    const nobody = await world.call('bank.pay', { to, amount: 5_000 }, { form: true });
    expect(codes(nobody)).toEqual(['APPROVAL_NOT_ELIGIBLE']);
    await keepPerson(world.store, 'ann');
    clock.nowMs += 1_000;
    const asked = await world.call('bank.pay', { to, amount: 5_000 }, { form: true });
    const pending = asked.kind === 'report' ? asked.report.approval : undefined;
    expect(pending).toMatchObject({ level: 2, how: 'page' });
    const { approvalId = '', opHash = '' } = pending ?? {};
    for (const assurance of ['elicitation', 'passcode', 'oidc', 'passkey'] as const) {
      const given = { approvalId, opHash, verdict: 'approve', person: 'ann', assurance } as const;
      expect(
        await world.gateway.answerApproval({ ...given, channel: 'elicitation', reason: undefined }),
      ).toMatchObject({ ok: false, code: 'FACTOR_REFUSED' });
    }
  });

  verifies('APR-32', 'is not asked again for 10 min after a reject', async () => {
    await answer(await ask(200), 'reject');
    clock.nowMs += 10 * minuteMs - 1;
    expect(codes(await pay(200))).toEqual(['APPROVAL_REJECTED']);
    expect((await ask(201)).sentence).toContain('201');
    clock.nowMs += 1;
    expect((await ask(200)).sentence).toContain('200');
  });

  verifies('APR-32', 'takes no answer after it was cancelled', async () => {
    const pending = await ask(200);
    const again = await pay(200);
    const opId = again.kind === 'report' ? again.report.opId : undefined;
    await world.gateway.cancelApproval(opId ?? '', 'the client cancelled');
    for (const verdict of ['approve', 'reject'] as const) {
      expect(await answer(pending, verdict)).toEqual({
        ok: false,
        code: 'ENDED',
        state: 'CANCELLED',
      });
    }
    expect(world.effects).toEqual([]);
  });

  verifies('APR-32', 'suspends the mandate at the third reject within an hour', async () => {
    await answer(await ask(200), 'reject');
    await answer(await ask(201), 'reject');
    clock.nowMs += 60 * minuteMs;
    await answer(await ask(202), 'reject');
    expect((await ask(203)).level).toBe(1);
    await answer(await ask(204), 'reject');
    await answer(await ask(205), 'reject');
    expect(codes(await pay(50))).toEqual(['AUTHN_MANDATE_SUSPENDED']);
    expect(world.effects).toEqual([]);
  });

  verifies('APR-33', 'joins an equal one, and only five are open at a time', async () => {
    const first = await ask(200);
    expect((await ask(200)).approvalId).toBe(first.approvalId);
    for (const amount of [201, 202, 203, 204]) await ask(amount);
    expect(codes(await pay(205))).toEqual(['APPROVAL_TOO_MANY']);
    expect((await ask(204)).approvalId).toBeDefined();
    expect(await world.gateway.listPending()).toHaveLength(5);
    await answer(first, 'reject');
    expect((await ask(205)).sentence).toContain('205');
  });
});
