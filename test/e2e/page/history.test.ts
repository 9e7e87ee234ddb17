// What the page says of earlier operations, over the real gateway and its store.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, PendingApproval, ShownDraft } from '../../../src/gateway/gateway.ts';
import { type GatewayPage, startGatewayPage } from '../../fixtures/page/start-gateway-page.ts';
import { verifies } from '../../requirements/verifies.ts';

const to = 'DE89370400440532013000';
const dayMs = 86_400_000;

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

function pay(amount: number, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  clock.nowMs += 200_000;
  return world.pay({ to, amount, ...more });
}

async function ask(
  amount: number,
  more?: Readonly<Record<string, unknown>>,
): Promise<PendingApproval> {
  const answer = await pay(amount, more);
  const pending = answer.kind === 'report' ? answer.report.approval : undefined;
  if (pending === undefined) throw new Error(`not pending: ${JSON.stringify(answer)}`);
  return pending;
}

async function approve({ approvalId, opHash }: PendingApproval): Promise<void> {
  const answer = { approvalId, opHash, verdict: 'approve', person: 'maya' } as const;
  const how = { assurance: 'passcode', channel: 'page', reason: undefined } as const;
  expect(await world.gateway.answerApproval({ ...answer, ...how })).toMatchObject({ ok: true });
}

/** Approved and done. */
async function approved(amount: number): Promise<PendingApproval> {
  const pending = await ask(amount);
  await approve(pending);
  expect((await pay(amount)).kind).toBe('executed');
  return pending;
}

async function textOf(path: string): Promise<string> {
  const response = await fetch(`http://localhost:${world.page.port}${path}`);
  expect(response.status).toBe(200);
  return (await response.text()).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
}

const shown = ({ approvalId }: PendingApproval): Promise<string> => textOf(`/a/${approvalId}`);
const drafts = (): Promise<readonly ShownDraft[]> => world.gateway.listDrafts();

describe('compared with before', () => {
  verifies('APR-22', 'the page says what differs from earlier operations', async () => {
    const first = await ask(150);
    expect(await shown(first)).toContain('Nothing was done for this recipient before.');
    for (const amount of [20, 30, 40]) expect((await pay(amount)).kind).toBe('executed');
    const large = await shown(await ask(151, { memo: 'urgent' }));
    expect(large).toContain(
      'The amount is 5 times the usual one: the median of the last 3 is 3000.',
    );
    expect(large).toContain('Not as the last time for this recipient: other arguments');
    expect(large).not.toContain('Nothing was done');
    expect(await shown(first)).toContain('Nothing was done for this recipient before.');
    for (let i = 0; i < 2; i += 1) await world.pay({ to: 'LT121000011101001000', amount: 1 });
    expect(await shown(first)).toContain('2 proposals of this agent were refused');
    clock.nowMs += dayMs;
    expect((await world.store.readHistory((await operationOf(first)) ?? ''))?.recentDenials).toBe(
      0,
    );
  });
});

async function operationOf({ approvalId }: PendingApproval): Promise<string | undefined> {
  return (await world.store.readApproval(approvalId))?.approval.opId;
}

describe('approved again and again', () => {
  verifies('APR-25', 'three equal approvals are one draft, which allows nothing', async () => {
    await approved(150);
    await approved(140);
    expect(await drafts()).toEqual([]);
    expect(await textOf('/')).not.toContain('Approved again and again');
    await approved(130);
    expect(await drafts()).toMatchObject([
      {
        action: 'payment.transfer',
        recipientPaths: ['to'],
        recipient: 'DE89 3704 0044 0532 0130 00',
        ceiling: 150_00,
      },
    ]);
    expect(await textOf('/')).toContain(
      'You approved this three times: payment.transfer to DE89 3704 0044 0532 0130 00, up to 15000.',
    );
    await approved(150);
    expect(await drafts()).toHaveLength(1);
    const above = await ask(150.01);
    expect(above.level).toBe(1);
  });

  it('an approval stands when nothing can be drafted', async () => {
    const pending = await ask(150);
    const fail = (): Promise<never> => Promise.reject(new Error('full'));
    world.store.draftAmendment = fail;
    await approve(pending);
    expect((await pay(150)).kind).toBe('executed');
  });
});
