// What a page or mail program makes of a text: tags, comments, escapes and emphasis disappear, and
// the targets of links and pictures are opened although nobody reads them.

const inlineNames = 'a|b|i|u|s|em|strong|span|font|wbr|sub|sup|small|mark|code|tt|big';
const inlineTag = new RegExp(
  `<!--[^>]{0,500}-->|</?(?:${inlineNames})(?:\\s[^<>]{0,500})?/?>`,
  'giu',
);
const otherTag = /<\/?[a-z][^<>]{0,500}>/giu;
const escaped = /\\([!-/:-@[-`{-~])/gu;
const emphasis =
  /(?<=[.@:/])[*`~]{1,3}(?=[\p{L}\p{N}*`~])|(?<=[\p{L}\p{N}*`~])[*`~]{1,3}(?=[.@:/])/gu;

/** The text without tags, escapes and emphasis; block tags become spaces. */
export function strippedMarkup(text: string): string {
  let rest = text;
  if (rest.includes('<')) rest = rest.replace(inlineTag, '').replace(otherTag, ' ');
  if (rest.includes('\\')) rest = rest.replace(escaped, '$1');
  return /[*`~]/u.test(rest) ? rest.replace(emphasis, '') : rest;
}

const attributes =
  'href|src|srcset|action|formaction|background|cite|data|poster|ping|content|longdesc|manifest';
const attribute = new RegExp(
  `(?<![\\w-])(?:${attributes})\\s{0,3}=\\s{0,3}` +
    `(?:"([^"]{1,2048})"|'([^']{1,2048})'|([^\\s"'>]{1,2048}))`,
  'giu',
);
const styleTarget = /\burl\(\s{0,3}["']?([^"')]{1,2048})/giu;
const markdownTarget =
  /\]\(\s{0,3}<?([^)>]{1,2048})|^[ \t]{0,3}\[[^\]\n]{1,200}\]:\s{0,3}<?([^\s>]{1,2048})/gimu;

/** Every link and picture target on its own line, without the white space that browsers drop. */
export function linkTargets(text: string): string {
  const targets: string[] = [];
  if (text.includes('=')) collect(text, attribute, targets);
  if (text.includes('(')) collect(text, styleTarget, targets);
  if (text.includes('](') || text.includes(']:')) collect(text, markdownTarget, targets);
  return targets.map(openedTarget).join('\n');
}

function collect(text: string, pattern: RegExp, targets: string[]): void {
  for (const match of text.matchAll(pattern)) {
    targets.push(match.slice(1).find((group) => group !== undefined) as string);
  }
}

/** `//host` opens the scheme of the page; tabs and line breaks inside a target do not count. */
function openedTarget(target: string): string {
  const tight = target.replace(/[\t\n\r]/gu, '').trim();
  return /^[/\\]{2}[^/\\]/u.test(tight) ? `https:${tight}` : tight;
}
