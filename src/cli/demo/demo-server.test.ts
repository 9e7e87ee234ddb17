import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isValidIBAN } from 'ibantools';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runDemoServer } from './demo-server.ts';
import { demoWorld } from './demo-world.ts';

const vendorIban = demoWorld.beneficiaries[0]?.iban ?? '';
const initialize = request('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-server-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('runDemoServer', () => {
  it('answers initialize with the revision that was asked for, or its newest', async () => {
    const old = await exchange([request('initialize', { protocolVersion: '2024-11-05' })]);
    expect(old[0].result.protocolVersion).toBe('2024-11-05');
    const unknown = await exchange([request('initialize', { protocolVersion: '2026-07-28' })]);
    expect(unknown[0].result.protocolVersion).toBe('2025-11-25');
    expect(unknown[0].result.capabilities).toEqual({ tools: {} });
  });

  it('lists its seven tools with both schemas and annotations', async () => {
    const { tools } = (await exchange([initialize, request('tools/list')]))[1].result;
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual([
      'get_balance',
      'list_beneficiaries',
      'list_transactions',
      'read_inbox',
      'search_inbox',
      'send_money',
      'send_email',
    ]);
    for (const tool of tools) {
      expect(tool.inputSchema.additionalProperties).toBe(false);
      expect(tool.outputSchema.type).toBe('object');
      expect(Object.keys(tool.annotations)).toHaveLength(4);
      expect(tool.annotations.readOnlyHint).toBe(!tool.name.startsWith('send_'));
    }
  });

  it('answers every tool with a value that fits the declared output schema', async () => {
    const calls = [
      call('get_balance'),
      call('list_beneficiaries'),
      call('list_transactions'),
      call('read_inbox'),
      call('search_inbox', { query: 'changed banks' }),
      call('send_money', { recipient: vendorIban, amount: 480, subject: 'Invoice 2026-0117' }),
      call('send_email', { to: ['anna.lindqvist@example.org'], subject: 'Hi', body: 'Paid.' }),
    ];
    const [, list, ...answers] = await exchange([initialize, request('tools/list'), ...calls]);
    const ajv = new Ajv2020();
    answers.forEach((answer, index) => {
      const { content, structuredContent, isError } = answer.result;
      const schema = list.result.tools[index].outputSchema;
      expect(ajv.validate(schema, structuredContent), ajv.errorsText()).toBe(true);
      expect(JSON.parse(content[0].text)).toEqual(structuredContent);
      expect(isError).toBeUndefined();
    });
  });

  it('books a transfer to any valid IBAN in any spelling and keeps the books', async () => {
    const spelled = 'de89 3704 0044 0532 0130 00';
    const [, paid, balance, transactions] = await exchange([
      initialize,
      call('send_money', { recipient: spelled, amount: 480.25, subject: 'Invoice' }),
      call('get_balance'),
      call('list_transactions'),
    ]);
    expect(paid.result.structuredContent).toEqual({
      transaction_id: 'tx-0105',
      status: 'booked',
      recipient: spelled,
      amount: 480.25,
      currency: 'EUR',
      balance: 247_870.5,
    });
    expect(balance.result.structuredContent.balance).toBe(247_870.5);
    expect(transactions.result.structuredContent.transactions[0]).toEqual({
      id: 'tx-0105',
      date: '2026-03-09',
      amount: -480.25,
      counterparty: 'Hartmann Paper',
      iban: 'DE89370400440532013000',
      subject: 'Invoice',
    });
  });

  it('is no guard: it pays the attacker too', async () => {
    const args = { recipient: demoWorld.attackerIban, amount: 480 };
    const [, paid] = await exchange([initialize, call('send_money', args)]);
    expect(paid.result.structuredContent.status).toBe('booked');
  });

  it.each([
    ['send_money', { recipient: 'DE88370400440532013000', amount: 1 }, 'IBAN'],
    ['send_money', { recipient: 17, amount: 1 }, 'IBAN'],
    ['send_money', { recipient: vendorIban, amount: 0 }, 'above 0'],
    ['send_money', { recipient: vendorIban, amount: -5 }, 'above 0'],
    ['send_money', { recipient: vendorIban, amount: 1.005 }, 'two decimals'],
    ['send_money', { recipient: vendorIban, amount: '5' }, 'above 0'],
    ['send_money', { recipient: vendorIban, amount: 1, subject: 5 }, '`subject`'],
    ['send_money', { recipient: vendorIban, amount: 250_000 }, 'balance'],
    ['send_money', { recipient: vendorIban, amount: 1, bic: 'X' }, 'unknown argument `bic`'],
    ['send_email', { to: [], subject: '', body: '' }, '`to`'],
    ['send_email', { to: 'a@example.org', subject: '', body: '' }, '`to`'],
    ['send_email', { to: ['nobody'], subject: '', body: '' }, '`to`'],
    ['send_email', { to: ['a@example.org'], body: '' }, '`subject`'],
    ['send_email', { to: ['a@example.org'], subject: '' }, '`body`'],
    ['search_inbox', {}, '`query`'],
  ])('answers %s %j with a tool error and no effect', async (tool, args, part) => {
    const effectsFile = join(folder, 'effects.jsonl');
    const [, answer] = await exchange([initialize, call(tool, args)], effectsFile);
    expect(answer.result.isError).toBe(true);
    expect(answer.result.content[0].text).toContain(part);
    expect(readFileSync(effectsFile, 'utf8')).toBe('');
  });

  it('writes one line per effect, before it answers, after what the file holds', async () => {
    const effectsFile = join(folder, 'effects.jsonl');
    const args = { recipient: vendorIban, amount: 1 };
    await exchange([initialize, call('send_money', args), call('get_balance')], effectsFile);
    await exchange([initialize, call('send_money', args)], effectsFile);
    const line = JSON.stringify({ seq: 1, tool: 'send_money', arguments: args });
    expect(readFileSync(effectsFile, 'utf8')).toBe(`${line}\n${line}\n`);
  });

  it('refuses to start on an effects file that it cannot write', async () => {
    const effectsFile = join(folder, 'missing', 'effects.jsonl');
    await expect(runDemoServer({ effectsFile })).rejects.toThrow(effectsFile);
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,', null, -32700],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null, -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null, -32600],
    ['{"jsonrpc":"2.0","id":1}', null, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 1, -32600],
    ['{"jsonrpc":"2.0","id":"a","method":"server/discover"}', 'a', -32601],
    ['{"jsonrpc":"2.0","id":-4,"method":"initialize","params":[]}', -4, -32602],
  ])('answers the frame %s with an error', async (line, id, code) => {
    const [answer] = await exchange([line]);
    expect(answer).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
  });

  it.each([
    [request('initialize', {}), -32600],
    [request('tools/list', { cursor: 'x' }), -32602],
    [request('tools/call', { name: 'steal' }), -32602],
    [request('tools/call', { name: 7 }), -32602],
    [request('tools/call', { name: 'get_balance', arguments: [] }), -32602],
  ])('answers %s after the handshake with an error', async (line, code) => {
    expect((await exchange([initialize, line]))[1].error.code).toBe(code);
  });

  it('says nothing to notifications, answers and empty lines', async () => {
    const silent = ['', '{"jsonrpc":"2.0","method":"notifications/initialized"}'];
    const response = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect(await exchange([...silent, response, request('ping')])).toHaveLength(1);
  });

  it('reads frames that arrive in any cut, also inside a character', async () => {
    const text = 'Grüße 𝄞';
    const bytes = Buffer.from(
      `${initialize}\n${call('send_money', { recipient: vendorIban, amount: 1, subject: text })}\n` +
        `${call('list_transactions')}\n`,
    );
    const chunks = [...bytes].map((byte) => Buffer.from([byte]));
    const answers = await exchangeChunks(chunks);
    expect(answers[2].result.structuredContent.transactions[0].subject).toBe(text);
  });

  it('refuses a message above 16 MiB and goes on', async () => {
    const long = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(2 ** 24)}"}}`;
    const answers = await exchange([long, request('ping')]);
    expect(answers[0]).toMatchObject({ id: null, error: { code: -32600 } });
    expect(answers[1].result).toEqual({});
  });
});

describe('demoWorld', () => {
  it('holds only IBANs with correct check digits, each once', () => {
    const ibans = [
      demoWorld.account.iban,
      demoWorld.attackerIban,
      ...demoWorld.beneficiaries.map((beneficiary) => beneficiary.iban),
    ];
    expect(ibans.filter((iban) => !isValidIBAN(iban))).toEqual([]);
    expect(demoWorld.transactions.every(({ iban }) => isValidIBAN(iban))).toBe(true);
    expect(new Set(ibans).size).toBe(ibans.length);
  });

  it('has one mail that asks to pay to an account which is not on file', () => {
    const mails = demoWorld.inbox.filter(({ body }) =>
      body.replaceAll(' ', '').includes(demoWorld.attackerIban),
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toContain('changed banks');
    expect(mails[0]?.body).toContain(demoWorld.attackerEmail);
    expect(demoWorld.correspondents).not.toContain(mails[0]?.from);
    expect(demoWorld.correspondents).not.toContain(demoWorld.attackerEmail);
  });
});

function request(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

function call(name: string, args?: object): string {
  return request('tools/call', { name, arguments: args });
}

// biome-ignore lint/suspicious/noExplicitAny: the test looks into whatever was answered
async function exchange(lines: readonly string[], effectsFile?: string): Promise<any[]> {
  return exchangeChunks([Buffer.from(lines.map((line) => `${line}\n`).join(''))], effectsFile);
}

async function exchangeChunks(
  chunks: readonly Buffer[],
  effectsFile?: string,
  // biome-ignore lint/suspicious/noExplicitAny: as above
): Promise<any[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = '';
  output.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  const served = runDemoServer({ input, output, ...(effectsFile ? { effectsFile } : {}) });
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await served;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
