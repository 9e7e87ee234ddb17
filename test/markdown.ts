// What the documents hold beside words: fenced blocks, files of examples, links, headings.

/** One fenced block. */
interface FencedBlock {
  readonly language: string;
  readonly text: string;
  /** Text of the HTML comment in the line above, such as `file: intentplane.toml`. */
  readonly mark: string | undefined;
  readonly line: number;
}

/** All fenced blocks of a document, in order. */
export function fencedBlocks(markdown: string): readonly FencedBlock[] {
  const blocks: FencedBlock[] = [];
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const language = /^```(\S*)$/.exec(lines[at] ?? '')?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new Error(`line ${at + 1}: the block never ends`);
    const mark = /^<!-- (.+) -->$/.exec(lines[at - 1] ?? '')?.[1];
    const text = `${lines.slice(at + 1, end).join('\n')}\n`;
    blocks.push({ language, text, mark, line: at + 1 });
    at = end;
  }
  return blocks;
}

/** The document without its fenced blocks. */
function withoutBlocks(markdown: string): string {
  return markdown.replaceAll(/^```\S*\n[\s\S]*?^```$/gm, '');
}

/** Files of an example: `<!-- file: name -->` is a whole one, `<!-- add to: name -->` goes to its end. */
export function exampleFiles(markdown: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { mark = '', text } of fencedBlocks(markdown)) {
    const [, kind, name = ''] = /^(file|add to): (\S+)$/.exec(mark) ?? [];
    if (kind === 'file') files.set(name, text);
    if (kind === 'add to') files.set(name, `${files.get(name) ?? ''}\n${text}`);
  }
  return files;
}

/** Targets of links to other files of the repository, with their anchors. */
export function relativeLinks(markdown: string): readonly string[] {
  const links = withoutBlocks(markdown).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g);
  return [...links].map(([, target = '']) => target);
}

/** The anchors that headings get. */
export function headingAnchors(markdown: string): ReadonlySet<string> {
  const headings = withoutBlocks(markdown).matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Command lines: the lines of shell blocks, and inline code that begins with the program. */
export function commandLines(markdown: string): readonly string[] {
  const shell = fencedBlocks(markdown).filter(({ language }) => language === 'sh');
  const inline = withoutBlocks(markdown).matchAll(/`((?:intentplane(?:-mcp)?|npm|npx) [^`]+)`/g);
  return [
    ...shell.flatMap(({ text }) => text.split('\n')),
    ...[...inline].map(([, line = '']) => line),
  ];
}
