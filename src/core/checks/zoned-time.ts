// Local times of a zone. The zone's rules come from the runtime; the arithmetic is ours.
import { dayMs, daysFromEpoch } from './calendar.ts';

const formatters = new Map<string, Intl.DateTimeFormat>();
const formattersMax = 64;

/**
 * The instants at which the zone's clocks show the local time: none in a gap, two when it repeats.
 * Undefined for a zone that the runtime does not know.
 */
export function instantsOfLocalTime(localMs: number, zone: string): number[] | undefined {
  const formatter = formatterOf(zone);
  if (formatter === undefined) return undefined;
  const before = offsetMs(localMs - dayMs, formatter);
  const after = offsetMs(localMs + dayMs, formatter);
  const found: number[] = [];
  for (const offset of new Set([before, after])) {
    const instant = localMs - offset;
    if (offsetMs(instant, formatter) === offset) found.push(instant);
  }
  return found;
}

/** What the zone's clocks show at an instant, as milliseconds since 1970; undefined for an unknown zone. */
export function localTimeOf(instant: number, zone: string): number | undefined {
  const formatter = formatterOf(zone);
  return formatter === undefined ? undefined : instant + offsetMs(instant, formatter);
}

function offsetMs(instant: number, formatter: Intl.DateTimeFormat): number {
  const parts = new Map<string, number>();
  for (const { type, value } of formatter.formatToParts(instant)) {
    parts.set(type, Number(value));
  }
  const part = (name: string): number => parts.get(name) as number;
  const days = daysFromEpoch(part('year'), part('month'), part('day'));
  const time = (part('hour') * 60 + part('minute')) * 60 + part('second');
  return days * dayMs + time * 1000 - Math.floor(instant / 1000) * 1000;
}

/** No offsets, and each part of a name starts with a capital: `Europe/Berlin`, `UTC`. */
const zoneForm = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/;

function formatterOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formatters.get(zone);
  if (known !== undefined || !zoneForm.test(zone)) return known;
  const made = makeFormatter(zone);
  if (made !== undefined && formatters.size < formattersMax) formatters.set(zone, made);
  return made;
}

function makeFormatter(zone: string): Intl.DateTimeFormat | undefined {
  const numeric = 'numeric';
  try {
    return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      ...{ year: numeric, month: numeric, day: numeric },
      ...{ hour: numeric, minute: numeric, second: numeric },
      hourCycle: 'h23',
      timeZone: zone,
    });
  } catch {
    return undefined;
  }
}
