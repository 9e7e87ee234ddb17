// Where a value comes from and what is odd about it, in words for the person who approves it.
import { scriptOf } from '../core/checks/code-point-sets.ts';
import { checkCritical } from '../core/checks/hygiene.ts';
import type { ShownValue } from '../gateway/gateway.ts';
import { codeName, html, type Markup, shown, withoutHidden } from './html.ts';
import { ago, type Clock, day } from './time-words.ts';

/** True for a value that nothing trusted explains: it is the agent's own. */
export const isUnsourced = (value: ShownValue): boolean => value.source === '';

/** Longest version that is shown whole; a hash is shown by its beginning. */
const versionShownMax = 20;

/** `registry vendors, record acme, version 12, changed 2026-10-01 (60 days ago)` */
export function sourceLine(value: ShownValue, clock: Clock): Markup {
  const kind = sourceKinds.find(([prefix]) => value.source.startsWith(prefix));
  if (isUnsourced(value)) return html`Written by the agent. No source is asked for this value.`;
  if (kind === undefined) return html`From ${shown(value.source)}${recordPart(value, clock)}`;
  const [prefix, words, hasRecord] = kind;
  const name = value.source.slice(prefix.length);
  const named = name === '' ? undefined : html` ${shown(name)}`;
  return html`${words}${named}${hasRecord ? recordPart(value, clock) : undefined}`;
}

const sourceKinds: readonly (readonly [prefix: string, words: string, hasRecord: boolean])[] = [
  ['registry:', 'From the registry', true],
  ['mandate:', 'From the mandate, claim', false],
  ['request', 'From your own request', false],
  ['const:', 'Fixed by the contract:', false],
];

function recordPart(value: ShownValue, clock: Clock): Markup {
  const { recordId, recordVersion, changedAtMs } = value;
  const version =
    recordVersion !== undefined && recordVersion.length > versionShownMax
      ? `${recordVersion.slice(0, 12)}…`
      : recordVersion;
  return html`${recordId === undefined ? undefined : html`, record ${shown(recordId)}`}${
    version === undefined ? undefined : html`, version ${shown(version)}`
  }${
    changedAtMs === undefined
      ? undefined
      : html`, changed ${day(changedAtMs, clock.zone)} (${ago(changedAtMs, clock.nowMs)})`
  }`;
}

/** What the person should know about this value before approving it. */
export interface ValueNote {
  readonly text: Markup;
  /** Harmless: told for completeness, not as a warning. */
  readonly isQuiet: boolean;
}

export function valueNotes({ display, warnings }: ShownValue): readonly ValueNote[] {
  const told = warnings.map((warning): ValueNote => {
    const [words, isQuiet] = warningWords.get(warning) ?? [shown(warning), false];
    return { text: html`${words}`, isQuiet };
  });
  return [...told, ...characterNotes(display).map((text) => ({ text, isQuiet: false }))];
}

const warningWords: ReadonlyMap<string, readonly [words: string, isQuiet: boolean]> = new Map([
  ['CASE_FOLDED', ['The agent wrote it with other capital letters.', true]],
  ['SPACES_REMOVED', ['The agent wrote it with other spaces.', true]],
  ['DEFAULT_PORT_REMOVED', ['The agent also named the usual port.', true]],
  ['FRAGMENT_REMOVED', ['The part after # was not compared.', true]],
  ['PATH_CHANGED', ['The agent wrote the path in another way.', true]],
  ['OFFSET_APPLIED', ['The time was converted from another offset.', true]],
  ['ZONE_APPLIED', ['The time had no zone; that of the contract was used.', true]],
  ['PATH_NOT_COMPARED', ['Only the site was compared, not the path.', false]],
  ['CHECKSUM_NOT_CHECKED', ['The check digits of this country were not checked.', false]],
  ['RESERVED_DOMAIN', ['The domain is reserved: nobody can own it.', false]],
  ['IDN', ['The domain has letters other than a to z.', false]],
] as const);

function characterNotes(display: string): readonly Markup[] {
  const notes: Markup[] = [];
  const visible = withoutHidden(display);
  if (visible !== display.replaceAll('\r\n', '\n')) {
    notes.push(html`It holds characters that cannot be seen; they are written as U+ and a number.`);
  }
  if (display.trim() !== display) notes.push(html`It starts or ends with a space or a line break.`);
  const foreign = foreignLetters(visible);
  if (foreign.length > 0) {
    notes.push(
      html`A word mixes Latin letters with letters of another alphabet: ${shown(foreign.join(', '))}`,
    );
  }
  return notes;
}

/** Foreign letters that are named. */
const namedMax = 5;

/** The letters that make a word look like one it is not, each with its number. */
function foreignLetters(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => checkCritical(line)?.reason === 'mixed_script');
  const letters = [...new Set(lines.join(''))].filter((letter) => {
    const script = scriptOf(letter.codePointAt(0) as number);
    return script !== undefined && script !== 'Latin';
  });
  return letters.slice(0, namedMax).map((letter) => `${letter} ${codeName(letter)}`);
}
