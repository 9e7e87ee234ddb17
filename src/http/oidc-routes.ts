// Sign-in at a provider, as a browser goes through it: `/oidc/start`, the provider, `/oidc/callback`.
//
// The way back is a navigation that another site began, so no `Strict` cookie comes with it, and
// the callback cannot know the session. It does not have to. What it needs is sealed in a `Lax`
// cookie that only the browser that started holds; for an approval the session is named in there,
// because the start is a same-site request and knows it. The callback answers with a page instead
// of a redirect: what that page loads next is same-site again, and brings the `Strict` cookies.
//
// Neither route decides anything. The callback of an approval leaves a sealed proof in a `Strict`
// cookie, and the answer is still a POST of the page, with its token, that has to bring it.
import type { IncomingMessage } from 'node:http';
import {
  type ExpectedProof,
  type OidcProof,
  openOidcProof,
  sealOidcProof,
} from '../approvals/oidc/oidc-proof.ts';
import { type OidcRefusal, oidcRefusals, refuseOidc } from '../approvals/oidc/oidc-refusals.ts';
import {
  type ApprovePurpose,
  isStepUp,
  type OidcIdentity,
  type SignInPurpose,
} from '../approvals/oidc/oidc-settings.ts';
import type { OidcSignIn } from '../approvals/oidc/oidc-sign-in.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';
import { type CookieScope, formatCookie, readCookie } from './cookies.ts';
import { html } from './html.ts';
import { faultPage, type HttpAnswer, htmlAnswer } from './http-answer.ts';
import { pageFrame } from './page-frame.ts';
import { renderFault } from './render-fault.ts';

export interface OidcContext {
  readonly oidc: OidcSignIn;
  /** Seals proofs; the one that seals states will do. */
  readonly secret: Uint8Array;
  readonly cookies: CookieScope;
  readonly nowMs: () => number;
  readonly log: LogLine;
  /** False when this minute's tries of everybody are used up. */
  readonly admit: () => boolean;
  /** Names the session of a request, by a hash of its id; undefined when nobody is signed in. */
  readonly sessionOf: (request: IncomingMessage) => Promise<string | undefined>;
  /** Hash of the operation of an open request that this session may see. */
  readonly opHashOf: (about: {
    readonly approvalId: string;
    readonly session: string;
  }) => Promise<string | undefined>;
  /** Opens a session for whoever has this account; gives its `Set-Cookie` value. */
  readonly openSession: (identity: OidcIdentity) => Promise<string | undefined>;
}

const flowKind = 'signin';
const proofKind = 'proof';
/** As long as a sealed state is good for. */
const flowSeconds = 300;
/** At most; the proof itself knows exactly. */
const proofSeconds = 60;

/**
 * GET `/oidc/start` signs in, with `?return=<id>` for whoever looked at that request; with
 * `?approval=<id>` it proves the person of the session for that request.
 */
export async function startOidc(
  context: OidcContext,
  request: IncomingMessage,
): Promise<HttpAnswer> {
  if (request.method !== 'GET') return onlyGet();
  const query = readQuery(request);
  if (query === undefined) return faultPage('BAD_REQUEST');
  // Another site cannot send a person to the provider from here, nor name what is approved.
  const site = only(request, 'sec-fetch-site');
  const isOwn = site === 'same-origin' || (site === 'none' && query.kind === 'sign-in');
  if (!isOwn) return faultPage('FORBIDDEN');
  const purpose = query.kind === 'sign-in' ? query : await readPurpose(context, request, query.id);
  if (typeof purpose === 'string') return faultPage(purpose);
  const started = await context.oidc.begin({ purpose });
  if (!started.ok) return refuse(context, started);
  const cookie = flowCookie(context, started.state, flowSeconds);
  return {
    status: 303,
    type: 'text/plain; charset=utf-8',
    body: '',
    headers: { Location: started.url, 'Set-Cookie': cookie },
  };
}

function readQuery(
  request: IncomingMessage,
): SignInPurpose | { readonly kind: 'approve'; readonly id: string } | undefined {
  const query = [...new URL(request.url ?? '', 'http://localhost').searchParams];
  const [first] = query;
  if (first === undefined) return { kind: 'sign-in' };
  const [name, id] = first;
  if (query.length > 1 || !/^[0-9a-f]{32}$/.test(id)) return undefined;
  if (name === 'approval') return { kind: 'approve', id };
  return name === 'return' ? { kind: 'sign-in', returnTo: id } : undefined;
}

async function readPurpose(
  context: OidcContext,
  request: IncomingMessage,
  approvalId: string,
): Promise<ApprovePurpose | 'FORBIDDEN' | 'NOT_FOUND'> {
  const session = await context.sessionOf(request);
  if (session === undefined) return 'FORBIDDEN';
  const opHash = await context.opHashOf({ approvalId, session });
  return opHash === undefined ? 'NOT_FOUND' : { kind: 'approve', opHash, approvalId, session };
}

/** GET `/oidc/callback`, where the provider sends the browser back to. */
export async function finishOidc(
  context: OidcContext,
  request: IncomingMessage,
): Promise<HttpAnswer> {
  if (request.method !== 'GET') return onlyGet();
  const state = readCookie(context.cookies, request, flowKind);
  if (state === undefined) return refuse(context, refuseOidc('STATE_INVALID', 'no cookie'));
  if (!context.admit()) return faultPage('TOO_MANY_TRIES');
  const finished = await context.oidc.finish({ currentUrl: request.url ?? '', state });
  if (!finished.ok) return refuse(context, finished);
  if (!isStepUp(finished)) {
    const session = await context.openSession(finished);
    if (session === undefined) return refuse(context, refuseOidc('SUBJECT_UNKNOWN'));
    const { returnTo } = finished.purpose;
    return goOn(context, returnTo === undefined ? '/' : `/a/${returnTo}`, session);
  }
  const proof = formatCookie(context.cookies, {
    kind: proofKind,
    value: sealOidcProof(finished, context.secret, context.nowMs()),
    maxAgeSeconds: proofSeconds,
    sameSite: 'Strict',
  });
  return goOn(context, `/a/${finished.purpose.approvalId}`, proof);
}

/** The fresh sign-in that an answer brings: of the person of its session, for what it approves. */
export function readOidcProof(
  context: Pick<OidcContext, 'cookies' | 'secret' | 'nowMs'>,
  request: IncomingMessage,
  expected: ExpectedProof,
): { readonly ok: true; readonly proof: OidcProof } | OidcRefusal {
  const sealed = readCookie(context.cookies, request, proofKind);
  if (sealed === undefined) return refuseOidc('PROOF_MISSING', 'no cookie');
  return openOidcProof(sealed, expected, { secret: context.secret, nowMs: context.nowMs() });
}

const only = (request: IncomingMessage, name: string): string | undefined => {
  const values = request.headersDistinct[name];
  return values?.length === 1 ? values[0] : undefined;
};

const onlyGet = (): HttpAnswer => ({
  ...faultPage('METHOD_NOT_ALLOWED'),
  headers: { Allow: 'GET' },
});

function flowCookie(context: OidcContext, value: string, maxAgeSeconds: number): string {
  const cookie = { kind: flowKind, value, maxAgeSeconds, sameSite: 'Lax' } as const;
  return formatCookie(context.cookies, cookie);
}

/** A page of our own that loads the next one: a redirect would still count as the other site's. */
function goOn(context: OidcContext, path: string, cookie: string): HttpAnswer {
  const main = html`<h1>You are signed in</h1>
<p><a href="${path}">Go on</a></p>`;
  return {
    ...htmlAnswer(pageFrame({ title: 'Signed in', main })),
    headers: { Refresh: `0; url=${path}`, 'Set-Cookie': [cookie, flowCookie(context, '', 0)] },
  };
}

const unavailable: ReadonlySet<string> = new Set(['ISSUER_UNAVAILABLE', 'CLIENT_REFUSED']);

function refuse(context: OidcContext, { reason, detail }: OidcRefusal): HttpAnswer {
  context.log('warn', 'approval page: a sign-in was refused', { reason, detail });
  const status = unavailable.has(reason) ? 503 : 403;
  return {
    ...htmlAnswer(renderFault(reason, { status, title: oidcRefusals[reason] })),
    status,
    headers: { 'Set-Cookie': flowCookie(context, '', 0) },
  };
}
