import { describe, expect, it } from 'vitest';
import {
  type Frame,
  type Harness,
  type HarnessOptions,
  startHarness,
} from '../../test/fixtures/proxy/proxy-harness.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const form = { elicitation: { form: {} } };
const args = { amount: 1240 };
const approve = { action: 'accept', content: { decision: 'approve' } };
const decisionOf = (frame: Frame): Frame => frame.result._meta['io.intentplane/decision'];

const askingClient = (options: HarnessOptions = {}): Promise<Harness> =>
  startHarness({ decide: () => 'ask', ...options });

const call = (client: Harness, more: object = {}, capabilities: object = form): Promise<Frame> =>
  client.modern('tools/call', { name: 'pay', arguments: args, ...more }, capabilities);

const answered = (requestState: string, reply: object = approve): object => ({
  requestState,
  inputResponses: { intentplane_approval: reply },
});

describe('approval by input, revision 2026-07-28', () => {
  verifies(
    'MCP-A4',
    'the question is a result, and the repeat with the answer executes',
    async () => {
      const client = await askingClient();
      const { result } = await call(client);
      expect(result.resultType).toBe('input_required');
      const { method, params } = result.inputRequests.intentplane_approval;
      expect(method).toBe('elicitation/create');
      expect(params.message).toContain('[intentplane asks] Transfer 1,240.00 EUR');
      const executed = await call(client, answered(result.requestState));
      expect(executed.result).toEqual({
        content: [{ type: 'text', text: 'done' }],
        resultType: 'complete',
      });
      expect(client.gateway.answers).toHaveLength(1);
      expect(client.servers.calls[0]?.otherParams).toBeUndefined();
      await client.end();
    },
  );

  verifies('MCP-S1', 'a state works once, unchanged, for its own call, in time', async () => {
    const client = await askingClient();
    const { requestState } = (await call(client)).result;
    const flipped = `${requestState.slice(0, -2)}${requestState.endsWith('A') ? 'BB' : 'AA'}`;
    const bad: object[] = [
      answered(flipped),
      answered(`${requestState}=`),
      answered(requestState.slice(0, 40)),
      answered('x'.repeat(5000)),
      { requestState: 7 },
      { ...answered(requestState), arguments: { amount: 1241 } },
      { ...answered(requestState), name: 'read' },
      { ...answered(requestState), extra: true },
    ];
    for (const more of bad) {
      const { error } = await call(client, more);
      if ('name' in more) continue;
      expect(error).toEqual({
        code: -32602,
        message: 'Invalid params: `requestState` is not valid for this call',
      });
    }
    expect(client.gateway.answers).toEqual([]);
    expect((await call(client, answered(requestState))).result.resultType).toBe('complete');
    expect((await call(client, answered(requestState))).error.code).toBe(-32602);
    expect(client.servers.calls.filter((sent) => sent.tool === 'pay')).toHaveLength(1);
    await client.end();
  });

  it('refuses a state of another principal and one that expired', async () => {
    let nowMs = Date.now();
    const first = await askingClient({ nowMs: () => nowMs });
    const { requestState } = (await call(first)).result;
    const other = await askingClient({ principal: 'bert' });
    expect((await call(other, answered(requestState))).error.code).toBe(-32602);
    nowMs += 15 * 60_000;
    expect((await call(first, answered(requestState))).error.code).toBe(-32602);
    await first.end();
    await other.end();
  });

  verifies('MCP-S5', 'no answer, another answer or a hasty decline asks nobody again', async () => {
    for (const more of [
      { inputResponses: {} },
      { inputResponses: { intentplane_approval: { action: 'accept', content: {} } } },
      { inputResponses: { intentplane_approval: { action: 'decline' } } },
      { inputResponses: { other: approve } },
    ]) {
      const client = await askingClient();
      const { requestState } = (await call(client)).result;
      const { result } = await call(client, { requestState, ...more });
      expect(result._meta['io.intentplane/decision'].status).toBe('pending');
      expect(client.gateway.answers).toEqual([]);
      await client.end();
    }
  });

  it('rejects on a chosen rejection', async () => {
    const client = await askingClient();
    const { requestState } = (await call(client)).result;
    const reject = { action: 'accept', content: { decision: 'reject' } };
    const refused = await call(client, answered(requestState, reject));
    expect(decisionOf(refused).codes).toEqual(['APPROVAL_REJECTED']);
    await client.end();
  });

  verifies(
    'MCP-S2',
    'a client without forms, and one of the older era, get a pending answer',
    async () => {
      const client = await askingClient();
      expect(decisionOf(await call(client, {}, {})).status).toBe('pending');
      await client.end();
      const legacy = await askingClient();
      await legacy.initialize({});
      const params = { name: 'pay', arguments: args, requestState: 'x' };
      expect(decisionOf(await legacy.request('tools/call', params)).status).toBe('pending');
      await legacy.end();
    },
  );
});

describe('approval by a link, revision 2026-07-28', () => {
  const link = { elicitation: { url: {} } };

  verifies('MCP-A4', 'the link is a result, and the repeat waits for the page', async () => {
    const client = await askingClient({ formWaitSeconds: 2 });
    const { result } = await call(client, {}, link);
    const { params } = result.inputRequests.intentplane_approval;
    const [approval] = client.gateway.approvals.values();
    expect(params).toMatchObject({ mode: 'url', url: approval?.pending.url });
    const repeat = call(client, answered(result.requestState, { action: 'accept' }), link);
    await client.settle();
    expect(client.gateway.answers).toEqual([]);
    await client.approveOnPage();
    expect((await repeat).result.content[0].text).toBe('done');
    await client.end();
  });

  it('nobody who answers leads to a pending answer', async () => {
    const client = await askingClient({ formWaitSeconds: 0.1 });
    const { result } = await call(client, {}, link);
    const repeat = await call(client, answered(result.requestState, { action: 'accept' }), link);
    expect(decisionOf(repeat).status).toBe('pending');
    await client.end();
  });
});
