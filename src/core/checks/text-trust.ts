// Whether a found entity is one that the mandate, the records, the request or the contract name.
import type { Certainty, EntityKind, Found, TextTrust, TrustedKind } from './text-entity.ts';

/** How unknown an entity is. */
export type Verdict = Certainty | 'trusted';

export type Judge = (found: Found, spelled: string) => Verdict;

export interface JudgeContext {
  readonly trust: TextTrust;
  /** The worst entity inside a part of a URL; `trusted` when it holds none. */
  readonly worstWithin: (text: string) => Verdict;
  /** True when one of the contract's templates holds the entity. */
  readonly isInTemplate: (kind: Found['kind'], canonical: string) => boolean;
}

const queryLengthMax = 64;

export function createJudge(context: JudgeContext): Judge {
  const { trust } = context;
  return (found, spelled) => {
    const { canonical } = found;
    if (canonical === undefined || found.kind === 'secret') return found.certainty;
    if (context.isInTemplate(found.kind, canonical)) return 'trusted';
    if (found.kind === 'url') return judgeUrl(context, spelled, canonical);
    return isNamed(trust, { kind: found.kind, canonical, spelled }) ? 'trusted' : found.certainty;
  };
}

interface Named {
  readonly kind: EntityKind;
  readonly canonical: string;
  readonly spelled: string;
}

function isNamed(trust: TextTrust, { kind, canonical, spelled }: Named): boolean {
  if (kind === 'email') return isTrustedEmail(trust, canonical, spelled);
  if (kind === 'domain' || kind === 'ip') return isTrustedHost(trust, canonical);
  if (kind === 'digits' && trust.has('phone', `+${canonical.replace(/^00/u, '')}`)) return true;
  const trusted = trustedAs.get(kind);
  return trusted !== undefined && trust.has(trusted, canonical);
}

/** Which trusted values may explain an entity. */
const trustedAs: ReadonlyMap<EntityKind, TrustedKind> = new Map([
  ['iban', 'iban'],
  ['account', 'iban'],
  ['digits', 'iban'],
  ['phone', 'phone'],
  ['wallet', 'wallet'],
]);

const isTrustedHost = (trust: TextTrust, host: string): boolean =>
  isOwn(trust, host) || trust.has('domain', host);

const isOwn = (trust: TextTrust, host: string): boolean =>
  trust.domains.some((own) => host === own || host.endsWith(`.${own}`));

function isTrustedEmail(trust: TextTrust, canonical: string, spelled: string): boolean {
  if (trust.has('email', canonical)) return true;
  const domain = canonical.slice(canonical.lastIndexOf('@') + 1);
  const local = spelled.slice(0, spelled.lastIndexOf('@'));
  // `a%evil.com@own.com` is a way through own servers, not a mailbox of them
  return trust.has('email', `${local}@${domain}`) || (isOwn(trust, domain) && !local.includes('%'));
}

/** An equal URL, or one at a trusted host whose path and query lead nowhere else. */
function judgeUrl(context: JudgeContext, spelled: string, canonical: string): Verdict {
  const { trust } = context;
  const url = new URL(canonical);
  // the canonical form hides these, a reader or another program may not
  if (/[\\\s]/u.test(spelled) || url.username + url.password !== '') return 'certain';
  if (authorityOf(spelled).includes('%')) return 'certain';
  const fragment = /#.*$/su.exec(spelled)?.[0] ?? '';
  const isEqual = trust.has('url', canonical);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const isAtHost = isWeb && url.port === '' && isTrustedHost(trust, url.hostname);
  if (!isEqual && !isAtHost) return 'certain';
  const query = isEqual ? fragment : url.search + fragment;
  // the question mark or number sign in front is not counted
  if (query.length > queryLengthMax + 1) return 'certain';
  return context.worstWithin(isEqual ? fragment : url.pathname + query);
}

/** The part of a URL as written between its scheme and its path. */
const authorityOf = (spelled: string): string =>
  spelled.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/*/u, '').replace(/[/?#].*$/su, '');
