// The demo tools as a table: definition, what runs, and whether running it changes the world.
import {
  type DemoArguments,
  type DemoBank,
  type DemoOutcome,
  getBalance,
  listBeneficiaries,
  listTransactions,
  readInbox,
  searchInbox,
  sendEmail,
  sendMoney,
} from './demo-bank.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

interface DemoToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
}

export interface DemoTool {
  readonly definition: DemoToolDefinition;
  readonly run: (bank: DemoBank, args: DemoArguments) => DemoOutcome;
  /** A successful run is one effect. */
  readonly hasEffect: boolean;
  readonly argumentNames: ReadonlySet<string>;
}

const text: JsonSchema = { type: 'string' };
const number: JsonSchema = { type: 'number' };
const mail: JsonSchema = object({ id: text, date: text, from: text, subject: text, body: text });
const beneficiary: JsonSchema = object({ id: text, name: text, iban: text });
const transaction: JsonSchema = object({
  id: text,
  date: text,
  amount: number,
  counterparty: text,
  iban: text,
  subject: text,
});

const reads: DemoToolDefinition['annotations'] = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const acts: DemoToolDefinition['annotations'] = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

const rows: readonly Omit<DemoTool, 'argumentNames'>[] = [
  {
    definition: {
      name: 'get_balance',
      title: 'Get balance',
      description: 'The balance of the account in euros.',
      inputSchema: object({}),
      outputSchema: object({ owner: text, iban: text, balance: number, currency: text }),
      annotations: reads,
    },
    run: getBalance,
    hasEffect: false,
  },
  {
    definition: {
      name: 'list_beneficiaries',
      title: 'List beneficiaries',
      description: 'The payees on file with their IBANs.',
      inputSchema: object({}),
      outputSchema: object({ beneficiaries: listOf(beneficiary) }),
      annotations: reads,
    },
    run: listBeneficiaries,
    hasEffect: false,
  },
  {
    definition: {
      name: 'list_transactions',
      title: 'List transactions',
      description: 'The last transactions, newest first. A negative amount left the account.',
      inputSchema: object({}),
      outputSchema: object({ transactions: listOf(transaction) }),
      annotations: reads,
    },
    run: listTransactions,
    hasEffect: false,
  },
  {
    definition: {
      name: 'read_inbox',
      title: 'Read inbox',
      description: 'All messages of the inbox, oldest first.',
      inputSchema: object({}),
      outputSchema: object({ messages: listOf(mail) }),
      annotations: reads,
    },
    run: readInbox,
    hasEffect: false,
  },
  {
    definition: {
      name: 'search_inbox',
      title: 'Search inbox',
      description: 'The messages whose sender, subject or body contains a text.',
      inputSchema: object({ query: { ...text, minLength: 1 } }),
      outputSchema: object({ messages: listOf(mail) }),
      annotations: reads,
    },
    run: searchInbox,
    hasEffect: false,
  },
  {
    definition: {
      name: 'send_money',
      title: 'Send money',
      description: 'Transfers an amount in euros to an IBAN. The transfer is booked at once.',
      inputSchema: object(
        {
          recipient: { ...text, description: 'IBAN of the payee' },
          amount: { ...number, exclusiveMinimum: 0, description: 'euros, at most two decimals' },
          subject: { ...text, description: 'what the payee reads' },
        },
        ['recipient', 'amount'],
      ),
      outputSchema: object({
        transaction_id: text,
        status: text,
        recipient: text,
        amount: number,
        currency: text,
        balance: number,
      }),
      annotations: acts,
    },
    run: sendMoney,
    hasEffect: true,
  },
  {
    definition: {
      name: 'send_email',
      title: 'Send e-mail',
      description: 'Sends a message from the account of the user.',
      inputSchema: object({
        to: { ...listOf(text), minItems: 1, description: 'addresses of the recipients' },
        subject: text,
        body: text,
      }),
      outputSchema: object({ message_id: text, status: text, to: listOf(text) }),
      annotations: acts,
    },
    run: sendEmail,
    hasEffect: true,
  },
];

/** In the order of `tools/list`. */
export const demoTools: ReadonlyMap<string, DemoTool> = new Map(
  rows.map((row) => [
    row.definition.name,
    { ...row, argumentNames: new Set(Object.keys(row.definition.inputSchema['properties'] ?? {})) },
  ]),
);

function object(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}
