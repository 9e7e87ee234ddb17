// Builds rows that a type must refuse with one code.
import type { CorpusRow } from './hostile-spellings.ts';

interface Refusal {
  readonly type: string;
  readonly code: string;
  readonly options?: Record<string, unknown>;
}

/** One row for each text. */
export const refusals = ({ type, code, options }: Refusal, raws: readonly unknown[]): CorpusRow[] =>
  raws.map((raw) => ({
    type,
    raw,
    ...(options === undefined ? {} : { options }),
    expect: { code },
    note: `${type} refuses ${code}`,
  }));
