// What was done before, in words: comparisons with earlier operations, and drafts that follow from them.
import { moneyText } from '../core/checks/money-text.ts';
import type { HistoryNote, ShownDraft } from '../gateway/gateway.ts';
import { html, type Markup, shown } from './html.ts';
import { type Clock, day } from './time-words.ts';

export function historyPart(notes: readonly HistoryNote[]): Markup {
  const items = notes.map(
    (note) => html`<li class="${isLoud(note) ? 'loud' : 'quiet'}">${noteWords(note)}</li>`,
  );
  const list =
    notes.length === 0 ? html`<p>Nothing stands out.</p>` : html`<ul class="history">${items}</ul>`;
  return html`<section><h2>Compared with before</h2>${list}</section>`;
}

/** Worth a second look, and not just information. */
function isLoud(note: HistoryNote): boolean {
  return note.kind === 'amount_multiple' ? note.flagged : note.kind !== 'field_changed';
}

function noteWords(note: HistoryNote): Markup {
  switch (note.kind) {
    case 'first_recipient':
      return html`Nothing was done for this recipient before.`;
    case 'amount_multiple':
      return html`The amount is ${note.multiple} times the usual one: the median of the last ${note.of} is ${amount(note.median, note.currency)}.`;
    case 'field_changed':
      return html`Not as the last time for this recipient: ${shown(note.label)}`;
    case 'record_changed':
      return html`The record behind ${shown(note.label)} was changed ${daysWords(note.daysAgo)}.`;
    case 'recent_denials':
      return html`${note.count} ${note.count === 1 ? 'proposal' : 'proposals'} of this agent ${note.count === 1 ? 'was' : 'were'} refused within the last hour.`;
  }
}

function daysWords(days: number): string {
  if (days === 0) return 'less than a day ago';
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** In budget units; half a unit, which a median can be, is rounded up. */
function amount(units: number, currency: string | undefined): string {
  return currency === undefined ? String(units) : moneyText(Math.round(units), currency);
}

/** Below the list of requests: what the owner could allow for a while, by an act of its own. */
export function draftsPart(drafts: readonly ShownDraft[], { zone }: Clock): Markup | undefined {
  if (drafts.length === 0) return undefined;
  const items = drafts.map(
    ({ action, recipient, ceiling, currency, basis, expiresMs }) => html`
<li>You approved this ${basis.length === 3 ? 'three' : basis.length} times: <code>${shown(action)}</code> to ${
      recipient === undefined ? 'a recipient that was erased' : shown(recipient)
    }, up to ${amount(ceiling, currency)}.
<span class="hint">Drafted as an amendment of the mandate until ${day(expiresMs, zone)}. It allows nothing until it is signed.</span></li>`,
  );
  return html`<section><h2>Approved again and again</h2><ul class="drafts">${items}</ul></section>`;
}
