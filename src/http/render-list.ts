// The list of open requests, and below it what was approved again and again.
import type { PendingApproval, ShownDraft } from '../gateway/gateway.ts';
import { html, type Markup, shown } from './html.ts';
import { type PageViewer, pageFrame } from './page-frame.ts';
import { draftsPart } from './render-history.ts';
import { type Clock, instant, span } from './time-words.ts';

/** What stands around and below the list. */
export interface ListContext {
  readonly drafts: readonly ShownDraft[];
  readonly clock: Clock;
  readonly viewer: PageViewer;
}

export function renderList(
  requests: readonly PendingApproval[],
  { drafts, clock, viewer }: ListContext,
): string {
  const main = html`<h1>Open requests</h1>
${
  requests.length === 0
    ? html`<p>Nothing waits for you.</p>`
    : html`<ul class="requests">${requests.map((request) => requestItem(request, clock))}</ul>`
}
${draftsPart(drafts, clock)}`;
  return pageFrame({ title: 'Open requests', main, isList: true, viewer });
}

function requestItem(
  { approvalId, sentence, expiresMs, level }: PendingApproval,
  clock: Clock,
): Markup {
  const leftMs = expiresMs - clock.nowMs;
  const left = leftMs > 0 ? `, in ${span(leftMs)}` : '';
  return html`
<li><a href="/a/${approvalId}">${shown(sentence)}</a>
<span class="hint">Expires ${instant(expiresMs, clock.zone)}${left}${level === 2 ? ', another person answers' : ''}</span></li>`;
}
