// One reading of a text: every recogniser in order; what one has claimed, the next leaves alone.
import { findDomains } from './text-domains.ts';
import { findEmails } from './text-emails.ts';
import type { Found } from './text-entity.ts';
import { findIbans } from './text-ibans.ts';
import { findIps } from './text-ips.ts';
import { findNumbers, numberRun } from './text-numbers.ts';
import { findSecrets } from './text-secrets.ts';
import { addFree } from './text-spans.ts';
import { findUrls } from './text-urls.ts';
import { findWallets } from './text-wallets.ts';

type Recogniser = (text: string, amounts: ReadonlySet<string>) => Found[];

const dotted = /\.[^\s.]/u;
const longRun = /(?<![0-9A-Za-z])[0-9A-Za-z]{26}/u;
const countryRun = /[A-Za-z]{2}[\s.-]{0,2}\d[\s.-]?\d/u;

/** Each recogniser behind a cheap test that ordinary text fails. */
const recognisers: readonly (readonly [mayHold: (text: string) => boolean, Recogniser])[] = [
  [() => true, findSecrets],
  [(text) => text.includes(':') || text.includes('.'), findUrls],
  [(text) => text.includes('@'), findEmails],
  [(text) => countryRun.test(text), findIbans],
  [(text) => longRun.test(text), findWallets],
  [(text) => dotted.test(text), findDomains],
  [(text) => text.includes('.') || text.includes(':'), findIps],
  [(text) => numberRun.test(text), findNumbers],
];

/** All entities of a text, in the order of the recognisers and without overlap. */
export function scanText(text: string, amounts: ReadonlySet<string>): Found[] {
  const kept: Found[] = [];
  for (const [mayHold, recognise] of recognisers) {
    if (!mayHold(text)) continue;
    const found = recognise(text, amounts);
    if (found.length > 0) addFree(kept, found);
  }
  return kept;
}
