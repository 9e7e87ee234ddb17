// A person's answer over the life of several processes: it survives a restart, is used once, ends by
// itself, and a person who says no is not asked again.
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  answerOnPage,
  approve,
  type PageLink,
  parseLink,
  readForm,
  readPage,
  reject,
} from '../../fixtures/product/answer-on-page.ts';
import { codeOf, decisionOf, textOf, World } from '../../fixtures/product/world.ts';
import {
  bankServer,
  otherVendorIban,
  ownerPasscode,
  passcodeTable,
  payTool,
  vendorIban,
} from '../../fixtures/product/world-files.ts';
import type { Frame, RawClient } from '../../fixtures/raw-client.ts';
import { waitUntil } from '../../fixtures/wait-until.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
afterEach(() => world.discard());

const payment = { recipient: vendorIban, amount: 500 };

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function start(listen = 'listen = "127.0.0.1:0"'): Promise<RawClient> {
  world = new World({ approvals: await passcodeTable(listen) });
  return world.start();
}

const linkOf = (answer: Frame): PageLink => parseLink(decisionOf(answer)?.approval?.url ?? '');

async function ask(client: RawClient, args: object = payment): Promise<PageLink> {
  const answer = await client.callTool('pay', args);
  expect(codeOf(answer)).toBe('APPROVAL_PENDING');
  return linkOf(answer);
}

describe('a restart while a question is open', () => {
  verifies(
    ['APR-04', 'APR-19'],
    'the old link takes the answer, and the repeat executes once (F-65)',
    { timeout: 60_000 },
    async () => {
      const client = await start(`listen = "127.0.0.1:${await freePort()}"`);
      const link = await ask(client);
      client.kill('SIGKILL');
      await client.exited;

      const second = await world.start();
      expect(await readPage(link)).toContain('DE89 3704 0044 0532 0130 00');
      const form = await readForm(link);
      expect((await approve(link, form)).status).toBe(200);
      second.kill('SIGKILL');
      await second.exited;

      const third = await world.start();
      const answers = await Promise.all([
        third.callTool('pay', payment),
        third.callTool('pay', payment),
      ]);
      expect(answers.map(codeOf).filter((code) => code === 'executed')).toHaveLength(1);
      expect(world.effects()).toHaveLength(1);
      expect(await readPage(link)).toContain('Executed.');
      expect([403, 409]).toContain((await approve(link, form)).status);
      expect(world.effects()).toHaveLength(1);
      await third.close();
    },
  );
});

describe('an approval', () => {
  verifies(
    'EXE-22',
    'is used with the dispatch; a failure before sending is recorded and costs nothing (F-38)',
    async () => {
      world = new World();
      const approvals = await passcodeTable();
      const servers = bankServer(world.effectsFile, [], 'restart = "never"');
      world.configure({ approvals, servers });
      const client = await world.start();
      const before = await client.callTool('intentplane_status', {});
      const link = await ask(client);
      expect((await approve(link)).status).toBe(200);
      client.post('tools/call', { name: 'control', arguments: { behaviour: 'exit' } });
      await waitUntil(() => client.stderr.includes('[bank] down'));
      const answer = await client.callTool('pay', payment);
      expect(codeOf(answer)).toBe('EXECUTION_FAILED');
      expect(textOf(answer)).toContain('nothing took effect');
      expect(await readPage(link)).toContain('Not executed.');
      const after = await client.callTool('intentplane_status', {});
      expect(after.result.structuredContent.budgets).toEqual(
        before.result.structuredContent.budgets,
      );
      const receipts = await world.receipts();
      expect(receipts.findLast(({ type }) => type === 'outcome')).toMatchObject({
        state: 'FAILED',
      });
      expect(world.effects()).toEqual([]);
      await client.close();
    },
  );

  it('is told apart by every argument: another amount asks again', async () => {
    const client = await start();
    const link = await ask(client);
    expect((await approve(link)).status).toBe(200);
    const other = await ask(client, { ...payment, amount: 501 });
    expect(other.path).not.toBe(link.path);
    expect(world.effects()).toEqual([]);
    expect(codeOf(await client.callTool('pay', payment))).toBe('executed');
    expect(world.effects()).toHaveLength(1);
    await client.close();
  });

  verifies('APR-13', 'needs the passcode: a wrong one changes nothing', async () => {
    const client = await start();
    const link = await ask(client);
    const wrong = await answerOnPage(link, { verdict: 'approve', passcode: 'wrong horse' });
    expect(wrong.status).toBe(403);
    expect(codeOf(await client.callTool('pay', payment))).toBe('APPROVAL_PENDING');
    expect(client.stderr).not.toContain('wrong horse');
    expect(world.effects()).toEqual([]);
    await client.close();
  });
});

describe('a call that is held', () => {
  verifies('APR-19', 'executes as soon as the page says yes, without a repeat', async () => {
    const client = await start('listen = "127.0.0.1:0"\nwait = 20');
    const id = client.post('tools/call', { name: 'pay', arguments: payment });
    const open = async (): Promise<readonly { readonly url: string }[]> =>
      (await client.callTool('intentplane_status', {})).result.structuredContent.pending;
    await waitUntil(async () => (await open()).length === 1);
    expect(client.answersTo(id)).toEqual([]);
    const [pending] = await open();
    expect((await approve(parseLink(pending?.url ?? ''))).status).toBe(200);
    expect(codeOf(await client.answerTo(id))).toBe('executed');
    expect(world.effects()).toHaveLength(1);
    await client.close();
  });

  it('at level 2 is refused at once where no other person is there', async () => {
    world = new World({ approvals: await passcodeTable(), tools: payTool('level_floor = 2') });
    const client = await world.start();
    const answer = await client.callTool('pay', { ...payment, amount: 1 });
    expect(codeOf(answer)).toBe('APPROVAL_NOT_ELIGIBLE');
    expect(decisionOf(answer)?.next.map((step) => step.do)).toEqual(['ask_owner', 'stop']);
    expect(world.effects()).toEqual([]);
    await client.close();
  });
});

describe('nobody answers in time', () => {
  verifies(
    'APR-05',
    'the request ends by itself, the next call is told once, then a person is asked again (F-47)',
    { timeout: 60_000 },
    async () => {
      const client = await start('listen = "127.0.0.1:0"\nexpires_in = "1s"');
      const link = await ask(client);
      const form = await readForm(link);
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      expect((await approve(link, form)).status).toBe(409);
      expect(await readPage(link)).toContain('Expired');
      const status = await client.callTool('intentplane_status', {});
      expect(status.result.structuredContent.pending).toEqual([]);
      expect(codeOf(await client.callTool('pay', payment))).toBe('APPROVAL_EXPIRED');
      const again = await ask(client);
      expect(again.path).not.toBe(link.path);
      const ends = (await world.receipts()).filter(({ type }) => type === 'approval.end');
      expect(ends.length).toBeGreaterThanOrEqual(1);
      expect(world.effects()).toEqual([]);
      await client.close();
    },
  );
});

describe('a person who says no', () => {
  verifies(
    'APR-32',
    'is not asked again for it; three times suspends the mandate until the principal lifts it',
    { timeout: 60_000 },
    async () => {
      const client = await start();
      for (const amount of [200, 300, 400]) {
        const args = { ...payment, amount };
        expect((await reject(await ask(client, args))).status).toBe(200);
        const code = amount === 400 ? 'AUTHN_MANDATE_SUSPENDED' : 'APPROVAL_REJECTED';
        expect(codeOf(await client.callTool('pay', args))).toBe(code);
      }
      const small = { recipient: otherVendorIban, amount: 5 };
      expect(codeOf(await client.callTool('pay', small))).toBe('AUTHN_MANDATE_SUSPENDED');
      expect(textOf(await client.callTool('pay', small))).toContain('suspended');

      // A restart does not lift it, a wrong passcode does not either.
      await client.close();
      const next = await world.start();
      expect(codeOf(await next.callTool('pay', small))).toBe('AUTHN_MANDATE_SUSPENDED');
      const resume = (input: string): ReturnType<World['runHere']> =>
        world.runHere(['mandate', 'resume', '--json'], { input: `${input}\n` });
      const wrong = await resume('wrong horse');
      expect(wrong).toMatchObject({ code: 1, json: { ok: false } });
      expect(codeOf(await next.callTool('pay', small))).toBe('AUTHN_MANDATE_SUSPENDED');
      const right = await resume(ownerPasscode);
      expect(right).toMatchObject({ code: 0, json: { ok: true } });
      expect(right.stdout + right.stderr).not.toContain(ownerPasscode);
      expect(codeOf(await next.callTool('pay', small))).toBe('executed');
      expect(await resume(ownerPasscode)).toMatchObject({ code: 1, json: { ok: false } });
      expect(world.effects()).toHaveLength(1);
      const types = (await world.receipts()).map(({ type }) => type);
      expect(types).toContain('mandate.suspend');
      expect(types).toContain('mandate.resume');
      await next.close();
    },
  );
});

describe('the same call within two minutes of its success', () => {
  verifies('EXE-15', 'asks, names the earlier operation, and runs after an approval', async () => {
    const client = await start();
    const small = { recipient: vendorIban, amount: 7 };
    expect(codeOf(await client.callTool('pay', small))).toBe('executed');
    const link = await ask(client, small);
    const [attempt] = (await world.receipts()).filter(({ type }) => type === 'attempt');
    expect(await readPage(link)).toMatch(/same|earlier|already/i);
    expect(attempt?.op_id).toBeDefined();
    expect(world.effects()).toHaveLength(1);
    expect((await approve(link)).status).toBe(200);
    expect(codeOf(await client.callTool('pay', small))).toBe('executed');
    expect(world.effects()).toHaveLength(2);
    await client.close();
  });

  it('a contract may switch that off', async () => {
    world = new World();
    world.configure({ tools: payTool('duplicate_window = "0s"') });
    const client = await world.start();
    const small = { recipient: vendorIban, amount: 7 };
    expect(codeOf(await client.callTool('pay', small))).toBe('executed');
    expect(codeOf(await client.callTool('pay', small))).toBe('executed');
    await client.close();
  });
});
