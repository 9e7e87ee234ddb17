// The list of open requests, and below it what was approved again and again.
import type { PendingApproval, ShownDraft } from '../gateway/gateway.ts';
import { html, type Markup, shown } from './html.ts';
import { pageFrame } from './page-frame.ts';
import { draftsPart } from './render-history.ts';
import { type Clock, instant, span } from './time-words.ts';

export function renderList(
  requests: readonly PendingApproval[],
  drafts: readonly ShownDraft[],
  clock: Clock,
): string {
  const main = html`<h1>Open requests</h1>
${
  requests.length === 0
    ? html`<p>Nothing waits for you.</p>`
    : html`<ul class="requests">${requests.map((request) => requestItem(request, clock))}</ul>`
}
${draftsPart(drafts, clock)}`;
  return pageFrame({ title: 'Open requests', main, isList: true });
}

function requestItem({ approvalId, sentence, expiresMs }: PendingApproval, clock: Clock): Markup {
  const leftMs = expiresMs - clock.nowMs;
  const left = leftMs > 0 ? `, in ${span(leftMs)}` : '';
  return html`
<li><a href="/a/${approvalId}">${shown(sentence)}</a>
<span class="hint">Expires ${instant(expiresMs, clock.zone)}${left}</span></li>`;
}
