// The list of open requests, and below it what was approved again and again.
import type { PendingApproval, ShownDraft } from '../gateway/gateway.ts';
import { html, type Markup, shown } from './html.ts';
import { type PageViewer, pageFrame } from './page-frame.ts';
import { draftsPart } from './render-history.ts';
import { type Clock, instant, span } from './time-words.ts';

/** The mandate is suspended; `form` for the one person who can lift that. */
export interface Suspension {
  readonly form:
    | { readonly csrf: string; readonly passcode: boolean; readonly passkey: boolean }
    | undefined;
}

/** What stands around and below the list. */
export interface ListContext {
  readonly drafts: readonly ShownDraft[];
  readonly clock: Clock;
  readonly viewer: PageViewer;
  readonly suspension?: Suspension | undefined;
}

export function renderList(
  requests: readonly PendingApproval[],
  { drafts, clock, viewer, suspension }: ListContext,
): string {
  const main = html`<h1>Open requests</h1>
${suspension === undefined ? undefined : suspensionPart(suspension)}
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

function suspensionPart({ form }: Suspension): Markup {
  if (form === undefined) {
    return html`<section><h2>Suspended</h2><p>Everything is refused until the principal lifts it.</p></section>`;
  }
  const { csrf, passcode, passkey } = form;
  const field = html`<label for="passcode">Passcode</label>
<input id="passcode" type="password" autocomplete="off" maxlength="256">`;
  return html`<section id="lift" data-csrf="${csrf}">
<h2>Suspended</h2>
<p>Three requests were rejected within an hour, or somebody stopped the agent. Everything is refused until you lift it.</p>
${passcode ? field : undefined}
<div class="buttons">
${passcode ? html`<button type="button" id="lift-passcode">Lift with the passcode</button>` : undefined}
${passkey ? html`<button type="button" id="lift-passkey">Lift with a passkey</button>` : undefined}
</div>
<p id="message" role="alert"></p>
<noscript><p class="note">Lifting it needs JavaScript.</p></noscript>
</section>`;
}
