// The whole page: what there is to read and what there is to send. Nothing else exists here.
import type { IncomingMessage } from 'node:http';
import { answerRequest } from './answer-request.ts';
import { answeringOf } from './answering.ts';
import { answerForm } from './csrf-token.ts';
import { askEnrolment, enrol, enrolForm } from './enrol.ts';
import { findApproval } from './find-approval.ts';
import { type FormCall, tokenOf } from './form-request.ts';
import { faultAnswer, faultPage, type HttpAnswer, htmlAnswer } from './http-answer.ts';
import { liftForm, liftSuspension } from './lift-suspension.ts';
import type { PageContext } from './page-context.ts';
import type { PageFaultCode } from './page-faults.ts';
import type { PageViewer } from './page-frame.ts';
import { peopleOf, personOfHandle } from './page-people.ts';
import { askPasskey } from './passkey-proof.ts';
import { renderApproval } from './render-approval.ts';
import { renderEnrol } from './render-enrol.ts';
import { renderList, type Suspension } from './render-list.ts';
import { renderSignIn } from './render-sign-in.ts';
import { requestPath } from './request-path.ts';
import { type PageSession, readSession } from './session.ts';
import { signIn, signInForm, signOut, signOutForm, takesPasscodes } from './sign-in.ts';
import { stateAnswer } from './state-answer.ts';

/** Under which names this process may be called. */
export interface PageAddress {
  readonly origin: string;
  /** Exact `Host` values; a name that was pointed here by somebody else is none of them. */
  readonly hosts: ReadonlySet<string>;
  /** Those of them that are IP addresses. */
  readonly addressHosts: ReadonlySet<string>;
}

export async function routeRequest(
  context: PageContext,
  address: PageAddress,
  request: IncomingMessage,
): Promise<HttpAnswer> {
  const hosts = request.headersDistinct['host'] ?? [];
  const [host = ''] = hosts;
  if (hosts.length !== 1 || !address.hosts.has(host)) return faultPage('HOST_REFUSED');
  const path = requestPath(request.url ?? '');
  if (path === undefined) return refuse(request, 'BAD_REQUEST');
  if (isRead(request)) {
    if (address.addressHosts.has(host)) return redirect(`${address.origin}${encodeURI(path)}`);
    return readPage(context, request, path);
  }
  if (request.method === 'POST') return takeForm(context, address, { request, path });
  if (request.method === 'OPTIONS') return faultAnswer('FORBIDDEN');
  return faultAnswer('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET, HEAD, POST' } });
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

const refuse = (request: IncomingMessage, code: PageFaultCode): HttpAnswer =>
  isRead(request) ? faultPage(code) : faultAnswer(code);

const redirect = (location: string): HttpAnswer => ({
  status: 307,
  type: 'text/plain; charset=utf-8',
  body: '',
  headers: { Location: location },
});

async function readPage(
  context: PageContext,
  request: IncomingMessage,
  path: string,
): Promise<HttpAnswer> {
  const asset = context.assets.get(path);
  if (asset !== undefined) return { status: 200, ...asset };
  if (answerPath.test(path) || formOf.has(path)) {
    if (path !== '/sign-in' && path !== '/enrol') {
      return { ...faultPage('METHOD_NOT_ALLOWED'), headers: { Allow: 'POST' } };
    }
  }
  const statePath = /^\/a\/([0-9a-f]{32})\/state$/.exec(path);
  // A page that looks for news by itself is no sign of a person.
  const session = await readSession(context, request, statePath === null);
  if (statePath?.[1] !== undefined) return readState(context, statePath[1], session);
  const returnTo = /^\/sign-in(\/a\/[0-9a-f]{32})?$/.exec(path);
  if (returnTo !== null) return signInPage(context, session, returnTo[1] ?? '/');
  if (path === '/enrol') return enrolPage(context, session);
  const approvalId = /^\/a\/([0-9a-f]{32})$/.exec(path)?.[1];
  if (path !== '/' && approvalId === undefined) return faultPage('NOT_FOUND');
  // The same for every id: who is not signed in learns of none.
  if (context.isRemote && session === undefined) return signInPage(context, session, path);
  if (approvalId === undefined) return listPage(context, session);
  return approvalPage(context, approvalId, session);
}

async function readState(
  context: PageContext,
  approvalId: string,
  session: PageSession | undefined,
): Promise<HttpAnswer> {
  if (context.isRemote && session === undefined) return faultAnswer('SIGN_IN_NEEDED');
  const found = await findApproval(context, approvalId, session);
  return found === undefined ? faultAnswer('NOT_FOUND') : stateAnswer(found);
}

function signInPage(
  context: PageContext,
  session: PageSession | undefined,
  returnTo: string,
): HttpAnswer {
  const csrf = tokenOf(context, session, signInForm);
  const { rpId } = context.site;
  return htmlAnswer(renderSignIn({ csrf, returnTo, rpId, takesPasscode: takesPasscodes(context) }));
}

function enrolPage(context: PageContext, session: PageSession | undefined): HttpAnswer {
  const csrf = tokenOf(context, session, enrolForm);
  const { rpId } = context.site;
  return htmlAnswer(renderEnrol({ csrf, rpId, takesPasscode: takesPasscodes(context) }));
}

async function listPage(
  context: PageContext,
  session: PageSession | undefined,
): Promise<HttpAnswer> {
  const { gateway } = context;
  const [pending, drafts] = await Promise.all([gateway.listPending(), gateway.listDrafts()]);
  const found = context.isRemote
    ? await Promise.all(pending.map(({ approvalId }) => findApproval(context, approvalId, session)))
    : pending.map((approval) => ({ approval }));
  const readable = found.flatMap((each) => (each === undefined ? [] : [each.approval]));
  const viewer = viewerOf(context, session, '');
  const suspension = await suspensionFor(context, session);
  const own = isOwner(context, session) ? drafts : [];
  const around = { drafts: own, clock: context.clock(), viewer, suspension };
  return htmlAnswer(renderList(readable, around));
}

/** What the owner approved again and again is nobody else's business. */
function isOwner(context: PageContext, session: PageSession | undefined): boolean {
  return session === undefined ? !context.isRemote : session.person.handle === context.principal;
}

/** Whether the mandate is suspended, and what this reader can do about it. */
async function suspensionFor(
  context: PageContext,
  session: PageSession | undefined,
): Promise<Suspension | undefined> {
  const { mandate } = await context.gateway.status();
  if (mandate !== 'suspended') return undefined;
  const people = session?.people ?? (await peopleOf(context));
  const person = session?.person ?? personOfHandle(people, context, context.principal);
  if (person?.handle !== context.principal) return { form: undefined };
  const { rpId } = context.site;
  return {
    form: {
      csrf: tokenOf(context, session, liftForm),
      passcode: context.passcodes.stringOf(person) !== undefined,
      passkey: people.credentials.some(
        (key) => key.personId === person.personId && key.rpId === rpId && key.status === 'active',
      ),
    },
  };
}

async function approvalPage(
  context: PageContext,
  approvalId: string,
  session: PageSession | undefined,
): Promise<HttpAnswer> {
  const found = await findApproval(context, approvalId, session);
  if (found === undefined) return faultPage('NOT_FOUND');
  const csrf = tokenOf(context, session, answerForm(approvalId, found.approval.opHash));
  const answering = await answeringOf(context, found, session);
  const viewer = viewerOf(context, session, `/a/${approvalId}`);
  return htmlAnswer(renderApproval({ ...found, csrf, answering, viewer }, context.clock()));
}

function viewerOf(
  context: PageContext,
  session: PageSession | undefined,
  signIn: string,
): PageViewer {
  if (session === undefined) return { signIn };
  return { name: session.person.name, signOut: tokenOf(context, session, signOutForm) };
}

const answerPath = /^\/a\/([0-9a-f]{32})\/answer$/;

const formOf: ReadonlyMap<string, (context: PageContext, call: FormCall) => Promise<HttpAnswer>> =
  new Map([
    ['/sign-in', signIn],
    ['/sign-in/passkey', (context, call) => askPasskey(context, call, signInForm)],
    ['/sign-out', signOut],
    ['/mandate/resume', liftSuspension],
    ['/mandate/resume/passkey', (context, call) => askPasskey(context, call, liftForm)],
    ['/enrol', enrol],
    ['/enrol/passkey', askEnrolment],
  ]);

async function takeForm(
  context: PageContext,
  { origin }: PageAddress,
  { request, path }: { readonly request: IncomingMessage; readonly path: string },
): Promise<HttpAnswer> {
  const approvalId = answerPath.exec(path)?.[1];
  const form = formOf.get(path);
  if (approvalId === undefined && form === undefined) return faultAnswer('NOT_FOUND');
  const call: FormCall = { request, origin, session: await readSession(context, request) };
  if (form !== undefined) return form(context, call);
  return answerRequest(context, { ...call, approvalId: approvalId ?? '' });
}
