// What a benchmark prints: rows of figures with what was to be reached.
import type { Machine } from './machine.ts';

export interface BenchRow {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Lowest and highest of the rounds. */
  readonly min?: number;
  readonly max?: number;
  /** The figure to reach, in words. */
  readonly reach?: string;
  /** Whether it was reached; absent = no bar. */
  readonly ok?: boolean;
}

export interface BenchReport {
  readonly rows: readonly BenchRow[];
  readonly notes?: readonly string[];
}

export function printReport(
  report: BenchReport & { readonly name: string; readonly machine: Machine },
  isJson: boolean,
): void {
  const ok = report.rows.every((row) => row.ok !== false);
  if (isJson) {
    console.log(JSON.stringify({ ok, ...report }));
    return;
  }
  const { machine } = report;
  console.log(
    `${report.name}: Node ${machine.node}, SQLite ${machine.sqlite}, ${machine.cores} cores (${machine.cpu}), other programs took ${machine.othersShare ?? '?'} of them; one Ed25519 signature ${machine.signUs} µs`,
  );
  for (const row of report.rows) console.log(line(row));
  for (const note of report.notes ?? []) console.log(`  ${note}`);
}

function line({ what, value, unit, min, max, reach, ok }: BenchRow): string {
  const range = min === undefined || max === undefined ? '' : ` (${round(min)} to ${round(max)})`;
  const bar = reach === undefined ? '' : `   ${ok === false ? 'MISSES' : 'reaches'} ${reach}`;
  return `  ${what.padEnd(52)} ${String(round(value)).padStart(10)} ${unit}${range}${bar}`;
}

export const round = (value: number): number => {
  if (Math.abs(value) >= 1_000) return Math.round(value);
  return Math.round(value * 1_000) / 1_000;
};

/** Value below which this share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** A row from the figure of each round. */
export function rowOfRounds(
  [what, unit]: readonly [what: string, unit: string],
  rounds: readonly number[],
  bar?: { readonly reach: string; readonly holds: (value: number) => boolean },
): BenchRow {
  const value = median(rounds);
  const row = { what, unit, value, min: Math.min(...rounds), max: Math.max(...rounds) };
  return bar === undefined ? row : { ...row, reach: bar.reach, ok: bar.holds(value) };
}
