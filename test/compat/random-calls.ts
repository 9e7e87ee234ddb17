// Random calls over a recorded configuration: mostly near what works, so that every stage is
// reached. The same seed gives the same calls.

/** A seeded source of random choices. */
interface Random {
  /** An integer from 0 up to, not including, `limit`. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32: small, and the same on every machine. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: <T>(items: readonly T[]): T => items[below(items.length)] as T };
}

/** How one argument is drawn; `undefined` leaves it out. */
type Draw = (random: Random, serial: number) => unknown;

/** A tool with the values that its arguments are drawn from. */
interface DrawnTool {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, Draw>>;
}

/** A configuration with the tools that are called on it. */
export interface DrawnCase {
  readonly base: string;
  readonly tools: readonly DrawnTool[];
}

/** One call of the sequence. */
export interface DrawnCall {
  readonly tool: string;
  readonly arguments: object;
  readonly elicitation: 'approve';
}

const oneOf =
  (...values: readonly unknown[]): Draw =>
  (random) =>
    random.pick(values);

const serial: Draw = (_random, number) => number;

const text: Draw = (random, number) => `${random.pick(['Invoice', 'Rent', 'Order'])} no ${number}`;

/** An amount of cents, in whole units, that no repetition makes equal to an earlier one. */
const amount: Draw = (random) => {
  const cents = random.pick([1, 99, 10_000, 99_999, 100_000, 100_001, 250_000, 1_000_001]);
  return (cents + random.below(40)) / 100;
};

const wrongTypes = [null, true, 17, ['x'], {}, { ref: 1 }, { ref: 'acme', x: 1 }] as const;

/** Mostly one of the good spellings, else a bad one or another type. */
const value =
  (good: readonly unknown[], bad: readonly unknown[]): Draw =>
  (random) => {
    const die = random.below(12);
    if (die < 9) return random.pick(good);
    return die < 11 ? random.pick(bad) : random.pick(wrongTypes);
  };

const list =
  (item: Draw): Draw =>
  (random, number) =>
    Array.from({ length: 1 + random.below(2) }, () => item(random, number));

const iban = value(
  [
    'DE89370400440532013000',
    'de89 3704 0044 0532 0130 00',
    ' DE89370400440532013000 ',
    'FR1420041010050500013M02606',
    'FR14 2004 1010 0505 0001 3m02 606',
    { ref: 'acme' },
    { ref: 'landlord' },
  ],
  [
    'DK5000400440116243',
    'DE89370400440532013001',
    'DE89-3704-0044-0532-0130-00',
    'D\u041589370400440532013000',
    'DE89\u200b370400440532013000',
    '\uff24\uff2589370400440532013000',
    { ref: 'mallory' },
    '',
  ],
);

const address = value(
  ['lea@example.com', ' LEA@Example.com', 'tom@example.org', 'emma@example.com', { ref: 'tom' }],
  [
    'mallory@example.net',
    'lea@ex\u0430mple.com',
    'lea@example.com, mallory@example.net',
    'board@example.com',
    { ref: 'nobody' },
  ],
);

/** The configurations of the differential run. */
export const drawnCases: readonly DrawnCase[] = [
  {
    base: 'bank-demo',
    tools: [
      { tool: 'send_money', arguments: { recipient: iban, amount, subject: text } },
      {
        tool: 'send_money',
        arguments: { recipient: iban, amount, subject: text, date: oneOf('2026-12-01') },
      },
      {
        tool: 'send_money',
        arguments: { recipient: oneOf({ ref: 'landlord' }), amount, subject: text },
      },
      { tool: 'get_balance', arguments: {} },
      { tool: 'change_password', arguments: { password: text } },
    ],
  },
  {
    base: 'mail-recipients',
    tools: [
      {
        tool: 'send_email',
        arguments: { to: list(address), cc: list(address), subject: text, body: oneOf('Hello.') },
      },
    ],
  },
  {
    base: 'shared-policy',
    tools: [
      {
        tool: 'send_mail',
        arguments: { person: value(['kim', 'KIM', { ref: 'p2' }], ['tim']), subject: text },
      },
      {
        tool: 'reply_mail',
        arguments: {
          person: value(['kim', ' Ola Nordmann '], ['Kimm']),
          subject: (random, number) => `${random.pick(['Re: ', 'Fwd: '])}${number}`,
          all: oneOf(true, false, 'false', null),
        },
      },
      {
        tool: 'invite',
        arguments: { person: value(['kim'], ['tim']), minutes: (random) => 30 + random.below(60) },
      },
    ],
  },
  {
    base: 'levels-non-monotone',
    tools: [
      {
        tool: 'act',
        arguments: {
          kind: oneOf('free', 'only-one', 'only-two', 'only-zero', 'not-zero', 'not-one', 'never'),
          serial,
        },
      },
    ],
  },
  {
    base: 'scale-and-budget',
    tools: [
      {
        tool: 'buy',
        arguments: {
          shop: value(['Corner Shop', { ref: 's' }], ['corner shop', ' Corner Shop']),
          price: (random) => (1 + random.below(9_500)) / 100,
        },
      },
      { tool: 'buy_fuel', arguments: { price: (random) => (1 + random.below(900)) / 1000 } },
      { tool: 'buy_points', arguments: { points: (random) => 1 + random.below(300) } },
      { tool: 'rate', arguments: { stars: (random) => random.below(8), note: text } },
    ],
  },
];

/** The calls of one sequence. */
export function drawCalls(drawn: DrawnCase, options: { seed: number; count: number }): DrawnCall[] {
  const random = createRandom(options.seed);
  return Array.from({ length: options.count }, (_unused, number) => {
    const tool = random.pick(drawn.tools);
    const entries = Object.entries(tool.arguments).map(([name, draw]) => [
      name,
      draw(random, number),
    ]);
    return {
      tool: tool.tool,
      arguments: Object.fromEntries(entries),
      elicitation: 'approve',
    };
  });
}
