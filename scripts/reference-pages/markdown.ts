// Small pieces of Markdown.

/** Said on top of every page that a script writes. */
export const generatedNote: string =
  'This page is written by `node scripts/generate-reference.ts`: change the source, not the page.';

/** One row of a table; a bar inside a cell would end it. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
