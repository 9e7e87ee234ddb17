// What commands print: the answer on stdout, everything else on stderr.

export interface Output {
  readonly isJson: boolean;
  /** The answer: one JSON object with `--json`, else the lines. */
  answer(data: Readonly<Record<string, unknown>>, lines: readonly string[]): void;
  /** One line for the person at the terminal. */
  note(line: string): void;
}

export function createOutput(isJson: boolean): Output {
  return {
    isJson,
    answer: (data, lines) => {
      process.stdout.write(isJson ? `${JSON.stringify(data)}\n` : `${lines.join('\n')}\n`);
    },
    note: (line) => {
      process.stderr.write(`${line}\n`);
    },
  };
}

/** Columns aligned by spaces; the last one is free. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, column) => Math.max(known[column] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  '),
  );
}
