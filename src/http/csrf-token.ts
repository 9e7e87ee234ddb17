// Ties an answer to a page that this process served: no cookie, no session, nothing stored.
import { timingSafeEqual } from 'node:crypto';
import { decodeBase64Url, encodeBase64Url } from '../core/base64.ts';
import { hmacSha256 } from '../core/sha256.ts';

/** What a token is good for. */
export interface CsrfSubject {
  readonly approvalId: string;
  readonly opHash: string;
}

/** A page that was left open longer is loaded again. */
const validForMs = 3_600_000;

export class CsrfTokens {
  readonly #secret: Uint8Array;
  readonly #nowMs: () => number;

  constructor(secret: Uint8Array, nowMs: () => number) {
    this.#secret = secret;
    this.#nowMs = nowMs;
  }

  issue(subject: CsrfSubject): string {
    const untilMs = this.#nowMs() + validForMs;
    return `${untilMs}.${encodeBase64Url(this.#mac(subject, String(untilMs)))}`;
  }

  isValid(token: string, subject: CsrfSubject): boolean {
    const [, untilMs, macText] = /^(\d{1,16})\.([\w-]{43})$/.exec(token) ?? [];
    if (untilMs === undefined || macText === undefined) return false;
    const mac = decodeBase64Url(macText);
    if (!mac.ok || !timingSafeEqual(mac.value, this.#mac(subject, untilMs))) return false;
    return Number(untilMs) > this.#nowMs();
  }

  #mac({ approvalId, opHash }: CsrfSubject, untilMs: string): Uint8Array {
    const text = ['intentplane/page-csrf/v1', approvalId, opHash, untilMs].join('\0');
    return hmacSha256(this.#secret, text);
  }
}
