// The page of one request. The order of its parts is fixed: what, where from, before, who, warnings,
// the hash, and the agent's own words last.
import type { ApprovalDetail, ShownValue } from '../gateway/gateway.ts';
import { isFinal, wordsOf } from './approval-states.ts';
import { isUnsourced, sourceLine, valueNotes } from './describe-value.ts';
import type { FoundApproval } from './find-approval.ts';
import { html, type Markup, shown } from './html.ts';
import { closedTextId, renderText } from './long-text.ts';
import { type PageViewer, pageFrame } from './page-frame.ts';
import { type Answering, answerPart } from './render-answer.ts';
import { historyPart } from './render-history.ts';
import { votesPart } from './render-votes.ts';
import { stateKey } from './state-answer.ts';
import { type Clock, instant, span } from './time-words.ts';

/** One request as it is shown to one reader. */
export interface ShownApproval extends FoundApproval {
  readonly csrf: string;
  readonly viewer: PageViewer;
  readonly answering: Answering;
}

/** Names of the texts that start closed: an approval must say that each was opened. */
export function closedTexts(detail: ApprovalDetail): ReadonlySet<string> {
  const texts = [...detail.values.map((value) => value.display), detail.rest ?? ''];
  return new Set(texts.map(closedTextId).filter((id) => id !== undefined));
}

export function renderApproval(request: ShownApproval, clock: Clock): string {
  const { approval, state, detail, viewer } = request;
  const { votes, operation } = detail;
  const { title, sentence, tone } = wordsOf({ state, operation, votes: votes.length });
  const watched = isFinal(state, operation) ? '' : approval.approvalId;
  const main = html`<p class="state ${tone}" id="state" role="status" data-watch="${watched}" data-key="${stateKey(request)}"><strong>${title}.</strong> <span>${sentence}</span></p>
<h1>${shown(approval.sentence)}</h1>
${valuesPart(detail.values, clock)}
${historyPart(detail.history)}
${askerPart(request, clock)}
${votesPart(request, clock)}
${warningsPart(detail.reasons)}
${hashPart(detail.opHash)}
${restPart(detail.rest)}
${answerPart(request)}`;
  return pageFrame({ title: 'Approval request', main, viewer });
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
<div><dt>Level</dt><dd>${approval.level}</dd></div>
<div><dt>Asked</dt><dd>${instant(detail.createdMs, clock.zone)}</dd></div>
<div><dt>${isWaiting ? 'Expires' : 'Valid until'}</dt><dd>${instant(approval.expiresMs, clock.zone)}${
    isWaiting ? `, in ${span(leftMs)}` : ''
  }</dd></div>
</dl>
</section>`;
}

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
