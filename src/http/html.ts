// HTML that cannot be broken out of: every text is escaped unless it is markup of our own.

/** A piece of markup. Only `html` and `shown` make one. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Part[] | undefined;

/** Template tag: texts are escaped, markup and lists of it go in as they are, undefined is nothing. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = pieces[0] ?? '';
  parts.forEach((part, at) => {
    text += render(part) + (pieces[at + 1] ?? '');
  });
  return new Markup(text);
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(render).join('');
  return escapeHtml(String(part));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => entities[character] ?? '');
}

/** Everything that a reader cannot see: controls, formats, fillers, spaces other than the plain one. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;
const hiddenInLines = new RegExp(`(?![\\n\\t])(?:${hidden.source})`, 'gu');

/** A text of somebody else on one line, isolated from the direction of what surrounds it. */
export function shown(text: string): Markup {
  return isolate(text, hidden);
}

/** The same in a box of its own, where line breaks and tabs keep their places. */
export function shownInLines(text: string): Markup {
  return isolate(text.replaceAll('\r\n', '\n'), hiddenInLines);
}

/** What is left of a text when everything that `shownInLines` writes by its number is taken out. */
export function withoutHidden(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(hiddenInLines, '');
}

function isolate(text: string, pattern: RegExp): Markup {
  let markup = '';
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    markup += `${escapeHtml(text.slice(from, found.index))}<span class="hidden">${codeName(found[0])}</span>`;
    from = found.index + found[0].length;
  }
  return new Markup(`<bdi>${markup}${escapeHtml(text.slice(from))}</bdi>`);
}

/** `U+200B` */
export function codeName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
