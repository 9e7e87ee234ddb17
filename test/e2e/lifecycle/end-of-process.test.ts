// How a proxy ends: by its client, by a signal, by a client that no longer reads; each time soon, with
// everything recorded and nothing left running.
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, World } from '../../fixtures/product/world.ts';
import { vendorIban } from '../../fixtures/product/world-files.ts';
import { waitUntil } from '../../fixtures/wait-until.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
afterEach(() => world.discard());

const payment = { recipient: vendorIban, amount: 5 };
/** The limit of the product, and a little for a busy machine. */
const endMs = 10_000;

function ended(client: { readonly exited: Promise<{ code: number | null }> }): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve('still running'), endMs);
  });
  const code = client.exited.then((end) => end.code);
  return Promise.race([code, late]).finally(() => clearTimeout(timer));
}

describe('a proxy', () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    verifies('MCP-L9', `ends on ${signal} although its client stays`, async () => {
      world = new World();
      const client = await world.start();
      expect(codeOf(await client.callTool('pay', payment))).toBe('executed');
      client.kill(signal);
      expect(await ended(client)).toBe(0);
    });
  }

  verifies('MCP-L9', 'lets an open call end first, and answers it', async () => {
    world = new World();
    const client = await world.start();
    await client.callTool('control', { behaviour: 'slow' });
    const id = client.post('tools/call', { name: 'pay', arguments: payment });
    await waitUntil(() => client.stderr.includes('decision=allow'));
    client.kill('SIGTERM');
    expect(codeOf(await client.answerTo(id))).toBe('executed');
    expect(await ended(client)).toBe(0);
    const outcome = (await world.receipts()).find(({ type }) => type === 'outcome');
    expect(outcome).toMatchObject({ state: 'SUCCEEDED' });
  });

  it('ends when its client reads no more, although the input stays open', async () => {
    world = new World();
    const client = await world.start();
    client.stopReading();
    for (let call = 0; call < 3; call += 1) client.post('tools/list', {});
    expect(await ended(client)).toBe(0);
    expect(client.stderr).toContain('the session ended');
  });

  it('signs its log in the end, so that nothing is left unproven', async () => {
    world = new World();
    const client = await world.start();
    expect(codeOf(await client.callTool('pay', payment))).toBe('executed');
    client.endInput();
    expect(await ended(client)).toBe(0);
    const attempt = (await world.receipts()).find(({ type }) => type === 'attempt');
    const args = ['receipts', 'export', '--op', attempt?.op_id ?? '', '--json'];
    const { json } = await world.runHere(args);
    expect(json.bundles).toHaveLength(4);
  });
});
