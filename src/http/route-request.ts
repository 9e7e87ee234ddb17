// The whole page: four things to read and one to send. Nothing else exists here.
import type { IncomingMessage } from 'node:http';
import { answerRequest } from './answer-request.ts';
import { findApproval } from './find-approval.ts';
import { faultAnswer, faultPage, type HttpAnswer, htmlAnswer } from './http-answer.ts';
import type { PageContext, PageGateway } from './page-context.ts';
import type { PageFaultCode } from './page-faults.ts';
import { renderApproval } from './render-approval.ts';
import { renderList } from './render-list.ts';
import { requestPath } from './request-path.ts';
import type { Clock } from './time-words.ts';

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
    return readPage(context, path);
  }
  if (request.method === 'POST') return takeAnswer(context, address, { request, path });
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

async function readPage(context: PageContext, path: string): Promise<HttpAnswer> {
  const asset = context.assets.get(path);
  if (asset !== undefined) return { status: 200, ...asset };
  const clock = context.clock();
  if (path === '/') return listAnswer(context.gateway, clock);
  const approvalId = /^\/a\/([0-9a-f]{32})$/.exec(path)?.[1];
  if (approvalId === undefined && answerPath.test(path)) {
    return { ...faultPage('METHOD_NOT_ALLOWED'), headers: { Allow: 'POST' } };
  }
  if (approvalId === undefined) return faultPage('NOT_FOUND');
  const found = await findApproval(context, approvalId);
  if (found === undefined) return faultPage('NOT_FOUND');
  const csrf = context.csrf.issue({ approvalId, opHash: found.approval.opHash });
  return htmlAnswer(renderApproval({ ...found, csrf }, clock));
}

async function listAnswer(gateway: PageGateway, clock: Clock): Promise<HttpAnswer> {
  const [requests, drafts] = await Promise.all([gateway.listPending(), gateway.listDrafts()]);
  return htmlAnswer(renderList(requests, drafts, clock));
}

const answerPath = /^\/a\/([0-9a-f]{32})\/answer$/;

async function takeAnswer(
  context: PageContext,
  { origin }: PageAddress,
  { request, path }: { readonly request: IncomingMessage; readonly path: string },
): Promise<HttpAnswer> {
  const approvalId = answerPath.exec(path)?.[1];
  if (approvalId === undefined) return faultAnswer('NOT_FOUND');
  return answerRequest(context, { approvalId, request, origin });
}
