// Comma-separated values by RFC 4180: quoted cells may hold commas, quotes (doubled) and line breaks.

export interface CsvRow {
  readonly cells: readonly string[];
  /** 1-based line in which the row begins. */
  readonly line: number;
}

/** Why the file is no table, and in which line. */
export interface CsvFault {
  readonly message: string;
  readonly line: number;
}

const bareCell = /[^",\r\n]*/y;
const rowEnd = /\r?\n/y;

/** Rows one by one, empty lines left out; returns the first fault. A quote inside a bare cell or after a closed one is one. */
export function* csvRows(text: string): Generator<CsvRow, CsvFault | undefined> {
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const row = readRow(text, at);
    if ('faultAt' in row) {
      return { message: row.message, line: line + countLines(text.slice(at, row.faultAt)) };
    }
    if (row.cells.length > 1 || row.cells[0] !== '') yield { cells: row.cells, line };
    line += countLines(text.slice(at, row.end));
    at = row.end;
  }
  return undefined;
}

type Read<T> =
  | (T & { readonly end: number })
  | { readonly faultAt: number; readonly message: string };

function readRow(text: string, start: number): Read<{ readonly cells: readonly string[] }> {
  const cells: string[] = [];
  let at = start;
  for (;;) {
    const read = text.charAt(at) === '"' ? readQuoted(text, at) : readBare(text, at);
    if ('faultAt' in read) return read;
    cells.push(read.cell);
    if (text.charAt(read.end) !== ',') return endRow(text, { cells, end: read.end });
    at = read.end + 1;
  }
}

function endRow(
  text: string,
  row: { readonly cells: readonly string[]; readonly end: number },
): Read<{ readonly cells: readonly string[] }> {
  if (row.end === text.length) return row;
  rowEnd.lastIndex = row.end;
  if (rowEnd.test(text)) return { ...row, end: rowEnd.lastIndex };
  const isQuote = text.charAt(row.end) === '"';
  const message = isQuote
    ? 'has a quote inside a cell without quotes: put the whole cell in quotes and double the inner ones'
    : 'has text after a closed quote, or a line that ends in CR alone';
  return { faultAt: row.end, message };
}

function readBare(text: string, start: number): { readonly cell: string; readonly end: number } {
  bareCell.lastIndex = start;
  bareCell.test(text);
  return { cell: text.slice(start, bareCell.lastIndex), end: bareCell.lastIndex };
}

function readQuoted(text: string, start: number): Read<{ readonly cell: string }> {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text.charAt(at + 1) !== '"') {
      return { cell: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1 };
    }
  }
  return { faultAt: start, message: 'has a quote that is never closed' };
}

const countLines = (text: string): number => text.split('\n').length - 1;
