// The page of one request. The order of its parts is fixed: what, where from, before, who, warnings,
// the hash, and the agent's own words last.
import type { ApprovalState } from '../core/operation.ts';
import type { ApprovalDetail, PendingApproval, ShownValue } from '../gateway/gateway.ts';
import { stateWords } from './approval-states.ts';
import { isUnsourced, sourceLine, valueNotes } from './describe-value.ts';
import { html, type Markup, shown } from './html.ts';
import { closedTextId, renderText } from './long-text.ts';
import { pageFrame } from './page-frame.ts';
import { historyPart } from './render-history.ts';
import { type Clock, instant, span } from './time-words.ts';

/** One request as it is shown. */
export interface ShownApproval {
  readonly approval: PendingApproval;
  /** As of now: a request whose time is over is EXPIRED. */
  readonly state: ApprovalState;
  readonly detail: ApprovalDetail;
  readonly csrf: string;
}

/** Names of the texts that start closed: an approval must say that each was opened. */
export function closedTexts(detail: ApprovalDetail): ReadonlySet<string> {
  const texts = [...detail.values.map((value) => value.display), detail.rest ?? ''];
  return new Set(texts.map(closedTextId).filter((id) => id !== undefined));
}

export function renderApproval(request: ShownApproval, clock: Clock): string {
  const { approval, state, detail } = request;
  const { title, sentence, tone } = stateWords[state];
  const main = html`<p class="state ${tone}" role="status"><strong>${title}.</strong> ${sentence}</p>
<h1>${shown(approval.sentence)}</h1>
${valuesPart(detail.values, clock)}
${historyPart(detail.history)}
${askerPart(request, clock)}
${warningsPart(detail.reasons)}
${hashPart(detail.opHash)}
${restPart(detail.rest)}
${answerPart(request)}`;
  return pageFrame({ title: 'Approval request', main });
}

function valuesPart(values: readonly ShownValue[], clock: Clock): Markup {
  if (values.length === 0) {
    return html`<section><h2>What will be done</h2><p>This action has no parameters.</p></section>`;
  }
  return html`<section>
<h2>What will be done</h2>
<dl class="values">${values.map((value) => valuePart(value, clock))}</dl>
</section>`;
}

function valuePart(value: ShownValue, clock: Clock): Markup {
  const { label, path, display } = value;
  const at = path === label ? undefined : html` <code>${shown(path)}</code>`;
  return html`
<div class="value">
<dt>${shown(label)}${at}</dt>
<dd>${renderText(display)}</dd>
<dd class="${isUnsourced(value) ? 'source agent' : 'source'}">${sourceLine(value, clock)}</dd>
${valueNotes(value).map((note) => html`<dd class="${note.isQuiet ? 'hint' : 'note'}">${note.text}</dd>`)}
</div>`;
}

function askerPart({ approval, detail, state }: ShownApproval, clock: Clock): Markup {
  const leftMs = approval.expiresMs - clock.nowMs;
  const isWaiting = state === 'REQUESTED' || state === 'GRANTED';
  return html`<section>
<h2>Who asks</h2>
<dl class="facts">
<div><dt>Agent</dt><dd>${shown(detail.agent)}</dd></div>
<div><dt>For</dt><dd>${shown(detail.principal)}</dd></div>
<div><dt>Action</dt><dd><code>${shown(detail.action)}</code> on the server <code>${shown(detail.server)}</code></dd></div>
<div><dt>Level</dt><dd>${levelWords(approval.level)}</dd></div>
<div><dt>Asked</dt><dd>${instant(detail.createdMs, clock.zone)}</dd></div>
<div><dt>${isWaiting ? 'Expires' : 'Valid until'}</dt><dd>${instant(approval.expiresMs, clock.zone)}${
    isWaiting ? `, in ${span(leftMs)}` : ''
  }</dd></div>
</dl>
</section>`;
}

const levelWords = (level: 1 | 2): string =>
  level === 1
    ? '1: your own answer is enough, no other person is needed'
    : '2: another person has to answer; this page cannot take that answer yet';

function warningsPart(reasons: readonly string[]): Markup {
  const items = reasons.map((reason) => html`<li>${shown(reason)}</li>`);
  const list = reasons.length === 0 ? html`<p>None.</p>` : html`<ul class="warnings">${items}</ul>`;
  return html`<section><h2>Warnings, and why you are asked</h2>${list}</section>`;
}

function hashPart(opHash: string): Markup {
  return html`<section>
<h2>Hash of the operation</h2>
<details class="hash"><summary><code>${opHash.slice(0, 8)}…${opHash.slice(-8)}</code></summary>
<p><code>${opHash}</code></p></details>
<p class="hint">Your answer counts for exactly this operation. If anything in it changes, it is void.</p>
</section>`;
}

function restPart(rest: string | undefined): Markup | undefined {
  if (rest === undefined) return undefined;
  return html`<section class="untrusted">
<h2>Untrusted: other arguments of the agent</h2>
<p class="hint">No contract describes these and no source was asked. They are sent as they stand here.</p>
${renderText(rest)}
</section>`;
}

/** Reading works without the script; only answering needs it. */
function answerPart({ approval, state, csrf }: ShownApproval): Markup | undefined {
  if (approval.level !== 1 || (state !== 'REQUESTED' && state !== 'GRANTED')) return undefined;
  const isOpen = state === 'REQUESTED';
  return html`<section id="answer" data-request="${approval.approvalId}" data-op-hash="${approval.opHash}" data-csrf="${csrf}">
<h2>${isOpen ? 'Your answer' : 'Take it back'}</h2>
<p class="hint">${
    isOpen
      ? 'Approving and rejecting both need the passcode of the owner, typed for this operation.'
      : 'Until it is used you can still reject it, with the passcode of the owner.'
  } Use the mouse, a finger or the space bar: the Enter key does nothing here.</p>
<label for="passcode">Passcode</label>
<input id="passcode" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="256">
<label for="reason">Reason <span class="optional">(optional, kept in the receipt)</span></label>
<input id="reason" type="text" autocomplete="off" maxlength="500">
<div class="buttons">
${isOpen ? html`<button type="button" id="approve" disabled>Approve</button>` : undefined}
<button type="button" id="reject" disabled>Reject</button>
</div>
<p id="message" role="alert"></p>
<noscript><p class="note">Answering needs JavaScript. Reading does not.</p></noscript>
</section>`;
}
