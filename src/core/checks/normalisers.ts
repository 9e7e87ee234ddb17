// The value types by the name that a contract writes.
import { date } from './date.ts';
import { domain } from './domain.ts';
import { email, emailExact } from './email.ts';
import { iban, ibanLenient } from './iban.ts';
import { instant } from './instant.ts';
import { exact, lower } from './keyword.ts';
import { money } from './money.ts';
import type { Normaliser } from './normaliser.ts';
import { url, urlDomain, urlOrigin } from './url.ts';

export type { Normalised, Normaliser } from './normaliser.ts';

const all: readonly Normaliser[] = [
  iban,
  ibanLenient,
  email,
  emailExact,
  lower,
  exact,
  domain,
  url,
  urlOrigin,
  urlDomain,
  money,
  date,
  instant,
];

/** Every value type that a contract may name. */
export const normalisers: ReadonlyMap<string, Normaliser> = new Map(
  all.map((normaliser) => [normaliser.name, normaliser]),
);
