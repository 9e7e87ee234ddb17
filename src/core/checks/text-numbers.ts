// Runs of digits through separators: card, account or phone number, or just a long number.
import { isCardNumber } from './text-cards.ts';
import type { Found } from './text-entity.ts';
import { readPhone } from './text-phones.ts';
import type { Span } from './text-spans.ts';

const day = '(?:0?[1-9]|[12]\\d|3[01])';
const month = '(?:0?[1-9]|1[0-2])';
const year = '(?:19|20)\\d{2}';
const dates = [
  `${day}[./-]${month}[./-](?:${year}|\\d{2})`,
  `${month}/${day}/${year}`,
  `${year}([./-])${month}\\1${day}`,
  `${year}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?:[01]\\d[0-5]\\d(?:[0-5]\\d)?)?`,
];
const date = new RegExp(`(?<!\\d)(?:${dates.join('|')})(?!\\d)`, 'gu');
const unbroken = /^\d+$/u;
const unbrokenDate = /^(?:19|20)\d{2}[01]\d[0-3]\d(?:\d{4}(?:\d{2})?)?$/u;
// of at most nine digits: what is longer is a number, however it is punctuated
const amount = /(?<![\d.])\d{1,3}(?:\.\d{3}){1,2}(?![\d.])|(?<![\d.])\d{1,7}\.\d{2}(?![\d.])/gu;
const paymentWords = [
  'iban|bic|swift|accounts?|acct|a/c|konto\\w{0,16}|bankverbindung|bankleitzahl|blz',
  'sort[ -]?code|routing|aba|comptes?|rib|cuenta|clabe|conto|rekening\\w{0,8}',
  'rachun\\p{L}{0,6}|bankgiro|plusgiro',
];
const paymentWord = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${paymentWords.join('|')})(?![\\p{L}\\p{N}])`,
  'giu',
);
const documentWords = [
  'invoice|inv|rechnung(?:s-?)?|rg|beleg|facture|bill|order|bestell(?:ung|-)?(?:s-?)?',
  'auftrag(?:s-?)?|commande|po|purchase order|reference|referenz|ref|r[ée]f[ée]rence',
  'kunden-?|customer|client|ticket|case|vorgang(?:s-?)?|aktenzeichen|az|tracking',
  'sendung(?:s-?)?|shipment|delivery note|lieferschein-?|article|artikel-?|ean|gtin|isbn',
  'issn|doi|sku|serial|serien-?|charge|batch|steuer-?|ust-?|vat|tax|siret|siren|hrb|hra',
  'version|document|dokument(?:en-?)?|vertrag(?:s-?)?|contract|project|projekt-?|personal-?',
  'matricule|dossier|devis|quote|angebot(?:s-?)?|id',
];
const documentWord = new RegExp(
  `(?<!\\p{L})(?:${documentWords.join('|')})` +
    '[ ]?(?:nummer|number|numéro|id|n[ro°º]|no)?[\\s.:#№°-]{0,4}$',
  'iu',
);
const contextLength = 40;
const paymentDistanceMax = 20;
const accountDigitsMin = 8;
const digitsMin = 10;

/** Six digits or more through separators: the least that is a number of something. */
export const numberRun: RegExp = /\d(?:[ \u00a0\u202f‐-–./()-]{0,4}\d){5}/u;
const everyRun = /\d(?:[ \u00a0\u202f‐-–./()-]{0,4}\d){5,}/gu;

/** All card, account, phone and long numbers of a text; dates and `amounts` are none. */
export function findNumbers(text: string, amounts: ReadonlySet<string>): Found[] {
  const payments = Array.from(text.matchAll(paymentWord), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  const isPayment = nearness(payments);
  const found: Found[] = [];
  for (const match of text.matchAll(everyRun)) {
    const end = match.index + match[0].length;
    for (const piece of pieces(match[0], isPayment(match.index, end))) {
      const at = { text, start: match.index + piece.start, end: match.index + piece.end };
      const number = readNumber(at, isPayment(at.start, at.end), amounts);
      if (number !== undefined) found.push(number);
    }
  }
  return found;
}

/** Whether a payment word is near; asked for spans from left to right. */
function nearness(words: readonly Span[]): (start: number, end: number) => boolean {
  let first = 0;
  return (start, end) => {
    while ((words[first]?.end ?? Number.POSITIVE_INFINITY) < start - paymentDistanceMax) first += 1;
    const word = words[first];
    return word !== undefined && word.start <= end + paymentDistanceMax;
  };
}

/** The run without its dates and, away from payment words, without its amounts. */
function pieces(spelled: string, isPayment: boolean): Span[] {
  if (unbroken.test(spelled) && !unbrokenDate.test(spelled)) {
    return [{ start: 0, end: spelled.length }];
  }
  const blank = (part: string): string => 'x'.repeat(part.length);
  let rest = spelled.replace(date, blank);
  if (!isPayment) rest = rest.replace(amount, blank);
  return Array.from(rest.matchAll(/\d(?:[^x]*\d)?/gu), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function readNumber(
  at: Span & { readonly text: string },
  isPayment: boolean,
  amounts: ReadonlySet<string>,
): Found | undefined {
  const spelled = at.text.slice(at.start, at.end);
  const digits = spelled.replace(/\D/gu, '');
  if (digits.length < 6) return undefined;
  const span = { start: at.start, end: at.end };
  const before = at.text.slice(Math.max(0, at.start - contextLength), at.start);
  const isAfterDocumentWord = documentWord.test(before);
  const isNoPhone = isPayment || isAfterDocumentWord;
  const phone = readPhone({ spelled, before, isNoPhone });
  const isCard = phone?.startsWith('+') !== true && isCardNumber(digits);
  if (isCard) return { kind: 'card', certainty: 'certain', ...span, canonical: digits };
  if (phone !== undefined)
    return { kind: 'phone', certainty: 'certain', ...span, canonical: phone };
  if (amounts.has(digits)) return undefined;
  if (isPayment && digits.length >= accountDigitsMin) {
    const kind = isAfterDocumentWord ? 'digits' : 'account';
    const certainty = isAfterDocumentWord ? 'possible' : 'certain';
    return { kind, certainty, ...span, canonical: digits };
  }
  if (digits.length < digitsMin) return undefined;
  return { kind: 'digits', certainty: 'possible', ...span, canonical: digits };
}
