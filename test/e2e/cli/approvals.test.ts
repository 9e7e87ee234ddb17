// `intentplane approvals` on a real store, beside the gateway that asks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, World } from '../../fixtures/product/world.ts';
import { passcodeTable, vendorIban } from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
let approvalId = '';
let opId = '';
beforeAll(async () => {
  world = new World({ approvals: await passcodeTable('wait = 0\nlisten = "127.0.0.1:0"') });
  const client = await world.start();
  const pay = async (amount: number): Promise<string | number> =>
    codeOf(await client.callTool('pay', { recipient: vendorIban, amount }));
  for (const amount of [10, 20, 30]) expect(await pay(amount)).toBe('executed');
  expect(await pay(200)).toBe('APPROVAL_PENDING');
  await client.close();
}, 60_000);
afterAll(() => world.close());

describe('approvals list', () => {
  it('names every request that waits', async () => {
    const { code, json } = await world.runHere(['approvals', 'list', '--json']);
    expect(code).toBe(0);
    expect(json.approvals).toEqual([
      {
        approval_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        op_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        action: 'payment.transfer',
        level: 1,
        state: 'REQUESTED',
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ]);
    approvalId = json.approvals[0].approval_id;
    opId = json.approvals[0].op_id;
    const plain = await world.runHere(['approvals', 'list']);
    expect(plain.stdout).toContain(`${approvalId}  payment.transfer  level 1  REQUESTED  expires`);
  });
});

describe('approvals show', () => {
  verifies('APR-22', 'shows values, sources and what was done before', async () => {
    const { code, json } = await world.runHere(['approvals', 'show', approvalId, '--json']);
    expect(code).toBe(0);
    expect(json.approval).toMatchObject({
      approval_id: approvalId,
      op_id: opId,
      level: 1,
      state: 'REQUESTED',
      principal: 'maya',
      values: [
        { path: 'recipient', value: 'DE89 3704 0044 0532 0130 00', source: 'registry:vendors' },
        { path: 'amount', value: '200', source: null },
      ],
      history: [
        { kind: 'amount_multiple', multiple: 10, median: 2_000, of: 3, flagged: true },
        { kind: 'field_changed', label: 'amount' },
      ],
    });
    const plain = await world.runHere(['approvals', 'show', approvalId]);
    expect(plain.stdout).toContain('before: the amount is 10 times the median of the last 3');
    expect(plain.stdout).toContain('asked by');
  });

  it('decides nothing, and refuses an id that it does not know', async () => {
    const { json } = await world.runHere(['approvals', 'list', '--json']);
    expect(json.approvals[0].state).toBe('REQUESTED');
    const unknown = await world.runHere(['approvals', 'show', '0'.repeat(32), '--json']);
    expect(unknown).toMatchObject({ code: 1, json: { ok: false } });
    expect(unknown.json.error).toContain('there is no request');
  });
});

describe('approvals stats', () => {
  verifies('APR-24', 'counts prompts against actions', async () => {
    const { code, json } = await world.runHere(['approvals', 'stats', '--since', '1h', '--json']);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      ok: true,
      actions: 4,
      prompts: 1,
      prompts_per_100: 25,
      open: 1,
      expired: 0,
      rejected: 0,
      drafts: [],
    });
    expect(json.levels[0]).toEqual({
      level: 1,
      prompts: 1,
      answers: 0,
      approve_rate: null,
      median_answer_ms: null,
      hint: null,
    });
    const plain = await world.runHere(['approvals', 'stats']);
    expect(plain.stdout).toContain('1 requests for 4 actions, 25 per 100');
  });
});
