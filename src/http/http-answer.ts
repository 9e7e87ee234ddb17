// What goes back over the wire: one set of headers on everything, also on refusals.
import type { ServerResponse } from 'node:http';
import { type PageFaultCode, pageFaults } from './page-faults.ts';
import { renderFault } from './render-fault.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** A list is sent as one header for each of its values. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** No cross-origin header is ever added: other sites read nothing. */
export const hardeningHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

export const htmlAnswer = (body: string): HttpAnswer => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  body,
});

export const jsonAnswer = (content: Readonly<Record<string, unknown>>): HttpAnswer => ({
  status: 200,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(content),
});

/** A refusal as a page, for whoever followed a link. */
export function faultPage(code: PageFaultCode): HttpAnswer {
  const fault = pageFaults[code];
  return { ...htmlAnswer(renderFault(code, fault)), status: fault.status };
}

/** A refusal as problem+json, for the script. */
export function faultAnswer(
  code: PageFaultCode,
  more: { readonly state?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): HttpAnswer {
  const { status, title } = pageFaults[code];
  const state = more.state === undefined ? {} : { state: more.state };
  return {
    status,
    type: 'application/problem+json; charset=utf-8',
    body: JSON.stringify({ status, code, title, ...state }),
    ...(more.headers === undefined ? {} : { headers: more.headers }),
  };
}

/** HEAD gets the headers of GET and no body. */
export function send(response: ServerResponse, answer: HttpAnswer, isHead: boolean): void {
  const { status, type, body, headers } = answer;
  response.writeHead(status, {
    ...hardeningHeaders,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(isHead ? undefined : body);
}
