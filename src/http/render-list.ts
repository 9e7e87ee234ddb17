// The list of open requests.
import type { PendingApproval } from '../gateway/gateway.ts';
import { html, type Markup, shown } from './html.ts';
import { type PageViewer, pageFrame } from './page-frame.ts';
import { type Clock, instant, span } from './time-words.ts';

export function renderList(
  requests: readonly PendingApproval[],
  clock: Clock,
  viewer: PageViewer,
): string {
  const main = html`<h1>Open requests</h1>
${
  requests.length === 0
    ? html`<p>Nothing waits for you.</p>`
    : html`<ul class="requests">${requests.map((request) => requestItem(request, clock))}</ul>`
}`;
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
