// Wallet addresses by their alphabets and lengths; checksums are not needed to recognise one.
import type { Found } from './text-entity.ts';

const hex = /(?<![0-9A-Za-z])0x[0-9a-f]{40}(?![0-9a-f])/giu;
const bech32Start = 'bc|tb|ltc|addr|cosmos|osmo|bnb|lnbc';
const bech32 = new RegExp(
  `(?<![0-9A-Za-z])(?:${bech32Start})1[02-9ac-hj-np-z]{11,100}(?![0-9A-Za-z])`,
  'giu',
);
const base58 = /(?<![0-9A-Za-z])[1-9A-HJ-NP-Za-km-z]{26,95}(?![0-9A-Za-z])/gu;
// Bitcoin, Litecoin, Dogecoin, Tron, Ripple, Dash, Monero
const base58Start = /^[13LMDTrX48]/u;
const walletWord = /wallet|address|adresse|solana|\bsol\b|crypto|krypto|coin|usdt|usdc/iu;
const wordDistanceMax = 40;

/** All wallet addresses of a text. */
export function findWallets(text: string): Found[] {
  const found: Found[] = [];
  const add = (match: RegExpMatchArray & { index: number }, canonical: string): void => {
    const span = { start: match.index, end: match.index + match[0].length };
    found.push({ kind: 'wallet', certainty: 'certain', ...span, canonical });
  };
  for (const match of text.matchAll(hex)) add(match, match[0].toLowerCase());
  for (const match of text.matchAll(bech32)) add(match, match[0].toLowerCase());
  for (const match of text.matchAll(base58)) if (isBase58Address(text, match)) add(match, match[0]);
  return found;
}

/** Mixed letters and digits, with the first character of a known chain or a word about wallets. */
function isBase58Address(text: string, match: RegExpMatchArray & { index: number }): boolean {
  const address = match[0];
  if (!/[a-z]/u.test(address) || !/[A-Z]/u.test(address) || !/[1-9]/u.test(address)) return false;
  if (base58Start.test(address) && (address.length <= 35 || address.length === 95)) return true;
  const before = text.slice(Math.max(0, match.index - wordDistanceMax), match.index);
  return address.length <= 44 && walletWord.test(before);
}
