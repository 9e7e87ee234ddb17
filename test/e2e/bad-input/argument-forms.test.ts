// One act in many spellings, arguments in a form the host changed, an answer that names somebody
// else: the same code each time, never judged in one form and sent in another.
import { afterEach, describe, expect, it } from 'vitest';
import { stubCalls, stubWorld } from '../../fixtures/product/stub-world.ts';
import { codeOf, decisionOf, textOf, type World } from '../../fixtures/product/world.ts';
import { vendorIban } from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
afterEach(() => world.close());

const text = { type: 'string' };
const address = {
  oneOf: [text, { type: 'object', properties: { email: text, name: text }, required: ['email'] }],
};
const mailTool = {
  name: 'send_message',
  inputSchema: {
    type: 'object',
    properties: {
      to: { oneOf: [...address.oneOf, { type: 'array', items: address }] },
      subject: text,
      text,
    },
    required: ['to', 'subject', 'text'],
  },
};
const message = { subject: 'Hello', text: 'Hi' };
const contacts = '[registries.contacts]\nfile = "contacts.json"\nnormalize = "email"';

function mailWorld(recipient: string): World {
  world = stubWorld({
    stubTools: [mailTool],
    registries: contacts,
    tools: `[[tools]]
server = "stub"
tool = "send_message"
action = "email.send"
${recipient}
critical = true
normalize = "email"
sources = ["registry:contacts"]`,
  });
  world.write('contacts.json', JSON.stringify({ sam: 'sam@example.com', kim: 'kim@example.org' }));
  return world;
}

describe('recipients that may be a text, an object or a list (F-43)', () => {
  verifies('MCP-G6', 'a list resolves each; JSON text and joined text are refused', async () => {
    const client = await mailWorld('[tools.params.to]\neach = true').start();
    const list = ['Sam@Example.com', 'kim@example.org'];
    expect(codeOf(await client.callTool('send_message', { ...message, to: list }))).toBe(
      'executed',
    );
    expect(JSON.parse(stubCalls(world)[0]?.text ?? '').to).toEqual([
      'sam@example.com',
      'kim@example.org',
    ]);
    for (const to of [JSON.stringify(list), list.join(', '), 'sam@example.com']) {
      const answer = await client.callTool('send_message', { ...message, to });
      expect([to, codeOf(answer)]).toEqual([to, 'CONTRACT_TYPE']);
      expect(decisionOf(answer)?.parameter).toBe('to');
      expect(decisionOf(answer)?.next[0]).toMatchObject({
        do: 'fix_argument',
        expected: expect.stringContaining('list'),
      });
    }
    const foreign = { ...message, to: ['sam@example.com', 'eve@example.net'] };
    const answer = await client.callTool('send_message', foreign);
    expect(codeOf(answer)).toBe('PROVENANCE_UNTRUSTED');
    expect(decisionOf(answer)?.parameter).toBe('to[1]');
    expect(stubCalls(world)).toHaveLength(1);
  });

  it('objects in the list are resolved where the address stands', async () => {
    const client = await mailWorld('[tools.params.to]\npath = "to[].email"').start();
    const to = [{ email: 'sam@example.com', name: 'Sam' }];
    expect(codeOf(await client.callTool('send_message', { ...message, to }))).toBe('executed');
    const foreign = [...to, { email: 'eve@example.net' }];
    const answer = await client.callTool('send_message', { ...message, to: foreign });
    expect(codeOf(answer)).toBe('PROVENANCE_UNTRUSTED');
    expect(decisionOf(answer)?.parameter).toBe('to[1].email');
    const asText = await client.callTool('send_message', { ...message, to: JSON.stringify(to) });
    expect(codeOf(asText)).toBe('CONTRACT_TYPE');
    expect(stubCalls(world)).toHaveLength(1);
  });
});

describe('objects that come as JSON text (F-73)', () => {
  const pageTool = (name: string): { name: string; inputSchema: object } => ({
    name,
    inputSchema: {
      type: 'object',
      properties: {
        parent: { type: 'object', properties: { page_id: text }, required: ['page_id'] },
        properties: { type: 'object', additionalProperties: true },
      },
      required: ['parent', 'properties'],
    },
  });
  const calls = [
    '{"parent":{"page_id":"p-100"},"properties":{"title":[{"text":{"content":"Plan"}}]}}',
    '{"parent":"{\\"page_id\\": \\"p-100\\"}","properties":"{\\"title\\": []}"}',
    '{"parent":"{\\"page_id\\": \\"p-100\\", \\"page_id\\": \\"p-999\\"}","properties":{}}',
  ];

  verifies(
    ['MCP-P2', 'MCP-G6'],
    'guarded: refused with the right form; passed: byte for byte',
    async () => {
      world = stubWorld({
        stubTools: [pageTool('create_page'), pageTool('draft_page')],
        registries: '[registries.pages]\nfile = "pages.json"',
        tools: `[[tools]]
server = "stub"
tool = "create_page"
undeclared = "free"
[tools.params.page]
path = "parent.page_id"
critical = true
sources = ["registry:pages"]`,
        defaults: '[defaults]\npassthrough = ["stub.draft_page"]',
      });
      world.write('pages.json', JSON.stringify({ plan: 'p-100' }));
      const client = await world.start();
      const codes: (string | number)[] = [];
      for (const [index, call] of calls.entries()) {
        for (const name of ['create_page', 'draft_page']) {
          const id = `${name}-${index}`;
          client.sendLine(
            `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"${name}","arguments":${call}}}`,
          );
          const answer = await client.answerTo(id);
          if (name === 'create_page') codes.push(codeOf(answer));
          if (name === 'create_page' && index > 0) {
            expect(decisionOf(answer)?.parameter).toMatch(/^parent/);
            expect(decisionOf(answer)?.next.map((step) => step.do)).toContain('fix_argument');
            expect(textOf(answer)).toContain('expected: ');
          }
        }
      }
      expect(codes).toEqual(['executed', 'CONTRACT_TYPE', 'CONTRACT_TYPE']);
      const passed = stubCalls(world).filter(({ tool }) => tool === 'draft_page');
      expect(passed.map((call) => call.text)).toEqual(calls);
    },
  );
});

describe('one act in many forms (F-02)', () => {
  const payTool = (name: string): { name: string; inputSchema: object } => ({
    name,
    inputSchema: {
      type: 'object',
      properties: { recipient: text, amount: { type: 'number' } },
      required: ['recipient', 'amount'],
    },
  });
  const contract = (name: string): string => `[[tools]]
server = "stub"
tool = "${name}"
action = "payment.${name}"
[tools.params.recipient]
critical = true
normalize = "iban"
sources = ["registry:vendors"]
[tools.params.amount]
type = "number"
scale = 100`;

  it('a foreign payee is refused with one code, a next step, and a receipt each', async () => {
    world = stubWorld({
      stubTools: [payTool('pay'), payTool('pay_now')],
      registries: '[registries.vendors]\nfile = "vendors.json"\nnormalize = "iban"',
      tools: [contract('pay'), contract('pay_now')].join('\n'),
    });
    const client = await world.start();
    const foreign = [
      'LT121000011101001000',
      'lt12 1000 0111 0100 1000',
      'LT12-1000-0111-0100-1000',
    ];
    const names = ['ref:nobody', 'Hartmann Paper', 'hartmann', 'iban:LT121000011101001000'];
    let count = 0;
    for (const recipient of [...foreign, ...names]) {
      for (const tool of ['pay', 'pay_now']) {
        const answer = await client.callTool(tool, { recipient, amount: 5 });
        count += 1;
        expect([recipient, codeOf(answer)]).toEqual([recipient, 'PROVENANCE_UNTRUSTED']);
        expect(decisionOf(answer)?.next.map((step) => step.do)).toContain('use_trusted_value');
      }
    }
    expect(stubCalls(world)).toEqual([]);
    const denied = (await world.receipts()).filter(({ state }) => state === 'DENIED');
    expect(denied).toHaveLength(count);
    expect(codeOf(await client.callTool('pay', { recipient: vendorIban, amount: 5 }))).toBe(
      'executed',
    );
  });
});

describe('an answer that names somebody else (F-74)', () => {
  const replyTool = {
    name: 'reply',
    inputSchema: {
      type: 'object',
      properties: { to: text, body: text },
      required: ['to', 'body'],
    },
    outputSchema: { type: 'object', properties: { to: text }, required: ['to'] },
  };
  const tools = `[[tools]]
server = "stub"
tool = "reply"
expect = { "/to" = "to" }
[tools.params.to]
critical = true
normalize = "email"
sources = ["registry:contacts"]
[tools.params.body]
text = "free"`;

  verifies('EXE-04', 'is no success: an alarm, unknown, and a repeat sends nothing', async () => {
    const structuredContent = { to: 'somebody@else.example' };
    const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
    world = stubWorld({
      stubTools: [replyTool],
      registries: contacts,
      tools,
      results: { reply: { content, structuredContent } },
    });
    world.write('contacts.json', JSON.stringify({ sam: 'sam@example.com' }));
    const client = await world.start();
    const args = { to: 'sam@example.com', body: 'Hello' };
    const answer = await client.callTool('reply', args);
    expect(decisionOf(answer)).toMatchObject({ status: 'unknown', codes: ['EXECUTION_UNKNOWN'] });
    expect(textOf(answer)).toContain('Do not repeat');
    expect(codeOf(await client.callTool('reply', args))).toBe('EXECUTION_DUPLICATE');
    expect(stubCalls(world)).toHaveLength(1);
    const receipts = await world.receipts();
    expect(receipts.some(({ type }) => type === 'alarm')).toBe(true);
    expect(receipts.findLast(({ type }) => type === 'outcome')).toMatchObject({ state: 'UNKNOWN' });
  });

  it('the decided recipient in another spelling is a plain success', async () => {
    world = stubWorld({
      stubTools: [replyTool],
      registries: contacts,
      tools,
      results: {
        reply: { content: [], structuredContent: { to: 'Sam@example.com' } },
      },
    });
    world.write('contacts.json', JSON.stringify({ sam: 'sam@example.com' }));
    const client = await world.start();
    const answer = await client.callTool('reply', { to: 'sam@example.com', body: 'Hello' });
    expect(codeOf(answer)).toBe('executed');
  });
});
