// Ties what a form sends to the page that it stands on, to the session that the page was made for,
// and to the time when it was served: nothing is stored for it.
import { timingSafeEqual } from 'node:crypto';
import { decodeBase64Url, encodeBase64Url } from '../core/base64.ts';
import { hmacSha256 } from '../core/sha256.ts';

/** What a token is good for. */
export interface CsrfSubject {
  /** Which form, and of what. */
  readonly form: string;
  /** Record id of the session; empty where nobody is signed in. */
  readonly session: string;
}

/** The form of one answer. */
export const answerForm = (approvalId: string, opHash: string): string =>
  `answer ${approvalId} ${opHash}`;

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
    const servedMs = this.#nowMs();
    return `${servedMs}.${encodeBase64Url(this.#mac(subject, String(servedMs)))}`;
  }

  /** When the page was served; undefined for any other token, and for one that is too old. */
  servedMs(token: string, subject: CsrfSubject): number | undefined {
    const [, servedText, macText] = /^(\d{1,16})\.([\w-]{43})$/.exec(token) ?? [];
    if (servedText === undefined || macText === undefined) return undefined;
    const mac = decodeBase64Url(macText);
    if (!mac.ok || !timingSafeEqual(mac.value, this.#mac(subject, servedText))) return undefined;
    const servedMs = Number(servedText);
    return servedMs + validForMs > this.#nowMs() ? servedMs : undefined;
  }

  #mac({ form, session }: CsrfSubject, servedMs: string): Uint8Array {
    const text = ['intentplane/page-csrf/v2', form, session, servedMs].join('\0');
    return hmacSha256(this.#secret, text);
  }
}
