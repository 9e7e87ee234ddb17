import { describe, expect, it } from 'vitest';
import { type CsvFault, csvRows } from './parse-csv.ts';

/** Cells of each row, or the fault with its line. */
function parse(text: string): readonly (readonly string[])[] | CsvFault {
  const rows = csvRows(text);
  const cells: (readonly string[])[] = [];
  for (;;) {
    const next = rows.next();
    if (next.done) return next.value ?? cells;
    cells.push(next.value.cells);
  }
}

describe('csvRows', () => {
  it('reads rows with either line end, and a last one without', () => {
    expect(parse('a,b\n1,2\r\n3,4')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ]);
    expect(parse('')).toEqual([]);
  });

  it('keeps commas, doubled quotes and line breaks of quoted cells', () => {
    expect(parse('"a, b","say ""hi""","two\nlines"\n"",x,')).toEqual([
      ['a, b', 'say "hi"', 'two\nlines'],
      ['', 'x', ''],
    ]);
  });

  it('keeps spaces and empty cells, and leaves out empty lines', () => {
    expect(parse(' a ,,\n\n\nb,,\n')).toEqual([
      [' a ', '', ''],
      ['b', '', ''],
    ]);
  });

  it('tells the line in which a row begins', () => {
    const rows = [...csvRows('a\n"x\ny"\n\nb\n')];
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it('names the line of a quote in the wrong place', () => {
    expect(parse('a,b\n1,x"y"\n')).toEqual({
      line: 2,
      message:
        'has a quote inside a cell without quotes: put the whole cell in quotes and double the inner ones',
    });
    expect(parse('a,b\n"x\n\ny" z,2\n')).toEqual({
      line: 4,
      message: 'has text after a closed quote, or a line that ends in CR alone',
    });
    expect(parse('a\nb\rc\n')).toMatchObject({ line: 2 });
    expect(parse('a\n\n"never')).toEqual({ line: 3, message: 'has a quote that is never closed' });
  });

  it('reads a very long cell', () => {
    const cell = 'x""'.repeat(200_000);
    expect(parse(`"${cell}"`)).toEqual([[cell.replaceAll('""', '"')]]);
  });
});
