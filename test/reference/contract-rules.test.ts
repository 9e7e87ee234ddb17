// What a contract means for a real call: what is refused, and exactly what is sent.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json-value.ts';
import type { ReasonCode } from '../../src/core/reason-codes.ts';
import type { Answer, AnswerReport } from '../../src/gateway/gateway.ts';
import { StoreError } from '../../src/stores/store.ts';
import { verifies } from '../requirements/verifies.ts';
import {
  createInProcessGateway,
  type InProcessGateway,
  type InProcessOptions,
} from './in-process-gateway.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/field-reports', name), 'utf8'));

const head = `[gateway]
store = "sqlite::memory:"
[[servers]]
name = "bank"
command = "true"
[policy]
file = "policy.cedar"
`;

/** A gateway in front of `bank`, with everything permitted unless the policy says otherwise. */
function open(
  text: string,
  options: Partial<InProcessOptions> & { readonly policy?: string } = {},
): Promise<InProcessGateway> {
  const { files = {}, policy = 'permit (principal, action, resource);', ...rest } = options;
  return createInProcessGateway({
    schemas: {},
    ...rest,
    files: { 'policy.cedar': policy, ...files, 'intentplane.toml': head + text },
  });
}

const reportOf = (answer: Answer): AnswerReport => {
  if (answer.kind !== 'report') throw new Error(`\`${answer.kind}\` is no report`);
  return answer.report;
};
const refusals = (answer: Answer): readonly string[] =>
  reportOf(answer).failures.map(({ code, path }) => `${code} ${path ?? ''}`.trim());
const sent = ({ effects }: InProcessGateway): unknown => effects.at(-1)?.args;
const schemaOf = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const text = { type: 'string' };

describe('what is sent', () => {
  const tool = '[[tools]]\nserver = "bank"\ntool = "note"\n[tools.params.text]\n';

  verifies('EXE-02', 'is the committed operation, not the one in memory', async () => {
    const world = await open(tool, {
      schemas: { 'bank.note': schemaOf({ text }) },
      change: ({ store }) => ({
        store: withMethods(store, {
          readOperation: async (opId: string) => {
            const stored = await store.readOperation(opId);
            return stored && { ...stored, call: '{"text":"committed"}' };
          },
        }),
      }),
    });
    expect((await world.call('bank.note', { text: 'proposed' })).kind).toBe('executed');
    expect(sent(world)).toEqual({ text: 'committed' });
  });
});

describe('a committed operation that cannot be read back', () => {
  const tool = `[mandate]
budget = 1_000
[[tools]]
server = "bank"
tool = "pay"
budget_param = "amount"
[tools.params.amount]
type = "integer"
`;

  verifies('EXE-02', 'is not sent, is FAILED, and gives its budget back', async () => {
    let isBroken = true;
    const world = await open(tool, {
      schemas: { 'bank.pay': schemaOf({ amount: { type: 'integer' } }) },
      change: ({ store }) => ({
        store: withMethods(store, {
          readOperation: (opId: string) =>
            isBroken
              ? Promise.reject(new StoreError('STORE_BUSY', 'locked'))
              : store.readOperation(opId),
        }),
      }),
    });
    const refused = reportOf(await world.call('bank.pay', { amount: 1_000 }));
    expect(refused.codes).toEqual(['RECEIPT_UNAVAILABLE']);
    expect(world.effects).toEqual([]);
    const leaves = await world.store.readLeaves({ from: 0, count: 100 });
    const outcome = leaves.find(({ type }) => type === 'outcome');
    expect(new TextDecoder().decode(outcome?.bytes)).toContain('"class":"NOT_SENT"');
    isBroken = false;
    expect((await world.call('bank.pay', { amount: 1_000 })).kind).toBe('executed');
  });
});

describe('values that the user stated', () => {
  const request = 'Pay 1240.50 EUR to DE89 3704 0044 0532 0130 00 on 2026-12-01, for "March rent".';
  const tool = `[mandate]
request = '${request}'
[[tools]]
server = "bank"
tool = "pay"
budget_param = "amount"
[tools.params.to]
critical = true
normalize = "iban"
sources = ["request"]
[tools.params.amount]
type = "number"
scale = 100
critical = true
sources = ["request"]
[tools.params.day]
type = "date"
critical = true
sources = ["request"]
[tools.params.subject]
critical = true
sources = ["request"]
`;
  const call = {
    to: 'de89370400440532013000',
    amount: 1240.5,
    day: '2026-12-01',
    subject: 'March rent',
  };

  verifies(
    'DEC-08',
    'run with the spelling of the request, amounts in the unit of the tool',
    async () => {
      const gateway = await open(tool);
      expect((await gateway.call('bank.pay', call)).kind).toBe('executed');
      expect(sent(gateway)).toEqual({ ...call, to: 'DE89 3704 0044 0532 0130 00' });
    },
  );

  it('refuse what the request does not say', async () => {
    const gateway = await open(tool);
    const wrong = {
      to: 'LT121000011101001000',
      amount: 1240,
      day: '2026-12-02',
      subject: 'April rent',
    };
    expect(refusals(await gateway.call('bank.pay', wrong))).toEqual([
      'PROVENANCE_UNTRUSTED to',
      'PROVENANCE_UNTRUSTED amount',
      'PROVENANCE_UNTRUSTED day',
      'PROVENANCE_UNTRUSTED subject',
    ]);
    expect(gateway.effects).toEqual([]);
  });
});

describe('values of records', () => {
  const files = {
    'invoices.csv':
      'id,number,iban,amount,currency\ni1,2026-1,DE89370400440532013000,100.00,EUR\ni2,2026-2,GB82WEST12345698765432,7.5,EUR\ni3,2026-1,GB82WEST12345698765432,1,EUR\n',
  };
  const tool = `[registries.invoices]
file = "invoices.csv"
value = "number"
[[tools]]
server = "bank"
tool = "settle"
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
critical = true
sources = ["registry:invoices.amount"]
record = "invoice"
`;
  const second = { invoice: '2026-2', iban: 'GB82 WEST 1234 5698 7654 32', amount: 7.5 };

  verifies(
    'DEC-08',
    'run as the record has them, and numbers of a CSV file as numbers',
    async () => {
      const gateway = await open(tool, { files });
      expect((await gateway.call('bank.settle', second)).kind).toBe('executed');
      expect(sent(gateway)).toEqual({
        invoice: '2026-2',
        iban: 'GB82WEST12345698765432',
        amount: 7.5,
      });
    },
  );

  verifies('DEC-09', 'run only together with their own record', async () => {
    const gateway = await open(tool, { files });
    const mixed = { ...second, iban: 'DE89370400440532013000', amount: 100 };
    expect(refusals(await gateway.call('bank.settle', mixed))).toEqual([
      'PROVENANCE_RECORD_MISMATCH iban',
      'PROVENANCE_RECORD_MISMATCH amount',
    ]);
    expect(gateway.effects).toEqual([]);
  });

  verifies(
    'DEC-09',
    'are ambiguous when the number fits two records, and clear by the id of one',
    async () => {
      const gateway = await open(tool, { files });
      const twice = { invoice: '2026-1', iban: 'DE89370400440532013000', amount: 100 };
      expect(refusals(await gateway.call('bank.settle', twice))[0]).toBe(
        'PROVENANCE_AMBIGUOUS invoice',
      );
      expect((await gateway.call('bank.settle', { ...twice, invoice: 'ref:i1' })).kind).toBe(
        'executed',
      );
      expect(sent(gateway)).toEqual({ ...twice, invoice: '2026-1' });
    },
  );
});

describe('money', () => {
  const files = {
    'invoices.json': JSON.stringify({
      jpy: { number: 'J', price: '100' },
      bhd: { number: 'B', price: '1.005' },
    }),
  };
  const tool = (currency: string, id: string): string => `[mandate]
budget = 5000
[registries.invoices]
file = "invoices.json"
value = "number"
[[tools]]
server = "bank"
tool = "pay"
budget_param = "price"
sentence = "pay {price}"
[tools.params.price]
type = "money"
currency = "${currency}"
critical = true
sources = ["const:${id}"]
`;

  verifies(
    'DEC-08',
    'has the exponent of its currency, for the record, the budget and the person',
    async () => {
      const yen = await open(tool('JPY', '100'), { files });
      expect((await yen.call('bank.pay', { price: '100' })).kind).toBe('executed');
      expect(sent(yen)).toEqual({ price: '100' });
      expect((await yen.gateway.status()).budgets).toEqual([
        { kind: 'amount', limit: 5_000, left: 4_900 },
      ]);
      expect(refusals(await yen.call('bank.pay', { price: '100.00' }))).toContain(
        'CONTRACT_INVALID price',
      );
      const dinar = await open(tool('BHD', '1.005'), { files });
      expect((await dinar.call('bank.pay', { price: '1.005' })).kind).toBe('executed');
      expect((await dinar.gateway.status()).budgets).toEqual([
        { kind: 'amount', limit: 5_000, left: 3_995 },
      ]);
    },
  );

  const cases = fixture('money-cases.json') as readonly {
    readonly currency: string;
    readonly raw?: string;
    readonly raw_json?: string | null;
    readonly minor?: string;
    readonly refused?: unknown;
  }[];

  it.each(cases)('is read or refused: %j', async ({ currency, raw, raw_json, minor }) => {
    const type =
      raw === undefined
        ? 'type = "number"\nscale = 100'
        : `type = "money"\ncurrency = "${currency}"`;
    const gateway = await open(
      `[mandate]\nbudget = 1000000\n[[tools]]\nserver = "bank"\ntool = "pay"\nbudget_param = "amount"\n[tools.params.amount]\n${type}\n`,
    );
    const amount = raw ?? (typeof raw_json === 'string' ? parseKept(raw_json) : undefined);
    const answer = await gateway.call('bank.pay', amount === undefined ? {} : { amount });
    const [budget] = (await gateway.gateway.status()).budgets;
    if (minor !== undefined) {
      expect(answer.kind).toBe('executed');
      expect(budget?.left).toBe(1_000_000 - Number(minor));
      return;
    }
    expect(refusals(answer)[0]).toMatch(/^CONTRACT_(?:INVALID|TYPE|MISSING_VALUE) amount$/);
    expect(budget?.left).toBe(1_000_000);
    expect(gateway.effects).toEqual([]);
  });
});

/** A number keeps its digits, as the front of the proxy keeps them. */
function parseKept(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return typeof value === 'number' ? JSON.rawJSON(json) : value;
}

describe('days and instants', () => {
  const cases = fixture('calendar-cases.json') as readonly {
    readonly type: string;
    readonly raw: string;
    readonly zone?: string;
    readonly shown?: string;
  }[];
  const policy =
    '@id("ask") permit (principal, action, resource) when { context.approval_level == 1 };';

  it.each(cases.filter(({ type }) => type !== 'zone'))(
    'are shown as the day they name: %j',
    async (row) => {
      const zone = row.zone === undefined ? '' : `zone = "${row.zone}"`;
      const type = row.type === 'date' ? 'date' : 'datetime';
      const gateway = await open(
        `[[tools]]\nserver = "bank"\ntool = "meet"\n[tools.params.at]\ntype = "${type}"\n${zone}\n`,
        { policy },
      );
      const report = reportOf(await gateway.call('bank.meet', { at: row.raw }));
      if (row.shown === undefined) expect(report.codes).toEqual(['CONTRACT_INVALID']);
      else expect(report.approval?.values).toMatchObject([{ display: row.shown }]);
    },
  );
});

describe('arguments inside arguments', () => {
  const mail = fixture('schema-graph-send-mail.json') as {
    readonly tool: { readonly inputSchema: JsonObject };
    readonly calls: readonly { readonly note: string; readonly arguments: JsonObject }[];
  };
  const list = (kind: string): string => `[tools.params.${kind}]
path = "body.message.${kind}Recipients[].emailAddress.address"
critical = true
optional = true
sources = ["registry:people"]
`;
  const tool = `[registries.people]
file = "people.json"
normalize = "email"
[[tools]]
server = "bank"
tool = "send-mail"
${list('to')}${list('bcc')}[tools.params.subject]
path = "body.message.subject"
[tools.params.text]
path = "body.message.body.content"
`;
  const files = { 'people.json': '{"sam": "Sam@Example.com", "kim": "kim@example.org"}' };
  const schemas = { 'bank.send-mail': mail.tool.inputSchema };
  const call = (note: string): JsonObject =>
    mail.calls.find((each) => each.note === note)?.arguments as JsonObject;

  verifies('DEC-11', 'are found and judged one by one', async () => {
    const gateway = await open(tool, { files, schemas });
    expect(refusals(await gateway.call('bank.send-mail', call('nested')))).toEqual([
      'PROVENANCE_UNTRUSTED body.message.bccRecipients[0].emailAddress.address',
    ]);
    const known = JSON.parse(
      JSON.stringify(call('nested')).replace('x@evil.example', 'kim@example.org'),
    ) as JsonObject;
    expect((await gateway.call('bank.send-mail', known)).kind).toBe('executed');
    expect(JSON.stringify(sent(gateway))).toBe(
      JSON.stringify(known).replace('sam@example.com', 'Sam@Example.com'),
    );
  });

  verifies(
    'DEC-11',
    'are refused with their path when nothing knows them, in another place or case',
    async () => {
      const gateway = await open(tool, { files, schemas });
      const flat = refusals(await gateway.call('bank.send-mail', call('flat')));
      expect(flat).toEqual(
        expect.arrayContaining([
          'CONTRACT_UNEXPECTED_VALUE subject',
          'CONTRACT_UNEXPECTED_VALUE toRecipients',
        ]),
      );
      expect(refusals(await gateway.call('bank.send-mail', call('other case')))).toContain(
        'CONTRACT_UNEXPECTED_VALUE body.Message',
      );
      expect(gateway.effects).toEqual([]);
    },
  );
});

describe('an open object', () => {
  const payment = fixture('schema-open-payment.json') as {
    readonly tool: { readonly inputSchema: JsonObject };
    readonly calls: readonly { readonly arguments: JsonObject }[];
  };
  const inner = (name: string, lines: string): string =>
    `[tools.params.${name}]\npath = "payment_data.${name}"\n${lines}\n`;
  const tool = `[registries.payees]
file = "payees.json"
normalize = "iban"
[[tools]]
server = "bank"
tool = "create_payment"
budget_param = "amount"
[tools.params.invoice_id]
type = "integer"
${inner('amount', 'type = "money"\ncurrency = "CHF"')}${inner('iban', 'critical = true\nsources = ["registry:payees"]')}${inner('currency_code', 'enum = ["CHF"]')}${inner('payment_type', 'enum = ["IBAN"]')}${inner('execution_date', 'type = "date"\noptional = true')}`;
  const files = { 'payees.json': '{"hart": "CH9300762011623852957"}' };
  const schemas = { 'bank.create_payment': payment.tool.inputSchema };

  verifies(
    'DEC-11',
    'takes its declared members and refuses every other with its path',
    async () => {
      const gateway = await open(tool, { files, schemas });
      const [good, oneMore, idAsText] = payment.calls.map((call) => call.arguments);
      expect((await gateway.call('bank.create_payment', good)).kind).toBe('executed');
      expect(sent(gateway)).toMatchObject({
        invoice_id: 41,
        payment_data: { iban: 'CH9300762011623852957' },
      });
      expect(refusals(await gateway.call('bank.create_payment', oneMore))).toEqual([
        'CONTRACT_UNEXPECTED_VALUE payment_data.beneficiary_iban',
      ]);
      expect(refusals(await gateway.call('bank.create_payment', idAsText))).toContain(
        'CONTRACT_TYPE invoice_id',
      );
      expect(gateway.effects).toHaveLength(1);
    },
  );
});

describe('one tool for several acts', () => {
  const erp = fixture('schema-erp-execute.json') as {
    readonly tool: { readonly inputSchema: JsonObject };
    readonly calls: readonly { readonly note: string; readonly arguments: JsonObject }[];
  };
  const tool = `[registries.bills]
file = "bills.json"
[registries.accounts]
file = "accounts.json"
normalize = "iban"
[[tools]]
server = "bank"
tool = "execute_method"
action = "payment.register"
when = { model = "account.move", method = "action_register_payment" }
undeclared = "refuse"
[tools.params.ids]
type = "integer"
each = true
critical = true
sources = ["registry:bills"]
[tools.params.amount]
path = "decision.amount"
type = "number"
scale = 100
[tools.params.bank]
path = "decision.partner_bank_id"
type = "integer"
critical = true
sources = ["const:44"]
[[tools]]
server = "bank"
tool = "execute_method"
action = "vendor.bank_change"
when = { model = "res.partner.bank", method = "write" }
undeclared = "refuse"
[tools.params.ids]
type = "integer"
each = true
[tools.params.account]
path = "kwargs.vals.acc_number"
critical = true
sources = ["registry:accounts"]
`;
  const files = {
    'bills.json': '{"b311": 311}',
    'accounts.json': '{"west": "GB82 WEST 1234 5698 7654 32"}',
  };
  const policy = `@id("pay") permit (principal, action == Action::"payment.register", resource);
@id("bank") permit (principal, action == Action::"vendor.bank_change", resource) when { context.approval_level == 1 };`;
  const schemas = { 'bank.execute_method': erp.tool.inputSchema };
  const call = (note: string): JsonObject =>
    erp.calls.find((each) => each.note === note)?.arguments as JsonObject;

  verifies('DEC-10', 'is decided by the act that its arguments select', async () => {
    const gateway = await open(tool, { files, schemas, policy });
    expect((await gateway.call('bank.execute_method', call('payment of a bill'))).kind).toBe(
      'executed',
    );
    expect(gateway.effects.at(-1)?.action).toBe('payment.register');
    const change = reportOf(
      await gateway.call('bank.execute_method', call('change of a bank account')),
    );
    expect([change.codes, change.approval?.sentence.split(':')[0]]).toEqual([
      ['APPROVAL_PENDING'],
      'vendor.bank_change',
    ]);
  });

  verifies(
    'DEC-10',
    'takes no empty answer for a decision, and no act that no entry selects',
    async () => {
      const gateway = await open(tool, { files, schemas, policy });
      expect(refusals(await gateway.call('bank.execute_method', call('all defaults')))).toEqual([
        'CONTRACT_MISSING_VALUE decision.amount',
        'CONTRACT_MISSING_VALUE decision.partner_bank_id',
      ]);
      expect(refusals(await gateway.call('bank.execute_method', call('deletion')))).toEqual([
        'CONTRACT_UNKNOWN_ACTION',
      ]);
      const otherCase = { ...call('payment of a bill'), method: 'ACTION_REGISTER_PAYMENT' };
      expect(refusals(await gateway.call('bank.execute_method', otherCase))).toEqual([
        'CONTRACT_UNKNOWN_ACTION',
      ]);
      expect(gateway.effects).toEqual([]);
    },
  );
});

describe('values of another owner', () => {
  const files = {
    'payees.json': JSON.stringify({
      v1: { iban: 'DE89370400440532013000', owner: 'acme', name: 'Hart' },
      v2: { iban: 'GB82WEST12345698765432', owner: 'other', name: 'Foreign' },
    }),
  };
  const tool = `[mandate.claims]
tenant = "acme"
[registries.payees]
file = "payees.json"
normalize = "iban"
value = "iban"
owner = "owner"
alias = "name"
[[tools]]
server = "bank"
tool = "pay"
[tools.params.to]
critical = true
sources = ["registry:payees"]
`;

  verifies('DEC-06', 'are refused with the answer for values that exist nowhere', async () => {
    const gateway = await open(tool, { files });
    const asked = async (to: unknown): Promise<unknown> => {
      const { codes, failures, next } = reportOf(await gateway.call('bank.pay', { to }));
      return JSON.parse(
        JSON.stringify({ codes, failures, next }, (key, value) => (key === 'given' ? '' : value)),
      );
    };
    const pairs = [
      ['GB82WEST12345698765432', 'FR1420041010050500013M02606'],
      ['ref:v2', 'ref:v9'],
      ['name:Foreign', 'name:Nobody'],
      [{ ref: 'v2' }, { ref: 'v9' }],
      ['GB82WEST12345698765432'.toLowerCase(), 'FR1420041010050500013M02606'.toLowerCase()],
      ['GB82WEST1234569876543O', 'FR142004101005O500013M02606'],
    ];
    for (const [foreign, unknown] of pairs) {
      expect(await asked(foreign), JSON.stringify(foreign)).toEqual(await asked(unknown));
    }
    expect((await gateway.call('bank.pay', { to: 'name:Hart' })).kind).toBe('executed');
  });
});

describe('a code that is short', () => {
  it('is refused at once, with the form that is wanted', async () => {
    const gateway = await open(
      '[[tools]]\nserver = "bank"\ntool = "merge"\n[tools.params.sha]\npattern = "[0-9a-f]{40}"\n',
    );
    const report = reportOf(await gateway.call('bank.merge', { sha: 'e83c5163a' }));
    expect(report).toMatchObject({
      codes: ['CONTRACT_INVALID'],
      failures: [{ path: 'sha', expected: 'a text that matches [0-9a-f]{40}' }],
      next: ['fix_argument'],
    });
    expect(await gateway.gateway.listPending()).toEqual([]);
    expect((await gateway.call('bank.merge', { sha: 'a'.repeat(40) })).kind).toBe('executed');
  });
});

/** The same object with other methods; the rest keeps its own `this`. */
function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get: (object, key) => {
      const value: unknown = Reflect.get({ ...methods }, key) ?? Reflect.get(object, key);
      return typeof value === 'function' ? value.bind(object) : value;
    },
  });
}

describe('each reason code of a call', () => {
  const tool = `[[tools]]
server = "bank"
tool = "pay"
when = { kind = "sepa" }
[tools.params.kind]
[tools.params.count]
type = "integer"
[tools.params.note]
max_length = 5
optional = true
`;
  const schemas = { 'bank.pay': schemaOf({ kind: text, count: { type: 'integer' }, note: text }) };
  const good = { kind: 'sepa', count: 3, note: 'short' };
  const given: readonly (readonly [ReasonCode, unknown])[] = [
    ['CONTRACT_UNKNOWN_ACTION', { ...good, kind: 'wire' }],
    ['CONTRACT_UNEXPECTED_VALUE', { ...good, bcc: 'x' }],
    ['CONTRACT_MISSING_VALUE', { kind: 'sepa' }],
    ['CONTRACT_TYPE', { ...good, count: '3' }],
    ['CONTRACT_INVALID', { ...good, note: 'a\u202eb' }],
    ['CONTRACT_TOO_LARGE', { ...good, note: 'longer' }],
  ];

  for (const [code, args] of given) {
    verifies('DEC-07', `${code} is given, and not to the nearest call`, async () => {
      const gateway = await open(tool, { schemas });
      expect(reportOf(await gateway.call('bank.pay', args)).codes).toEqual([code]);
      expect((await gateway.call('bank.pay', good)).kind).toBe('executed');
    });
  }

  verifies(
    'DEC-07',
    'CONTRACT_TOOL_CHANGED is given while the definition is another than accepted',
    async () => {
      const changed = await open(tool, {
        schemas,
        change: () => ({ definitionOf: () => ({ kind: 'changed' }) }),
      });
      expect(reportOf(await changed.call('bank.pay', good)).codes).toEqual([
        'CONTRACT_TOOL_CHANGED',
      ]);
      expect(changed.effects).toEqual([]);
    },
  );

  verifies('DEC-07', 'APPROVAL_PENDING is given where a person is asked', async () => {
    const asking = await open(tool, {
      schemas,
      policy: '@id("p") permit (principal, action, resource) when { context.approval_level == 1 };',
    });
    expect(reportOf(await asking.call('bank.pay', good))).toMatchObject({
      codes: ['APPROVAL_PENDING'],
      status: 'pending',
    });
    expect(asking.effects).toEqual([]);
  });

  verifies(
    'DEC-07',
    'EXECUTION_FAILED and EXECUTION_UNKNOWN tell apart what is certain',
    async () => {
      const ended = async (outcome: 'NOT_SENT' | 'AMBIGUOUS'): Promise<unknown> => {
        const gateway = await open(tool, { schemas, outcome: () => ({ class: outcome }) });
        return reportOf(await gateway.call('bank.pay', good)).codes;
      };
      expect(await ended('NOT_SENT')).toEqual(['EXECUTION_FAILED']);
      expect(await ended('AMBIGUOUS')).toEqual(['EXECUTION_UNKNOWN']);
    },
  );

  verifies(
    'DEC-07',
    'RECEIPT_UNAVAILABLE is given, and nothing is sent, while the store cannot commit',
    async () => {
      const broken = await open(tool, {
        schemas,
        change: ({ store }) => ({
          store: withMethods(store, {
            decide: () => Promise.reject(new StoreError('STORE_FULL', 'no space')),
          }),
        }),
      });
      expect(reportOf(await broken.call('bank.pay', good)).codes).toEqual(['RECEIPT_UNAVAILABLE']);
      expect(broken.effects).toEqual([]);
    },
  );

  verifies('DEC-07', 'INTERNAL is given, and nothing is sent, when a part throws', async () => {
    const broken = await open(tool, {
      schemas,
      change: ({ policy }) => ({
        policy: withMethods(policy, {
          evaluate: () => {
            throw new Error('broken');
          },
        }),
      }),
    });
    expect(reportOf(await broken.call('bank.pay', good)).codes).toEqual(['INTERNAL']);
    expect(broken.effects).toEqual([]);
  });
});
