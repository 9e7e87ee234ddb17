// Texts of the operation: short ones as they are, long ones closed until the person opens them.
import { sha256Hex } from '../core/sha256.ts';
import { html, type Markup, shownInLines } from './html.ts';

/** Longer texts are closed; approving needs them opened. In characters. */
const openLengthMax = 2_000;
/** How the browser names an opened text: enough of its SHA-256 to tell it from the others. */
const textIdLength = 16;

/** The name of a text that starts closed; undefined for one that is shown at once. */
export function closedTextId(text: string): string | undefined {
  return isLong(text) ? sha256Hex(text).slice(0, textIdLength) : undefined;
}

export function renderText(text: string): Markup {
  if (text === '') return html`<div class="text empty">(empty)</div>`;
  if (!isLong(text)) return html`<div class="text">${shownInLines(text)}</div>`;
  const digest = sha256Hex(text);
  return html`<details class="long" data-text="${digest.slice(0, textIdLength)}">
<summary>${characterCount(text).toLocaleString('en-GB')} characters: open to read before you approve</summary>
<p class="digest">SHA-256 <code>${digest}</code></p>
<div class="text">${shownInLines(text)}</div>
</details>`;
}

const isLong = (text: string): boolean =>
  text.length > openLengthMax && characterCount(text) > openLengthMax;

const characterCount = (text: string): number => [...text].length;
