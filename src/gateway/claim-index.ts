// The claims of the mandate, indexed once per normaliser that a parameter reads them with.
import { canonicalOf } from '../core/checks/canonical-value.ts';
import type { ValueReading } from '../core/contract.ts';
import { TrustedIndex } from '../core/trusted-index.ts';

type Claims = Readonly<Record<string, readonly (string | number | boolean)[]>>;

/** Values a normaliser refuses are left out, as a record of a live source would be. */
export class ClaimIndex {
  readonly #claims: Claims;
  readonly #indexes = new Map<string, TrustedIndex>();
  #texts: ReadonlySet<string> | undefined;

  constructor(claims: Claims) {
    this.#claims = claims;
  }

  /** Undefined when the mandate has no such claim. */
  find(claim: string, reading: ValueReading): TrustedIndex | undefined {
    const values = Object.hasOwn(this.#claims, claim) ? this.#claims[claim] : undefined;
    if (values === undefined) return undefined;
    const key = JSON.stringify([
      claim,
      reading.type,
      reading.normalize ?? null,
      reading.scale,
      reading.settings,
    ]);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const index = indexOf(claim, values, reading);
    this.#indexes.set(key, index);
    return index;
  }

  /** Canonical e-mails, domains, URLs and IBANs among all claims: what outgoing texts may name. */
  get texts(): ReadonlySet<string> {
    this.#texts ??= textsOf(Object.values(this.#claims).flat());
    return this.#texts;
  }
}

function indexOf(
  claim: string,
  values: readonly (string | number | boolean)[],
  reading: ValueReading,
): TrustedIndex {
  const index = new TrustedIndex();
  for (const [position, own] of values.entries()) {
    const read = canonicalOf(own, reading);
    if (!read.ok) continue;
    const recordId = values.length === 1 ? claim : `${claim}[${position}]`;
    const { canonical, display } = read;
    index.add({ canonical, display, own, recordId, version: '1', stale: false });
  }
  return index;
}

const textNormalisers = ['email', 'domain', 'url', 'iban-lenient', 'iban'] as const;

/** Every canonical form that a text rule could look for. */
export function textsOf(values: readonly (string | number | boolean)[]): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const value of values) {
    if (typeof value !== 'string') continue;
    for (const name of textNormalisers) {
      const read = canonicalOf(value, { type: 'string', normalize: name, scale: 1, settings: {} });
      if (read.ok) texts.add(String(read.canonical));
    }
  }
  return texts;
}
