import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PasscodeGate } from '../../../src/approvals/passcode-gate.ts';
import type { Answer, PendingApproval } from '../../../src/gateway/gateway.ts';
import { prepare } from '../../../src/server/prepare.ts';
import { type RawAnswer, sendRaw } from '../../fixtures/page/raw-http.ts';
import {
  type GatewayPage,
  startGatewayPage,
  storedFailures,
} from '../../fixtures/page/start-gateway-page.ts';
import { passcode, testPasscode } from '../../fixtures/page/start-test-page.ts';
import { verifies } from '../../requirements/verifies.ts';

const transfer = { to: 'de89370400440532013000', amount: 1240, memo: 'see the mail' };

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

const pendingOf = (answer: Answer): PendingApproval => {
  const pending = answer.kind === 'report' ? answer.report.approval : undefined;
  if (pending === undefined) throw new Error(`not pending: ${JSON.stringify(answer)}`);
  return pending;
};
const codesOf = (answer: Answer): readonly string[] =>
  answer.kind === 'report' ? answer.report.codes : [answer.kind];

async function readPage(id: string): Promise<string> {
  return (await sendRaw(world.page.port, { path: `/a/${id}` })).body;
}

/** The token of the page as long as the request is open. */
const csrfOf = async ({ approvalId }: PendingApproval): Promise<string> =>
  /data-csrf="([^"]+)"/.exec(await readPage(approvalId))?.[1] ?? '';

async function answer(
  pending: PendingApproval,
  verdict: 'approve' | 'reject',
  csrf?: string,
): Promise<RawAnswer> {
  const token = csrf ?? (await csrfOf(pending));
  return sendRaw(world.page.port, {
    method: 'POST',
    path: `/a/${pending.approvalId}/answer`,
    headers: {
      Origin: `http://localhost:${world.page.port}`,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ verdict, passcode, op_hash: pending.opHash, csrf: token }),
  });
}

describe('a configuration', () => {
  verifies('APR-28.1', 'cannot put the page on another address', () => {
    const folder = mkdtempSync(join(tmpdir(), 'intentplane-page-'));
    writeFileSync(join(folder, 'policy.cedar'), 'permit (principal, action, resource);');
    const start = (listen: string) => {
      const file = join(folder, 'gateway.toml');
      const servers =
        '[[servers]]\nname = "bank"\ncommand = "true"\n[[tools]]\nserver = "bank"\ntool = "pay"\n[policy]\nfile = "policy.cedar"\n';
      writeFileSync(file, `${servers}[approvals]\nlisten = "${listen}"\n`);
      return prepare(file).config.approvals.listen;
    };
    for (const listen of ['0.0.0.0:8765', '192.0.2.1:8765', 'example.org:8765', '[::]:8765']) {
      expect(() => start(listen), listen).toThrow('is not this computer');
    }
    expect(start('localhost:8765')).toMatchObject({ port: 8765 });
  });
});

describe('a gateway with its page', () => {
  verifies('APR-20', 'shows the resolved operation, not what the agent wrote', async () => {
    const pending = pendingOf(await world.pay(transfer));
    const text = (await readPage(pending.approvalId)).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
    expect(text).toContain('Transfer 1240 to DE89 3704 0044 0532 0130 00');
    expect(text).toContain(
      'Recipient account to DE89 3704 0044 0532 0130 00 From the registry vendors, record hartmann',
    );
    expect(text).toContain('amount 1240 Written by the agent');
    expect(text).toMatch(/Untrusted: other arguments of the agent.*see the mail/);
    expect(text).toContain(pending.opHash);
  });

  verifies(
    'APR-19',
    'executes once after an approval, by the repeat of the same call',
    async () => {
      const pending = pendingOf(await world.pay(transfer));
      expect(pending.url).toMatch(/\/a\/[0-9a-f]{32}$/);
      expect(pendingOf(await world.pay(transfer)).approvalId).toBe(pending.approvalId);
      expect(world.effects).toEqual([]);
      const csrf = await csrfOf(pending);
      expect((await answer(pending, 'approve', csrf)).status).toBe(200);
      expect(world.effects).toEqual([]);
      const [one, two] = await Promise.all([world.pay(transfer), world.pay(transfer)]);
      expect([one, two].filter(({ kind }) => kind === 'executed')).toHaveLength(1);
      expect(world.effects).toHaveLength(1);
      expect(await readPage(pending.approvalId)).toContain('Executed.');
      const late = await answer(pending, 'reject', csrf);
      expect(JSON.parse(late.body)).toMatchObject({ code: 'ENDED', state: 'CONSUMED' });
    },
  );

  it('does not execute another call than the approved one', async () => {
    const pending = pendingOf(await world.pay(transfer));
    await answer(pending, 'approve');
    const other = pendingOf(await world.pay({ ...transfer, amount: 1241 }));
    expect(other.approvalId).not.toBe(pending.approvalId);
    expect(world.effects).toEqual([]);
  });

  it('lets a rejected call rest', async () => {
    const pending = pendingOf(await world.pay(transfer));
    expect((await answer(pending, 'reject')).status).toBe(200);
    expect(codesOf(await world.pay(transfer))).toEqual(['APPROVAL_REJECTED']);
    expect(world.effects).toEqual([]);
    const list = await sendRaw(world.page.port);
    expect(list.body).toContain('Nothing waits for you.');
  });

  it('takes no answer after the request has expired', async () => {
    const pending = pendingOf(await world.pay(transfer));
    const csrf = await csrfOf(pending);
    clock.nowMs = pending.expiresMs;
    const late = await answer(pending, 'approve', csrf);
    expect(JSON.parse(late.body)).toMatchObject({ code: 'ENDED', state: 'EXPIRED' });
    expect(await readPage(pending.approvalId)).toContain('Expired');
    expect(codesOf(await world.pay(transfer))).toEqual(['APPROVAL_EXPIRED']);
  });

  verifies('APR-31', 'records who answered, how and where in the receipt', async () => {
    const pending = pendingOf(await world.pay(transfer));
    await answer(pending, 'approve');
    const leaves = await world.store.readLeaves({ from: 0, count: 100 });
    const leaf = leaves.find(({ type }) => type === 'approval.answer');
    const text = Buffer.from(leaf?.bytes ?? []).toString('utf8');
    expect(text).toContain('"assurance":"passcode"');
    expect(text).toContain('"channel":"page"');
    expect(text).toContain(pending.opHash);
    expect(text).not.toContain('maya');
    expect(leaf?.payload['person']?.value).toBe('"maya"');
    expect(text).not.toContain(passcode);
    expect(JSON.stringify(leaf?.payload)).not.toContain(passcode);
  });

  verifies('APR-13', 'locks the person for every process on the same store', async () => {
    const options = { passcode: await testPasscode(), failures: storedFailures(world.store) };
    const gates = [1, 2].map(() => new PasscodeGate({ ...options, nowMs: () => clock.nowMs }));
    for (let failure = 1; failure <= 5; failure += 1) {
      await gates[failure % 2]?.check('wrong horse');
    }
    for (const gate of gates) expect(await gate.check(passcode)).toMatchObject({ kind: 'locked' });
    const pending = pendingOf(await world.pay(transfer));
    expect((await answer(pending, 'approve')).status).toBe(429);
    clock.nowMs += 60_000;
    expect((await answer(pending, 'approve')).status).toBe(200);
  });
});
