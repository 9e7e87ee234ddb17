// Calendar days, read by hand: the language's own parser takes days that do not exist.
import type { JsonValue } from '../json-value.ts';
import { daysInMonth, isYear } from './calendar.ts';
import { accept, type Normalised, type Normaliser, refuse } from './normaliser.ts';

const hint = 'a day as YYYY-MM-DD, 1970 to 2199';
const form = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A day of the years 1970 to 2199. */
export const date: Normaliser = {
  name: 'date',
  version: 1,
  normalise(raw: JsonValue): Normalised {
    if (typeof raw !== 'string') return refuse('type', hint);
    const parts = form.exec(raw);
    if (parts === null) return refuse('form', hint);
    const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
    const isDay = day >= 1 && day <= daysInMonth(year, month);
    if (!isYear(year) || !isDay) return refuse('range', 'a day that exists, 1970 to 2199');
    return accept(date, { canonical: raw, display: raw });
  },
};
