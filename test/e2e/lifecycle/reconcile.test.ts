// The target dies in the middle of a payment: the gateway asks it what happened, without a person.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect } from 'vitest';
import { codeOf, textOf, World } from '../../fixtures/product/world.ts';
import type { RawClient } from '../../fixtures/raw-client.ts';
import { waitUntil } from '../../fixtures/wait-until.ts';
import { verifies } from '../../requirements/verifies.ts';

const ledgerServer = fileURLToPath(
  new URL('../../fixtures/servers/ledger-server.ts', import.meta.url),
);
const payment = { amount: 60, invoice: 'R-1', idempotency_key: 'of the agent' };
const policy = '@id("all") permit (principal, action, resource);';

let world: World;
afterEach(() => world.discard());

function stage(tool: string): void {
  world = new World();
  world.write('policy.cedar', policy);
  const args = [ledgerServer, world.path('ledger.jsonl'), world.path('mode')];
  world.configure({
    mandate: '[mandate]\nprincipal = "maya"\nbudget = 10_000',
    registries: '',
    defaults: '',
    servers: `[[servers]]
name = "bank"
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify(args)}
call_timeout = "2s"`,
    tools: `[[tools]]
server = "bank"
tool = "pay"
action = "payment.transfer"
budget_param = "amount"
${tool}
[tools.params.amount]
type = "number"
scale = 100
[tools.params.invoice]
normalize = "lower"
`,
  });
}

const keyed = 'idempotency = { argument = "idempotency_key", lifetime = "24h" }';
const lookUp = `[tools.reconcile]
tool = "bank.find_payment"
arguments = { key = "\${key}" }
succeeded = { pointer = "/status", value = "booked" }
absent = { pointer = "/status", value = "none" }
amount = "/amount"
reference = "/reference"
key = "/key"
absence_final_after = "1s"
`;

const misbehave = (mode: string): string => world.write('mode', mode);
const payments = (): readonly string[] => {
  const file = world.path('ledger.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

async function amountLeft(client: RawClient): Promise<number> {
  const { result } = await client.callTool('intentplane_status', {});
  return result.structuredContent.budgets[0].left;
}

describe('a target that dies in the middle of a call', () => {
  verifies(
    ['EXE-09', 'EXE-51'],
    'after the effect: found out without a person; the repeat is told and sends nothing',
    { timeout: 60_000 },
    async () => {
      stage(`${keyed}\n${lookUp}`);
      misbehave('die-after-effect');
      const client = await world.start();
      expect(codeOf(await client.callTool('pay', payment))).toBe('EXECUTION_UNKNOWN');
      misbehave('');
      const repeat = await client.callTool('pay', { ...payment, idempotency_key: 'another' });
      expect(codeOf(repeat)).toBe('EXECUTION_DUPLICATE');
      expect(textOf(repeat)).toContain('a repeat sends nothing');
      await waitUntil(() => client.stderr.includes('an unknown outcome is known now: SUCCEEDED'));
      const told = await client.callTool('pay', payment);
      expect(codeOf(told)).toBe('EXECUTION_DUPLICATE');
      expect(textOf(told)).toContain('it succeeded');
      expect(payments()).toHaveLength(1);
      expect(await amountLeft(client)).toBe(4_000);
      const found = (await world.receipts()).find(({ type }) => type === 'reconcile');
      expect(found).toMatchObject({ state: 'SUCCEEDED' });
      await client.close();
    },
  );

  verifies(
    ['EXE-06', 'EXE-12'],
    'before the effect: sent again under the same key, one effect, and the repeat has its answer',
    { timeout: 60_000 },
    async () => {
      stage(`${keyed}\n${lookUp}`);
      misbehave('die-before-effect');
      const client = await world.start();
      const first = await client.callTool('pay', payment);
      expect(codeOf(first)).toBe('EXECUTION_UNKNOWN');
      misbehave('');
      await waitUntil(() => client.stderr.includes('is sent again with the same key'));
      await waitUntil(() => payments().length > 0);
      let told = await client.callTool('pay', payment);
      while (codeOf(told) === 'EXECUTION_DUPLICATE') told = await client.callTool('pay', payment);
      expect(codeOf(told)).toBe('executed');
      const opId = first.result._meta['io.intentplane/decision'].op_id;
      expect(textOf(told)).toContain(`paid under ip_${opId}`);
      expect(payments()).toHaveLength(1);
      expect(await amountLeft(client)).toBe(4_000);
      await client.close();
    },
  );

  verifies(
    ['EXE-29', 'EXE-28'],
    'with the gateway: the next one asks about what it left at once',
    { timeout: 60_000 },
    async () => {
      stage(`${keyed}\n${lookUp}`);
      misbehave('no-answer');
      const first = await world.start();
      first.post('tools/call', { name: 'pay', arguments: payment });
      await waitUntil(() => payments().length > 0);
      first.kill('SIGKILL');
      await first.exited;
      misbehave('');
      const next = await world.start();
      await waitUntil(() => next.stderr.includes('an unknown outcome is known now: SUCCEEDED'));
      expect(payments()).toHaveLength(1);
      await next.close();
    },
  );
});
