// Points in time. A time without offset means nothing unless the contract names a zone, and a
// local time that the zone's clocks skip or show twice means nothing either.
import type { JsonValue } from '../json-value.ts';
import { dayMs, daysFromEpoch, daysInMonth, isYear, utcText } from './calendar.ts';
import {
  accept,
  type Normalised,
  type Normaliser,
  type NormaliserOptions,
  type NormaliserRefusal,
  type NormaliserWarning,
  refuse,
} from './normaliser.ts';
import { instantsOfLocalTime, localTimeOf } from './zoned-time.ts';

const hint = 'a time with its offset, like 2026-03-14T09:30:00+01:00 or 2026-03-14T08:30:00Z';
const zoneHint = 'the offset that the zone has at this time, or a time without one';
const form =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3}))?(Z|([+-])(\d{2}):(\d{2}))?$/;

/** RFC 3339 with offset or `Z`, to the millisecond; canonical in UTC. */
export const instant: Normaliser = {
  name: 'instant',
  version: 1,
  normalise(raw: JsonValue, options: NormaliserOptions): Normalised {
    if (typeof raw !== 'string') return refuse('type', hint);
    const parts = form.exec(raw);
    if (parts === null) return refuse('form', hint);
    const localMs = localTime(parts);
    if (localMs === undefined) return refuse('range', 'a time that exists, 1970 to 2199');
    const found = parts[8] === undefined ? inZone(localMs, options) : withOffset(localMs, parts);
    if (!found.ok) return found;
    const { year, text } = utcText(found.ms);
    if (!isYear(year)) return refuse('range', 'a time of the years 1970 to 2199');
    const folds = text === raw || found.fold === undefined ? [] : [found.fold];
    if (options.zone === undefined)
      return accept(instant, { canonical: text, display: text, folds });
    const shownMs = localTimeOf(found.ms, options.zone);
    if (shownMs === undefined) return refuse('form', hint);
    // A person who wrote an offset of another place meant another time than the zone would show.
    if (parts[9] !== undefined && shownMs !== localMs) return refuse('range', zoneHint);
    const display = `${clockText(shownMs)} ${options.zone}`;
    return accept(instant, { canonical: text, display, folds });
  },
};

/** The civil time, without seconds where there are none. */
function clockText(localMs: number): string {
  const [day, time = ''] = utcText(localMs).text.slice(0, -1).split('T');
  return `${day} ${time.replace(/\.000$/, '').replace(/:00$/, '')}`;
}

interface Found {
  readonly ok: true;
  readonly ms: number;
  readonly fold: NormaliserWarning | undefined;
}

/** Milliseconds since 1970 as if the text were UTC; undefined for a day or time that is none. */
function localTime(parts: RegExpExecArray): number | undefined {
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const isDay = isYear(year) && day >= 1 && day <= daysInMonth(year, month);
  if (!isDay || hour > 23 || minute > 59 || second > 59) return undefined;
  const ms = Number((parts[7] ?? '').padEnd(3, '0'));
  const seconds = (hour * 60 + minute) * 60 + second;
  return daysFromEpoch(year, month, day) * dayMs + seconds * 1000 + ms;
}

function withOffset(localMs: number, parts: RegExpExecArray): Found | NormaliserRefusal {
  if (parts[8] === 'Z') return { ok: true, ms: localMs, fold: undefined };
  const [hours, minutes] = [Number(parts[10]), Number(parts[11])];
  if (hours > 23 || minutes > 59) return refuse('range', hint);
  const offsetMs = (hours * 60 + minutes) * 60_000 * (parts[9] === '-' ? -1 : 1);
  return { ok: true, ms: localMs - offsetMs, fold: 'OFFSET_APPLIED' };
}

function inZone(localMs: number, { zone }: NormaliserOptions): Found | NormaliserRefusal {
  const found = zone === undefined ? undefined : instantsOfLocalTime(localMs, zone);
  if (found === undefined) return refuse('form', hint);
  if (found.length > 1) return refuse('ambiguous', 'an offset: the zone shows this time twice');
  if (found[0] === undefined) return refuse('range', 'a time that the clocks of the zone show');
  return { ok: true, ms: found[0], fold: 'ZONE_APPLIED' };
}
