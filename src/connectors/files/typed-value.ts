// A value of a record in the type that its users expect; nothing but the cells of a CSV file is converted.
import type { Canonical } from '../../core/checks/canonical-value.ts';
import { isGuardedNumber } from '../../core/checks/json-number.ts';
import type { ValueReading } from '../../core/contract.ts';
import type { RawNumber } from '../../core/json-value.ts';
import type { RecordValue } from './parse-records.ts';

export interface TypedValue {
  /** What is sent when the record is chosen. */
  readonly own: RecordValue;
  /** The digits of a number that was written as text. */
  readonly digits?: RawNumber;
  readonly reading: ValueReading;
}

export function typedValue(
  own: RecordValue,
  reading: ValueReading,
  options: { readonly isText: boolean },
): TypedValue {
  if (typeof own === 'string') return options.isText ? fromCell(own, reading) : { own, reading };
  // A registry of plain values may hold numbers that no parameter asks for as such.
  const isPlain = reading.type === 'string' && reading.normalize === undefined;
  if (!isPlain) return { own, reading };
  return {
    own,
    reading: { type: typeof own === 'number' ? 'number' : 'boolean', scale: 1, settings: {} },
  };
}

function fromCell(cell: string, reading: ValueReading): TypedValue {
  const isNumeric = reading.type === 'integer' || reading.type === 'number';
  if (isNumeric && isGuardedNumber(cell)) {
    return { own: Number(cell), digits: JSON.rawJSON(cell), reading };
  }
  const isTruth = reading.type === 'boolean' && (cell === 'true' || cell === 'false');
  return { own: isTruth ? cell === 'true' : cell, reading };
}

/** Why a value cannot be trusted as it stands; never the value itself. */
export function refusalOf(
  { normalize, type }: ValueReading,
  { detail, hint }: Extract<Canonical, { ok: false }>,
): string {
  const advice =
    normalize === 'iban'
      ? '; for accounts without valid check digits: normalize = "iban-lenient"'
      : '';
  return `is no ${normalize ?? type} (${hint ?? detail})${advice}`;
}
