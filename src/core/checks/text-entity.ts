// What the outbound-text rule finds, and what it is told to trust.

export type EntityKind =
  | 'url'
  | 'domain'
  | 'ip'
  | 'email'
  | 'iban'
  | 'account'
  | 'digits'
  | 'phone'
  | 'wallet'
  | 'card'
  | 'secret'
  | 'not_analysed';

/** `possible` is for shapes that ordinary text has too; only that class can be lifted. */
export type Certainty = 'certain' | 'possible';

/** The kinds whose trusted values come from records, claims and the user's own words. */
export type TrustedKind = 'url' | 'domain' | 'email' | 'iban' | 'phone' | 'wallet';

/** Everything one outgoing text may name. */
export interface TextTrust {
  /** True when a trusted value of that kind has exactly this canonical form. */
  has(kind: TrustedKind, canonical: string): boolean;
  /** Own domains: their subdomains and their mail addresses are trusted too. */
  readonly domains: readonly string[];
  /** Texts of the contract's author: an entity in one of them is trusted. */
  readonly templates: readonly string[];
  /** Amounts of the contract: their digits are no account number. */
  readonly amounts: readonly string[];
  /** Facts that may not leave in any spelling; those that the mandate discloses are left out. */
  readonly confidential?: readonly string[];
}

/** One entity of a text that nothing trusted explains. */
export interface TextEntity {
  readonly kind: EntityKind;
  readonly certainty: Certainty;
  /** As found, clipped; of a secret only its first characters. */
  readonly text: string;
  readonly canonical?: string;
}

/** What `examineText` says about one text. */
export interface TextFinding {
  readonly unknown: readonly TextEntity[];
  /** A key, token or confidential fact: refused, never asked. */
  readonly secret: boolean;
}

/** A recognised entity: its place in the text that was scanned. */
export interface Found {
  readonly kind: EntityKind;
  readonly certainty: Certainty;
  readonly start: number;
  readonly end: number;
  readonly canonical?: string;
}

const textLengthMax = 80;
const secretLengthMax = 8;

/** The entity as a person sees it: clipped, and a secret not readable. */
export function describeEntity(found: Omit<Found, 'start' | 'end'>, text: string): TextEntity {
  const limit = found.kind === 'secret' ? secretLengthMax : textLengthMax;
  const clipped = text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
  const entity = { kind: found.kind, certainty: found.certainty, text: clipped };
  return found.canonical === undefined || found.kind === 'secret'
    ? entity
    : { ...entity, canonical: found.canonical };
}
