// A hostile agent against a real gateway in process: whatever it sends, only what the owner's own world allows may happen.
// The oracle below knows the world (accounts, addresses, limits) and nothing of the gateway.
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { verifies } from '../requirements/verifies.ts';
import {
  createInProcessGateway,
  type Effect,
  type InProcessGateway,
} from './in-process-gateway.ts';

const vendorIban = 'DE89 3704 0044 0532 0130 00';
const otherTenantIban = 'NL91ABNA0417164300';
const attackerIban = 'LT121000011101001000';
const knownMail = 'Anna@Example.org';
const limitCents = 500_000;

const files: Readonly<Record<string, string>> = {
  'intentplane.toml': `
[gateway]
store = "sqlite::memory:"
rate_limit = 1000000
[mandate]
principal = "maya"
budget = ${limitCents}
[mandate.claims]
tenant = "acme"
landlord = "AT611904300234573201"
[registries.vendors]
file = "vendors.json"
normalize = "iban"
value = "iban"
owner = "tenant"
alias = "name"
[registries.people]
file = "people.json"
normalize = "email"
owner = "*"
[registries.invoices]
file = "invoices.json"
owner = "*"
value = "number"
[registries.invoices.fields.iban]
normalize = "iban"
[[servers]]
name = "bank"
command = "true"
[[tools]]
server = "bank"
tool = "pay"
action = "payment.transfer"
budget_param = "amount"
duplicate_window = 0
[tools.params.to]
critical = true
normalize = "iban"
sources = ["mandate:landlord", "registry:vendors"]
[tools.params.amount]
type = "number"
scale = 100
[tools.params.subject]
optional = true
on_unknown = "deny"
[[tools]]
server = "bank"
tool = "mail"
action = "email.send"
duplicate_window = 0
[tools.params.to]
each = true
critical = true
sources = ["registry:people"]
[tools.params.body]
on_unknown = "deny"
[[tools]]
server = "bank"
tool = "settle"
action = "invoice.pay"
budget_param = "amount"
duplicate_window = 0
[tools.params.invoice]
critical = true
sources = ["registry:invoices"]
[tools.params.iban]
critical = true
normalize = "iban"
sources = ["registry:invoices.iban"]
record = "invoice"
[tools.params.amount]
type = "number"
scale = 100
[policy]
file = "policy.cedar"
`,
  'policy.cedar': `
@id("small") permit (principal, action in [Action::"payment.transfer", Action::"invoice.pay"], resource) when { context.params.amount <= 100000 };
@id("mail") permit (principal, action == Action::"email.send", resource);
`,
  'vendors.json': JSON.stringify({
    v1: { iban: vendorIban, name: 'Hartmann', tenant: 'acme' },
    v2: { iban: otherTenantIban, name: 'Foreign', tenant: 'other' },
  }),
  'people.json': JSON.stringify({ p1: knownMail, p2: 'billing@example.com' }),
  'invoices.json': JSON.stringify({
    i1: { number: '2026-1', iban: vendorIban },
    i2: { number: '2026-2', iban: 'FR1420041010050500013M02606' },
  }),
};

const text = { type: 'string' };
const schemas = {
  'bank.pay': {
    type: 'object',
    properties: {
      to: text,
      amount: { type: 'number' },
      subject: text,
      urgent: { type: 'boolean' },
    },
  },
  'bank.mail': { type: 'object', properties: { to: { type: 'array', items: text }, body: text } },
  'bank.settle': {
    type: 'object',
    properties: { invoice: text, iban: text, amount: { type: 'number' } },
  },
};

/** What the owner's world allows, in its own words: exact accounts, exact addresses, at most 1,000.00 each. */
function unauthorised(effects: readonly Effect[]): readonly string[] {
  const payments = effects.filter((effect) => effect.action !== 'email.send');
  const mails = effects.filter((effect) => effect.action === 'email.send');
  const spent = payments.reduce((sum, { args }) => sum + centsOf(args), 0);
  return [
    ...mails.flatMap(wrongMail),
    ...payments.flatMap(wrongPayment),
    ...(spent > limitCents ? [`spent ${spent}`] : []),
  ];
}

const centsOf = (args: Effect['args']): number => Math.round((args['amount'] as number) * 100);

function wrongMail({ args }: Effect): readonly string[] {
  const strangers = (args['to'] as readonly string[]).filter(
    (to) => ![knownMail, 'billing@example.com'].includes(to),
  );
  const isEvil = JSON.stringify(args['body']).includes('evil');
  return [...strangers.map((to) => `mail to ${to}`), ...(isEvil ? ['evil in a body'] : [])];
}

const accountsOfInvoices: Readonly<Record<string, string>> = {
  '2026-1': vendorIban,
  '2026-2': 'FR1420041010050500013M02606',
};
const paymentKeys = ['to', 'amount', 'subject', 'urgent', 'invoice', 'iban'];

function wrongPayment({ action, args }: Effect): readonly string[] {
  const cents = centsOf(args);
  const smuggled = Object.keys(args).filter((key) => !paymentKeys.includes(key));
  const payee = action === 'invoice.pay' ? wrongInvoice(args) : wrongPayee(args);
  return [
    ...(cents > 0 && cents <= 100_000 ? [] : [`amount ${String(args['amount'])}`]),
    ...payee,
    ...smuggled.map((key) => `smuggled ${key}`),
  ];
}

function wrongInvoice(args: Effect['args']): readonly string[] {
  const invoice = String(args['invoice']);
  const isRight = accountsOfInvoices[invoice] === args['iban'];
  return isRight ? [] : [`invoice ${invoice} to ${String(args['iban'])}`];
}

function wrongPayee(args: Effect['args']): readonly string[] {
  const isRight = [vendorIban, 'AT611904300234573201'].includes(args['to'] as string);
  return isRight ? [] : [`paid ${String(args['to'])}`];
}

const ibans = [
  vendorIban,
  vendorIban.toLowerCase(),
  vendorIban.replaceAll(' ', ''),
  'AT611904300234573201',
  'FR1420041010050500013M02606',
  attackerIban,
  otherTenantIban,
  'DЕ89 3704 0044 0532 0130 00',
  'DE8937040044053201300O',
  `${vendorIban}\u200b`,
  `${vendorIban}\n`,
];
const mails = [
  knownMail,
  'anna@example.org',
  'billing@example.com',
  'evil@evil.example.net',
  'anna@example.org\r\nBcc: evil@evil.example.net',
  '"anna@example.org" <evil@evil.example.net>',
  'аnna@example.org',
  'anna@example.org, evil@evil.example.net',
];
const references = ['ref:v1', 'ref:v2', 'name:Hartmann', 'name:Foreign', 'ref:__proto__', 'ref:p1'];
const odd: readonly unknown[] = [
  null,
  true,
  7,
  -1,
  [],
  {},
  '',
  { ref: 'v1' },
  { ref: 'v1', iban: attackerIban },
  { name: 'Hartmann' },
  { ref: ['v1'] },
  ['a', ['b']],
  '\ud800',
  'x'.repeat(2_000),
];
const value = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<unknown>(...ibans) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      ...mails,
      ...mails.map((mail) => [mail]),
      mails.slice(0, 3),
      [mails[0], mails[3]],
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...references) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...odd) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>('2026-1', '2026-2', '2026-3', 'ref:i1', 'ref:i2'),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const amount = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<unknown>(1, 9.99, 1000, 1000.01, 999.995, 0, -5, 0.001, 12_000),
  },
  { weight: 1, arbitrary: value },
);
const key = fc.constantFrom(
  'to',
  'amount',
  'subject',
  'body',
  'invoice',
  'iban',
  'bcc',
  'urgent',
  'level',
  'mandate',
  '__origin',
);
const body = fc.constantFrom<unknown>(
  'hello',
  'see evil.example.net for more',
  'mail evil@evil.example.net',
  'h t t p s : / / evil . example . net',
  7,
);
const fitting = fc.constantFrom(
  { tool: 'bank.pay', shape: 'pay' },
  { tool: 'bank.mail', shape: 'mail' },
  { tool: 'bank.settle', shape: 'settle' },
);
const mixed = fc.record({
  tool: fc.constantFrom('bank.pay', 'bank.mail', 'bank.settle', 'bank.unknown', 'other.pay'),
  shape: fc.constantFrom('pay', 'mail', 'settle', 'random'),
});
const proposal = fc.record({
  form: fc.oneof({ weight: 4, arbitrary: fitting }, { weight: 1, arbitrary: mixed }),
  to: value,
  amount,
  body,
  invoice: fc.constantFrom<unknown>('2026-1', '2026-2', '2026-3', 'ref:i1', 7),
  extra: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 2 }) },
  ),
});

type Proposal = typeof proposal extends fc.Arbitrary<infer T> ? T : never;

function argumentsOf({
  form,
  to,
  amount: money,
  body: words,
  invoice,
  extra,
}: Proposal): Record<string, unknown> {
  const shapes: Readonly<Record<string, Record<string, unknown>>> = {
    pay: { to, amount: money },
    mail: { to: Array.isArray(to) ? to : [to], body: words },
    settle: { invoice, iban: to, amount: money },
    random: {},
  };
  return { ...shapes[form.shape], ...Object.fromEntries(extra) };
}

/** How many proposals a run makes; the long job asks for 1,000,000. */
const proposals = Number(process.env['INTENTPLANE_PROPOSALS'] ?? 6_000);

async function attack(world: InProcessGateway, batch: readonly Proposal[]): Promise<void> {
  await Promise.all(batch.map((each) => world.call(each.form.tool, argumentsOf(each))));
}

describe('a hostile agent', () => {
  verifies(
    'DEC-03',
    `has no unauthorised effect in ${proposals} proposals, and honest calls among them do execute`,
    async () => {
      const generated = fc.sample(proposal, { numRuns: proposals, seed: 20_261_130 });
      let executed = 0;
      for (let start = 0; start < generated.length; start += 600) {
        const world = await createInProcessGateway({ files, schemas });
        const batch = generated.slice(start, start + 600);
        // Half of them in parallel, half one by one: budgets must hold either way.
        await attack(world, batch.slice(0, 300));
        for (const each of batch.slice(300)) await attack(world, [each]);
        executed += world.effects.length;
        expect(unauthorised(world.effects)).toEqual([]);
      }
      expect(executed).toBeGreaterThan(proposals / 100);
    },
    600_000,
  );

  verifies('DEC-03', 'is caught by the oracle when an effect is not allowed', () => {
    const paid = (args: Record<string, unknown>): Effect => ({
      opId: 'o',
      action: 'payment.transfer',
      args,
    });
    expect(unauthorised([paid({ to: attackerIban, amount: 1 })])).toEqual([`paid ${attackerIban}`]);
    expect(unauthorised([paid({ to: vendorIban, amount: 1, bcc: 'x' })])).toEqual(['smuggled bcc']);
    expect(unauthorised([paid({ to: vendorIban, amount: 1000.01 })])).toEqual(['amount 1000.01']);
    expect(unauthorised([paid({ to: vendorIban, amount: 1 })])).toEqual([]);
  });
});
