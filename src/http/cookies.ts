// Cookies of the page: one name for each kind and instance, and always out of reach of scripts.
import type { IncomingMessage } from 'node:http';

/** What all cookies of one gateway have in common. */
export interface CookieScope {
  /** Browsers send cookies to every port of a host, so the name says whose they are. */
  readonly instance: string;
  /** Whether the page is reached by HTTPS. */
  readonly isSecure: boolean;
}

export interface Cookie {
  /** `session`, for example; letters only. */
  readonly kind: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
  /** `Strict`, unless it has to arrive with a navigation that another site began. */
  readonly sameSite: 'Strict' | 'Lax';
}

function cookieName({ instance, isSecure }: CookieScope, kind: string): string {
  return `${isSecure ? '__Host-' : ''}intentplane-${kind}-${instance}`;
}

/** Value of a `Set-Cookie` header (RFC 6265bis). */
export function formatCookie(scope: CookieScope, cookie: Cookie): string {
  const { kind, value, maxAgeSeconds, sameSite } = cookie;
  const pair = `${cookieName(scope, kind)}=${value}`;
  const secure = scope.isSecure ? '; Secure' : '';
  return `${pair}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** Undefined when it is absent, or there twice: one of them is somebody else's then. */
export function readCookie(
  scope: CookieScope,
  request: Pick<IncomingMessage, 'headers'>,
  kind: string,
): string | undefined {
  const start = `${cookieName(scope, kind)}=`;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.filter((pair) => pair.startsWith(start));
  return found.length === 1 ? found[0]?.slice(start.length) : undefined;
}
