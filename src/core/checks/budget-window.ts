// The time that a budget counts: a whole life, the last days or hours, or a civil day, week or month.
import { dayMs, daysFromEpoch, utcText } from './calendar.ts';
import { instantsOfLocalTime, localTimeOf } from './zoned-time.ts';

/** A civil day, an ISO week or a month of an IANA zone. */
export interface CalendarWindow {
  readonly kind: 'calendar';
  readonly unit: 'day' | 'week' | 'month';
  readonly zone: string;
}

/** The last `ms` milliseconds: what happened at `now - ms` no longer counts. */
interface RollingWindow {
  readonly kind: 'rolling';
  readonly ms: number;
}

export type BudgetWindow = { readonly kind: 'life' } | RollingWindow | CalendarWindow;

/** One day, week or month of a calendar window. */
export interface Period {
  /** `2026-11-30`, `2026-W49` or `2026-11`. */
  readonly id: string;
  /** First instant after it. */
  readonly endsMs: number;
}

export const lifeWindow: BudgetWindow = { kind: 'life' };

const hourMs = 3_600_000;

/** One word for a window, which `parseWindow` reads: `life`, `30d`, `24h`, `1500ms`, `day:Europe/Berlin`. */
export function windowText(window: BudgetWindow): string {
  if (window.kind === 'life') return 'life';
  if (window.kind === 'calendar') return `${window.unit}:${window.zone}`;
  const { ms } = window;
  if (ms % dayMs === 0) return `${ms / dayMs}d`;
  return ms % hourMs === 0 ? `${ms / hourMs}h` : `${ms}ms`;
}

const calendarForm = /^(day|week|month):(.+)$/;
const rollingForm = /^(\d+)(d|h|ms)$/;
const unitsMs: ReadonlyMap<string, number> = new Map([
  ['d', dayMs],
  ['h', hourMs],
  ['ms', 1],
]);

/** Undefined for anything that `windowText` does not write. */
export function parseWindow(text: string): BudgetWindow | undefined {
  if (text === 'life') return lifeWindow;
  const [, unit, zone] = calendarForm.exec(text) ?? [];
  if (unit !== undefined && zone !== undefined) {
    return { kind: 'calendar', unit: unit as CalendarWindow['unit'], zone };
  }
  const [, count, scale = ''] = rollingForm.exec(text) ?? [];
  return count === undefined
    ? undefined
    : { kind: 'rolling', ms: Number(count) * (unitsMs.get(scale) as number) };
}

/** True for a zone that the runtime has rules for. */
export function isZone(zone: string): boolean {
  return localTimeOf(0, zone) !== undefined;
}

/**
 * The period of an instant, by what the clocks of the zone show: a day of a change of summer time
 * has 23 or 25 hours. Throws `RangeError` for a zone that the runtime does not know.
 */
export function periodAt({ unit, zone }: CalendarWindow, nowMs: number): Period {
  const localMs = localTimeOf(nowMs, zone);
  if (localMs === undefined) throw new RangeError(`unknown zone \`${zone}\``);
  const { id, nextDay } = civilPeriod(unit, Math.floor(localMs / dayMs));
  return { id, endsMs: startOfDay(nextDay, zone) };
}

/** Of a day counted from 1970-01-01; `nextDay` is the first one after the period. */
function civilPeriod(
  unit: CalendarWindow['unit'],
  day: number,
): { readonly id: string; readonly nextDay: number } {
  const { year, text } = utcText(day * dayMs);
  if (unit === 'day') return { id: text.slice(0, 10), nextDay: day + 1 };
  if (unit === 'week') return isoWeek(day);
  const month = Number(text.slice(5, 7));
  const nextDay = month === 12 ? daysFromEpoch(year + 1, 1, 1) : daysFromEpoch(year, month + 1, 1);
  return { id: text.slice(0, 7), nextDay };
}

/** A week belongs to the year of its Thursday; 1970-01-01 was one. */
function isoWeek(day: number): { readonly id: string; readonly nextDay: number } {
  const monday = day - ((day + 3) % 7);
  const { year } = utcText((monday + 3) * dayMs);
  const week = Math.floor((monday + 3 - daysFromEpoch(year, 1, 1)) / 7) + 1;
  return { id: `${year}-W${String(week).padStart(2, '0')}`, nextDay: monday + 7 };
}

/**
 * The instant from which on the zone's clocks show this day or a later one, for good: midnight, or
 * the end of the gap that swallowed it. Where midnight comes twice, it is the one after which the
 * day before is never shown again.
 */
function startOfDay(day: number, zone: string): number {
  const midnight = day * dayMs;
  const shows = (instant: number): number => localTimeOf(instant, zone) as number;
  const begins = (instantsOfLocalTime(midnight, zone) as number[]).filter(
    (instant) => shows(instant - 1) < midnight,
  );
  if (begins.length > 0) return Math.max(...begins);
  let [before, after] = [midnight - dayMs, midnight + dayMs];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (shows(middle) < midnight) before = middle;
    else after = middle;
  }
  return after;
}
