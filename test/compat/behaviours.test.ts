// Differences that one call after the other cannot show. What the Python package did in the same
// situation is recorded in behaviours.json; each test states both.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { verifies } from '../requirements/verifies.ts';
import { readJson } from './case-files.ts';
import { CaseSession, type SessionOptions } from './case-runner.ts';
import { brokenLinks } from './legacy-chain.ts';
import type { RpcMessage } from './raw-client.ts';

const recorded = readJson<{ behaviours: Record<string, unknown>[] }>('behaviours.json').behaviours;
const python = (row: string): object | undefined => recorded.find((each) => each['row'] === row);

const sessions: CaseSession[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.end();
});

function newSession(options: SessionOptions): CaseSession {
  const session = new CaseSession(options);
  sessions.push(session);
  return session;
}

async function started(options: SessionOptions): Promise<CaseSession> {
  const session = newSession(options);
  expect(await session.start(), session.client.stderr).toBeDefined();
  return session;
}

function post(session: CaseSession, tool: string, rest: object): number {
  return session.client.post('tools/call', JSON.stringify({ name: tool, ...rest }));
}

const ANSWER_WAIT_MS = 10_000;
const FR = 'FR1420041010050500013M02606';

const pay = (amount: number, subject: string): object => ({ recipient: FR, amount, subject });

describe('compared with 0.5.3', () => {
  verifies('C06', 'a restart joins the budget of the process before it', async () => {
    expect(python('C06')).toMatchObject({ classes: ['executed', 'executed'] });
    const session = await started({ base: 'bank-demo' });
    const large = { tool: 'send_money', elicitation: 'approve' } as const;
    const first = await session.call({ ...large, arguments: pay(9000.5, 'first process') });
    await session.stop();
    await session.start();
    const second = await session.call({ ...large, arguments: pay(9000.5, 'second process') });
    expect([first.class, second.class, second.stage]).toEqual(['executed', 'blocked', 'budget']);
    const rest = await session.call({ ...large, arguments: pay(5999.5, 'exactly the rest') });
    expect(rest.class).toBe('executed');
  });

  verifies('C11', 'a call that is cancelled while a person is asked never executes', async () => {
    expect(python('C11')).toMatchObject({ sentAfterCancel: ['quick'] });
    const session = await started({ base: 'slow-calls' });
    session.client.answerForms('hold');
    const requestId = post(session, 'confirmed', { arguments: { serial: 1 } });
    await until(() => session.client.forms.length === 1);
    session.client.notify('notifications/cancelled', { requestId });
    session.client.answerHeldForms('approve');
    const later = { tool: 'confirmed', arguments: { serial: 2 }, elicitation: 'approve' } as const;
    expect((await session.call(later)).downstreamArguments).toEqual({ serial: 2 });
  });

  verifies('C24', 'a client of revision 2026-07-28 confirms', async () => {
    expect(python('C24')).toMatchObject({ outcome: { class: 'blocked' } });
    const session = newSession({ base: 'slow-calls' });
    session.launch();
    const question = await modernCall(session, {});
    expect(question?.result).toMatchObject({ resultType: 'input_required' });
    const { inputRequests, requestState } = question?.result ?? {};
    const [key = ''] = Object.keys(inputRequests ?? {});
    const accepted = { action: 'accept', content: { decision: 'approve' } };
    const answer = await modernCall(session, { requestState, inputResponses: { [key]: accepted } });
    expect(answer?.result, JSON.stringify(answer)).not.toHaveProperty('isError', true);
    expect(session.received()).toMatchObject([{ tool: 'confirmed', arguments: { serial: 1 } }]);
  });

  verifies('C25', 'a quick call is answered while a slow one runs', async () => {
    expect(python('C25')).toMatchObject({ answered: ['wait', 'quick'] });
    const session = await started({ base: 'slow-calls' });
    const answered: string[] = [];
    const calls = ['wait', 'quick'].map(async (tool, serial) => {
      const id = post(session, tool, { arguments: { serial } });
      const answer = await session.client.answerTo(id, ANSWER_WAIT_MS);
      answered.push(tool);
      return answer?.result?.['isError'] ?? false;
    });
    expect(await Promise.all(calls)).toEqual([false, false]);
    expect(answered).toEqual(['quick', 'wait']);
  });

  verifies('C30', 'progress reaches the client that asked for it', async () => {
    expect(python('C30')).toMatchObject({ relayed: 0 });
    const session = await started({ base: 'slow-calls' });
    const rest = { arguments: {}, _meta: { progressToken: 'p1' } };
    const answer = await session.client.answerTo(post(session, 'steps', rest), ANSWER_WAIT_MS);
    expect(answer?.result, JSON.stringify(answer)).not.toHaveProperty('isError', true);
    const progress = session.client.notifications.filter(
      ({ method }) => method === 'notifications/progress',
    );
    expect(progress.map(({ params }) => params)).toEqual(
      [1, 2, 3].map((each) => ({ progressToken: 'p1', progress: each })),
    );
  });

  verifies('C37', 'the session mandate is renewed while the process runs', async () => {
    const short = {
      file: 'gateway.toml',
      replace: '[mandate]',
      with: '[mandate]\nexpires_in = "1s"',
    };
    const session = await started({ base: 'bank-demo', edits: [short] });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const outcome = await session.call({ tool: 'send_money', arguments: pay(1, 'after expiry') });
    expect(outcome.class, outcome.fullText).toBe('executed');
  });

  verifies('C38', 'an optional parameter may be absent', async () => {
    const edit = {
      file: 'gateway.toml',
      replace: '[tools.params.cc]',
      with: '[tools.params.cc]\noptional = true',
    };
    // Strict validation wants the guard: an optional attribute may be missing.
    const guard = {
      file: 'policy.cedar',
      replace: 'context.params.cc.contains("board@example.com")',
      with: '(context.params has cc && context.params.cc.contains("board@example.com"))',
    };
    const schema = {
      file: 'tools.json',
      replace: '"required": ["to", "cc", "subject"]',
      with: '"required": ["to"]',
    };
    const session = await started({ base: 'mail-recipients', edits: [edit, guard, schema] });
    const args = { to: ['lea@example.com'], subject: 'No copy' };
    const outcome = await session.call({ tool: 'send_email', arguments: args });
    expect(outcome.downstreamArguments, outcome.fullText).toEqual({
      ...args,
      to: ['Lea@Example.com'],
    });
  });

  it('starts a server in the folder of the file with its own environment', async () => {
    const session = await started({ base: 'two-servers' });
    const report = JSON.parse((await session.call({ tool: 'crm__whoami' })).fullText);
    expect(report.folder).toBe(session.files.folder);
    expect(report.environment).toContain('CRM_URL');
    expect(report.environment).not.toContain('BANK_REGION');
    expect(report.environment).not.toContain('XDG_STATE_HOME');
  });
});

/** One call of revision 2026-07-28, which needs no handshake. */
function modernCall(session: CaseSession, rest: object): Promise<RpcMessage | undefined> {
  const prefix = 'io.modelcontextprotocol';
  const _meta = {
    [`${prefix}/protocolVersion`]: '2026-07-28',
    [`${prefix}/clientInfo`]: { name: 'compat', version: '1.0.0' },
    [`${prefix}/clientCapabilities`]: { elicitation: { form: {} } },
  };
  const params = { name: 'confirmed', arguments: { serial: 1 }, _meta, ...rest };
  return session.client.request('tools/call', JSON.stringify(params), ANSWER_WAIT_MS);
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + ANSWER_WAIT_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition did not come true');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('the receipts file', () => {
  const pythonReceipts = readFileSync(join(import.meta.dirname, 'python-receipts.jsonl'), 'utf8');

  it('of Python follows the chain rule as it is written here', () => {
    expect(brokenLinks(pythonReceipts)).toEqual([]);
    expect(brokenLinks(pythonReceipts.replace('9870', '9871'))).not.toEqual([]);
  });

  verifies('C71', 'of Python is continued, and every chain in it still holds', async () => {
    const session = newSession({ base: 'bank-demo' });
    writeFileSync(join(session.files.folder, 'receipts.jsonl'), pythonReceipts);
    await session.start();
    await session.call({ tool: 'send_money', arguments: pay(10, 'caf\u00e9 \u{1f600}') });
    await session.call({ tool: 'send_money', arguments: { recipient: 'DK', amount: 1.1 } });
    await session.stop();
    const texts = receiptTexts(session);
    expect(texts.some((text) => text.startsWith(pythonReceipts))).toBe(true);
    const lines = texts.join('').split('\n').slice(0, -1);
    expect(lines.length).toBeGreaterThan(pythonReceipts.split('\n').length);
    for (const text of texts) expect(brokenLinks(text)).toEqual([]);
    for (const line of lines) {
      expect(Object.keys(JSON.parse(line))).toEqual(['seq', 'ts', 'data', 'prev', 'hash']);
    }
  });

  verifies(
    'C71',
    'of Python with a torn last line is kept, and readable lines follow',
    async () => {
      const torn = '{"seq": 7, "ts": 1.5, "da';
      const session = newSession({ base: 'bank-demo' });
      const file = join(session.files.folder, 'receipts.jsonl');
      writeFileSync(file, pythonReceipts + torn);
      await session.start();
      const outcome = await session.call({ tool: 'send_money', arguments: pay(10, 'one more') });
      expect(outcome.class, outcome.fullText).toBe('executed');
      await session.stop();
      const texts = receiptTexts(session);
      expect(texts.some((text) => text.startsWith(pythonReceipts + torn))).toBe(true);
      const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
      const unreadable = lines.filter((line) => !isJson(line));
      expect(unreadable).toEqual([torn]);
      expect(lines.length).toBeGreaterThan(pythonReceipts.split('\n').length);
    },
  );
});

function receiptTexts(session: CaseSession): string[] {
  const { folder } = session.files;
  const names = readdirSync(folder).filter((name) => name.includes('receipts'));
  return names.map((name) => readFileSync(join(folder, name), 'utf8'));
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
