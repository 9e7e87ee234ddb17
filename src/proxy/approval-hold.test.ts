import { describe, expect, it } from 'vitest';
import {
  type Frame,
  type Harness,
  type HarnessOptions,
  startHarness,
} from '../../test/fixtures/proxy/proxy-harness.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const form = { elicitation: {} };
const decisionOf = (frame: Frame): Frame => frame.result._meta['io.intentplane/decision'];

async function askingClient(
  options: HarnessOptions = {},
  capabilities: object = form,
): Promise<Harness> {
  const client = await startHarness({ decide: () => 'ask', formWaitSeconds: 2, ...options });
  await client.initialize(capabilities);
  return client;
}

/** Starts a call and waits for the form that it leads to. */
async function callAndAsk(client: Harness): Promise<{ readonly id: number; readonly ask: Frame }> {
  const id = client.post('tools/call', { name: 'pay', arguments: { amount: 1240 } });
  const ask = await client.waitFor((frame) => frame.method === 'elicitation/create');
  return { id, ask };
}

// A person needs more than a second; a faster decline is no answer.
const readingTime = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_050));

describe('approval by form', () => {
  it('asks with one required choice without default, and every value with its source', async () => {
    const client = await askingClient();
    const { ask } = await callAndAsk(client);
    expect(ask.params.mode).toBe('form');
    expect(ask.params.message).toBe(
      '[intentplane asks] Transfer 1,240.00 EUR to Nordwind GmbH\n' +
        'IBAN: DE89 3704 0044 0532 0130 00 (registry:payees) [changed yesterday]',
    );
    const { properties, required } = ask.params.requestedSchema;
    expect(required).toEqual(['decision']);
    expect(properties.decision.oneOf.map((choice: Frame) => choice.const)).toEqual([
      'approve',
      'reject',
    ]);
    expect('default' in properties.decision).toBe(false);
    await client.end();
  });

  verifies('MCP-A4', 'the exact answer approves, and the held call executes', async () => {
    const client = await askingClient();
    const { id, ask } = await callAndAsk(client);
    const content = { decision: 'approve' };
    client.send({ jsonrpc: '2.0', id: ask.id, result: { action: 'accept', content } });
    expect((await client.answerTo(id)).result.content[0].text).toBe('done');
    expect(client.gateway.answers).toMatchObject([
      { verdict: 'approve', person: 'anna', assurance: 'elicitation', channel: 'elicitation' },
    ]);
    await client.end();
  });

  verifies(['MCP-S5', 'MCP-R33'], 'any other answer leaves the question open', async () => {
    const answers = [
      { action: 'accept', content: {} },
      { action: 'accept' },
      { action: 'accept', content: { decision: 'approve', more: 1 } },
      { action: 'accept', content: { decision: 'yes' } },
      { action: 'accept', content: { decision: true } },
      { action: 'accept', content: [] },
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'approve', content: { decision: 'approve' } },
      {},
    ];
    for (const result of answers) {
      const client = await askingClient({ formWaitSeconds: 0.1 });
      const { id, ask } = await callAndAsk(client);
      client.send({ jsonrpc: '2.0', id: ask.id, result });
      expect(decisionOf(await client.answerTo(id)).status).toBe('pending');
      expect(client.gateway.answers).toEqual([]);
      await client.end();
    }
  });

  it('treats an error of the client as no answer', async () => {
    const client = await askingClient({ formWaitSeconds: 0.1 });
    const { id, ask } = await callAndAsk(client);
    client.send({ jsonrpc: '2.0', id: ask.id, error: { code: -32601, message: 'no forms' } });
    expect(decisionOf(await client.answerTo(id)).status).toBe('pending');
    await client.end();
  });

  it('rejects on a chosen rejection and on a decline that a person had time for', async () => {
    for (const result of [
      { action: 'accept', content: { decision: 'reject' } },
      { action: 'decline' },
    ]) {
      const client = await askingClient();
      const { id, ask } = await callAndAsk(client);
      if (result.action === 'decline') await readingTime();
      client.send({ jsonrpc: '2.0', id: ask.id, result });
      expect(decisionOf(await client.answerTo(id)).codes).toEqual(['APPROVAL_REJECTED']);
      await client.end();
    }
  });

  it('counts an answer that comes after the pending answer; the repeat executes', async () => {
    const client = await askingClient({ formWaitSeconds: 0.05 });
    const { id, ask } = await callAndAsk(client);
    const pending = decisionOf(await client.answerTo(id));
    expect(pending.next).toMatchObject([{ do: 'open_link' }, { do: 'repeat_same_call' }]);
    const content = { decision: 'approve' };
    client.send({ jsonrpc: '2.0', id: ask.id, result: { action: 'accept', content } });
    await client.settle();
    const repeated = await client.callTool('pay', { amount: 1240 });
    expect(repeated.result.content[0].text).toBe('done');
    expect(client.servers.calls).toHaveLength(1);
    await client.end();
  });

  it('takes the form back when the page was faster', async () => {
    const client = await askingClient();
    const { id, ask } = await callAndAsk(client);
    await client.approveOnPage();
    const cancelled = await client.waitFor((frame) => frame.method === 'notifications/cancelled');
    expect(cancelled.params.requestId).toBe(ask.id);
    expect((await client.answerTo(id)).result.content[0].text).toBe('done');
    await client.end();
  });

  it('shows one form for two identical calls', async () => {
    const client = await askingClient({ formWaitSeconds: 0.2 });
    await callAndAsk(client);
    client.post('tools/call', { name: 'pay', arguments: { amount: 1240 } });
    await client.settle();
    expect(client.frames.filter((frame) => frame.method === 'elicitation/create')).toHaveLength(1);
    await client.end();
  });

  it('shows no form when the page must be used or the client has none', async () => {
    const cases: [HarnessOptions, object, string][] = [
      [{ decide: () => 'ask-page' }, form, '2025-11-25'],
      [{}, {}, '2025-11-25'],
      [{}, { elicitation: { url: {} } }, '2025-06-18'],
      [{}, form, '2025-03-26'],
    ];
    for (const [options, capabilities, revision] of cases) {
      const client = await startHarness({ decide: () => 'ask', ...options });
      await client.initialize(capabilities, revision);
      expect(decisionOf(await client.callTool('pay')).status).toBe('pending');
      expect(client.frames.some((frame) => frame.method === 'elicitation/create')).toBe(false);
      await client.end();
    }
  });
});

describe('holding a call', () => {
  it('waits the configured time for the page', async () => {
    const client = await askingClient({ waitSeconds: 5 }, {} as typeof form);
    const id = client.post('tools/call', { name: 'pay', arguments: {} });
    await client.settle();
    expect(client.frames.some((frame) => frame.id === id)).toBe(false);
    await client.approveOnPage();
    expect((await client.answerTo(id)).result.content[0].text).toBe('done');
    await client.end();
  });

  verifies('MCP-X2', 'a cancelled call takes its question and its form back', async () => {
    const client = await askingClient();
    const { id, ask } = await callAndAsk(client);
    client.notify('notifications/cancelled', { requestId: id });
    const cancelled = await client.waitFor((frame) => frame.method === 'notifications/cancelled');
    expect(cancelled.params.requestId).toBe(ask.id);
    await client.settle();
    const [approval] = client.gateway.approvals.values();
    expect(approval?.state).toBe('CANCELLED');
    expect(client.frames.some((frame) => frame.id === id && frame.method === undefined)).toBe(
      ask.id === id,
    );
    await client.end();
  });

  it('keeps the question when another identical call waits for it', async () => {
    const client = await askingClient({ formWaitSeconds: 0.3 });
    const { id } = await callAndAsk(client);
    const second = client.post('tools/call', { name: 'pay', arguments: { amount: 1240 } });
    await client.settle();
    client.notify('notifications/cancelled', { requestId: id });
    expect(decisionOf(await client.answerTo(second)).status).toBe('pending');
    const [approval] = client.gateway.approvals.values();
    expect(approval?.state).toBe('REQUESTED');
    await client.end();
  });

  verifies('MCP-O2', 'a client with a token hears that a person is waited for', async () => {
    const client = await askingClient({ formWaitSeconds: 0.2, reminderSeconds: 0.05 });
    const params = { name: 'pay', arguments: {}, _meta: { progressToken: 'w' } };
    await client.request('tools/call', params);
    const sent = client.frames.filter((frame) => frame.method === 'notifications/progress');
    expect(sent.length).toBeGreaterThanOrEqual(2);
    for (const { params: progress } of sent) {
      expect(progress.message).toBe('waiting for a person to confirm');
      expect(progress.progress).toBeLessThan(0.001);
      expect(progress.progressToken).toBe('w');
    }
    await client.end();
  });

  it('keeps the question when the client is gone', async () => {
    const client = await askingClient();
    await callAndAsk(client);
    await client.end();
    const [approval] = client.gateway.approvals.values();
    expect(approval?.state).toBe('REQUESTED');
  });
});

describe('approval by a link, for clients that only open links', () => {
  const link = { elicitation: { url: {} } };

  verifies('MCP-A4', 'the link is offered, opening it answers nothing, the page does', async () => {
    const client = await askingClient({}, link);
    const { id, ask } = await callAndAsk(client);
    const [approval] = client.gateway.approvals.values();
    expect(ask.params).toEqual({
      mode: 'url',
      elicitationId: approval?.pending.approvalId,
      url: approval?.pending.url,
      message: expect.stringContaining('[intentplane asks]'),
    });
    client.send({ jsonrpc: '2.0', id: ask.id, result: { action: 'accept' } });
    await client.settle();
    expect(client.gateway.answers).toEqual([]);
    await client.approveOnPage();
    const told = await client.waitFor(
      (frame) => frame.method === 'notifications/elicitation/complete',
    );
    expect(told.params).toEqual({ elicitationId: approval?.pending.approvalId });
    expect((await client.answerTo(id)).result.content[0].text).toBe('done');
    await client.end();
  });

  it('a person who does not open it leaves the question open', async () => {
    for (const result of [{ action: 'decline' }, { action: 'cancel' }]) {
      const client = await askingClient({ formWaitSeconds: 0.1 }, link);
      const { id, ask } = await callAndAsk(client);
      client.send({ jsonrpc: '2.0', id: ask.id, result });
      expect(decisionOf(await client.answerTo(id)).status).toBe('pending');
      expect(client.gateway.answers).toEqual([]);
      await client.end();
    }
  });
});
