// The bank and the mailbox behind the demo tools: state in memory, and no protection at all.
// Whatever valid transfer or mail it is told to send, it sends.
import type { DemoTransaction, DemoWorld } from './demo-world.ts';

/** What a tool answers: a value for `structuredContent`, or a sentence about what was wrong. */
export type DemoOutcome =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string };

export type DemoArguments = Readonly<Record<string, unknown>>;

export interface DemoBank {
  readonly world: DemoWorld;
  balanceCents: number;
  /** Newest last, at most `transactionsMax`. */
  readonly transactions: DemoTransaction[];
  transactionCount: number;
  mailCount: number;
}

// Enough for any demo; a load test of a million transfers must not grow the process.
const transactionsMax = 500;
const amountMax = 1_000_000_000;
const recipientsMax = 50;

export function createDemoBank(world: DemoWorld): DemoBank {
  return {
    world,
    balanceCents: world.account.balanceCents,
    transactions: [...world.transactions],
    transactionCount: 100 + world.transactions.length,
    mailCount: 0,
  };
}

export function getBalance(bank: DemoBank): DemoOutcome {
  const { owner, iban, currency } = bank.world.account;
  return done({ owner, iban, balance: bank.balanceCents / 100, currency });
}

export function listBeneficiaries(bank: DemoBank): DemoOutcome {
  return done({ beneficiaries: bank.world.beneficiaries });
}

export function listTransactions(bank: DemoBank): DemoOutcome {
  const newestFirst = bank.transactions.slice(-100).reverse();
  const transactions = newestFirst.map(({ amountCents, ...rest }) => ({
    ...rest,
    amount: amountCents / 100,
  }));
  return done({ transactions });
}

export function readInbox(bank: DemoBank): DemoOutcome {
  return done({ messages: bank.world.inbox });
}

export function searchInbox(bank: DemoBank, args: DemoArguments): DemoOutcome {
  const query = args['query'];
  if (typeof query !== 'string' || query === '') return wrong('`query` must be a non-empty text');
  const wanted = query.toLowerCase();
  const messages = bank.world.inbox.filter((mail) =>
    `${mail.from}\n${mail.subject}\n${mail.body}`.toLowerCase().includes(wanted),
  );
  return done({ messages });
}

export function sendMoney(bank: DemoBank, args: DemoArguments): DemoOutcome {
  const { recipient, amount, subject = '' } = args;
  if (typeof recipient !== 'string' || !isIban(recipient)) {
    return wrong('`recipient` must be a valid IBAN');
  }
  if (typeof subject !== 'string') return wrong('`subject` must be a text');
  const cents = toCents(amount);
  if (cents === undefined) {
    return wrong('`amount` must be a number above 0 with at most two decimals');
  }
  if (cents > bank.balanceCents) return wrong('the balance does not cover this amount');
  const id = bookTransfer(bank, { recipient, cents, subject });
  return done({
    transaction_id: id,
    status: 'booked',
    recipient,
    amount: cents / 100,
    currency: bank.world.account.currency,
    balance: bank.balanceCents / 100,
  });
}

export function sendEmail(bank: DemoBank, args: DemoArguments): DemoOutcome {
  const { to, subject, body } = args;
  if (!isAddressList(to)) {
    return wrong(`\`to\` must be a list of 1 to ${recipientsMax} e-mail addresses`);
  }
  if (typeof subject !== 'string') return wrong('`subject` must be a text');
  if (typeof body !== 'string') return wrong('`body` must be a text');
  bank.mailCount += 1;
  return done({ message_id: `sent-${bank.mailCount}`, status: 'sent', to });
}

interface Transfer {
  readonly recipient: string;
  readonly cents: number;
  readonly subject: string;
}

function bookTransfer(bank: DemoBank, { recipient, cents, subject }: Transfer): string {
  bank.transactionCount += 1;
  bank.balanceCents -= cents;
  const iban = foldIban(recipient);
  const known = bank.world.beneficiaries.find((beneficiary) => beneficiary.iban === iban);
  const id = `tx-${String(bank.transactionCount).padStart(4, '0')}`;
  bank.transactions.push({
    id,
    date: bank.world.today,
    amountCents: -cents,
    counterparty: known?.name ?? 'unknown',
    iban,
    subject,
  });
  if (bank.transactions.length > transactionsMax) bank.transactions.shift();
  return id;
}

function toCents(amount: unknown): number | undefined {
  if (typeof amount !== 'number' || !(amount > 0) || amount > amountMax) return undefined;
  const cents = Math.round(amount * 100);
  return cents > 0 && cents / 100 === amount ? cents : undefined;
}

function isAddressList(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > recipientsMax) return false;
  return value.every((item) => typeof item === 'string' && /^[^\s@]+@[^\s@]+$/u.test(item));
}

function foldIban(text: string): string {
  return text.replaceAll(' ', '').toUpperCase();
}

/** ISO 13616 check digits; a bank takes any spelling of a number that adds up. */
function isIban(text: string): boolean {
  const iban = foldIban(text);
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/u.test(iban)) return false;
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const digits = Number.parseInt(character, 36);
    rest = (rest * (digits > 9 ? 100 : 10) + digits) % 97;
  }
  return rest === 1;
}

function done(value: Readonly<Record<string, unknown>>): DemoOutcome {
  return { ok: true, value };
}

function wrong(message: string): DemoOutcome {
  return { ok: false, message };
}
