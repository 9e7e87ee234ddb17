// Arguments that no honest client sends: each is refused with the place and the fix, nothing is
// executed, nothing is lost, and the next call works.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, decisionOf, textOf, World } from '../../fixtures/product/world.ts';
import { vendorIban } from '../../fixtures/product/world-files.ts';
import type { Frame, RawClient } from '../../fixtures/raw-client.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
let client: RawClient;
let count = 0;

beforeAll(async () => {
  world = new World();
  client = await world.start();
}, 30_000);
afterAll(() => world.close());

/** A call whose arguments are this text, byte for byte; the answer may carry no id. */
async function send(name: string, argumentsText: string): Promise<Frame> {
  count += 1;
  const id = `raw-${count}`;
  const nulls = client.answersTo(null).length;
  const params = `{"name":"${name}","arguments":${argumentsText}}`;
  client.sendLine(`{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":${params}}`);
  return client.waitFor(
    (frame) =>
      frame.method === undefined &&
      (frame.id === id || (frame.id === null && client.answersTo(null).length > nulls)),
    20_000,
  );
}

const withAmount = (amount: string): string => `{"recipient":"${vendorIban}","amount":${amount}}`;
const withNote = (note: string): string =>
  `{"recipient":"${vendorIban}","amount":1,"note":${note}}`;

/** Values that a message may hold and a guarded call may not: the argument is named. */
const refused: readonly (readonly [name: string, args: string, code: string, place: string])[] = [
  ['1e400', withAmount('1e400'), 'CONTRACT_INVALID', 'amount'],
  ['-0', withAmount('-0'), 'CONTRACT_INVALID', 'amount'],
  ['2^53 + 1', withAmount('9007199254740993'), 'CONTRACT_INVALID', 'amount'],
  ['a fraction beyond the scale', withAmount('1.005'), 'CONTRACT_INVALID', 'amount'],
  ['zero', withAmount('0'), 'CONTRACT_INVALID', 'amount'],
  ['a negative amount', withAmount('-5'), 'CONTRACT_INVALID', 'amount'],
  ['a number as text', withAmount('"5"'), 'CONTRACT_TYPE', 'amount'],
  ['true as a number', withAmount('true'), 'CONTRACT_TYPE', 'amount'],
  ['null', withAmount('null'), 'CONTRACT_MISSING_VALUE', 'amount'],
  ['a lone surrogate', withNote('"a\\ud800b"'), 'CONTRACT_INVALID', 'note'],
  [
    'a key __proto__',
    `{"__proto__":{"amount":1},${withAmount('1').slice(1)}`,
    'CONTRACT_INVALID',
    '__proto__',
  ],
  ['a list in place of a text', withNote('["a"]'), 'CONTRACT_TYPE', 'note'],
  [
    'an argument that nobody knows',
    `{"to":"x",${withAmount('1').slice(1)}`,
    'CONTRACT_UNEXPECTED_VALUE',
    'to',
  ],
];

describe('a guarded call', () => {
  for (const [name, args, code, place] of refused) {
    verifies('MCP-G6', `${name}: refused, the argument and the fix are named`, async () => {
      const answer = await send('pay', args);
      expect(codeOf(answer)).toBe(code);
      expect(decisionOf(answer)?.parameter).toBe(place);
      expect(textOf(answer)).toContain(`\`${place}\``);
      expect(decisionOf(answer)?.next.map((step) => step.do)).toContain('fix_argument');
    });
  }

  verifies('MCP-G6', 'a number that readers round: the form that is taken is named', async () => {
    for (const amount of ['1e400', '-0', '9007199254740993']) {
      expect(textOf(await send('pay', withAmount(amount)))).toContain('without exponent');
    }
  });

  verifies('MCP-G6', 'a text of 10 MiB: refused as too large, within seconds', async () => {
    const answer = await send('pay', withNote(`"${'x'.repeat(10 * 1024 * 1024)}"`));
    expect(codeOf(answer)).toBe('CONTRACT_TOO_LARGE');
    expect(textOf(answer)).toContain('at most 1048576 bytes');
    expect(textOf(answer).length).toBeLessThan(1_600);
  });

  verifies('MCP-M3', 'two equal keys: the frame is refused, wherever they stand', async () => {
    const texts = [
      `{"recipient":"${vendorIban}","amount":1,"amount":2}`,
      `{"recipient":"${vendorIban}","amount":1,"note":{"a":1,"a":2}}`,
      `{"recipient":"${vendorIban}","amount":1,"\\u0061mount":2}`,
    ];
    for (const text of texts) {
      const { error } = await send('pay', text);
      expect(error?.code).toBe(-32700);
      expect(error?.message).toContain('same key twice');
    }
  });

  verifies('MCP-M3', 'a depth of 1,000: the frame is refused', async () => {
    const { error } = await send('pay', withNote(`${'['.repeat(1_000)}${']'.repeat(1_000)}`));
    expect(error?.code).toBe(-32700);
    expect(error?.message).toContain('deeper than');
  });

  verifies('MCP-G6', 'keys that objects inherit are keys like any other', async () => {
    for (const key of ['constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const answer = await send('pay', `{"${key}":1,${withAmount('1').slice(1)}`);
      expect([key, codeOf(answer)]).toEqual([key, expect.stringMatching(/^CONTRACT_/)]);
    }
  });

  it('every one of them is a receipt of a denial, and nothing was executed', async () => {
    const denied = (await world.receipts()).filter(({ state }) => state === 'DENIED');
    expect(denied.length).toBeGreaterThanOrEqual(refused.length + 5);
    expect(world.effects()).toEqual([]);
  });

  it('the process is alive: the next call executes', async () => {
    expect(codeOf(await send('pay', withAmount('1.25')))).toBe('executed');
    expect(world.effects().map((effect) => effect.arguments)).toEqual([
      { recipient: vendorIban, amount: 1.25 },
    ]);
  });
});

describe('a call that is passed through', () => {
  verifies('MCP-P2', 'keeps such values as they are written', async () => {
    const args = '{"a":1e400,"b":-0,"c":9007199254740993,"d":"\\ud800","e":1.10}';
    const answer = await send('echo', args);
    const got = textOf(answer);
    expect(got).toContain('"a":1e400');
    expect(got).toContain('"c":9007199254740993');
    expect(got).toContain('"e":1.10');
  });

  it('no text is too long for it', async () => {
    const answer = await send('echo', `{"t":"${'y'.repeat(10 * 1024 * 1024)}"}`);
    expect(textOf(answer).length).toBeGreaterThan(10 * 1024 * 1024);
  });
});

describe('lines that are no requests', () => {
  it('are refused one by one, and the session goes on', async () => {
    const lines = [
      '',
      '{',
      'null',
      '42',
      '[]',
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      '{"id":5}',
    ];
    for (const line of lines) client.sendLine(line);
    client.sendBytes(Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]));
    expect((await client.request('ping')).result).toEqual({});
    expect(client.isRunning).toBe(true);
  });
});
