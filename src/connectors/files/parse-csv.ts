// Comma-separated values by RFC 4180: quoted cells may hold commas, quotes (doubled) and line breaks.

export type CsvTable =
  | { readonly ok: true; readonly rows: readonly (readonly string[])[] }
  | { readonly ok: false; readonly message: string; readonly line: number };

const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Rows of cells; empty lines are skipped. A quote inside a bare cell or after a closed one is an error. */
export function parseCsv(text: string): CsvTable {
  const rows: string[][] = [];
  let row: string[] = [];
  cell.lastIndex = 0;
  while (cell.lastIndex < text.length) {
    const start = cell.lastIndex;
    const match = cell.exec(text);
    if (match === null) return { ok: false, message: 'has a quote in the wrong place', line: lineAt(text, start) };
    row.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
    if (match[3] === ',') {
      if (cell.lastIndex === text.length) row.push('');
      continue;
    }
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  if (row.length > 1) rows.push(row);
  return { ok: true, rows };
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
