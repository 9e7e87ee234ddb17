// Instants as a person reads them: with their zone, and how far away they are.
import { html, type Markup } from './html.ts';

/** The clock and the zone of the person, who sits at this computer. */
export interface Clock {
  readonly nowMs: number;
  /** IANA name, for example `Europe/Berlin`. */
  readonly zone: string;
}

/** `30 Nov 2026, 14:27 GMT+01:00 (Europe/Berlin)` */
export function instant(atMs: number, zone: string): Markup {
  const date = new Date(atMs);
  const name = zone === 'UTC' ? '' : ` (${zone})`;
  const text = `${formatsOf(zone).instant.format(date)}${name}`;
  return html`<time datetime="${date.toISOString()}">${text}</time>`;
}

/** `2026-11-30`, in the zone. */
export function day(atMs: number, zone: string): Markup {
  const date = new Date(atMs);
  const text = formatsOf(zone).day.format(date);
  return html`<time class="day" datetime="${date.toISOString()}">${text}</time>`;
}

interface Formats {
  readonly zone: string;
  readonly instant: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
}

// A formatter costs a thousand times as much to make as to use, and a page has one zone.
let last: Formats | undefined;

function formatsOf(timeZone: string): Formats {
  if (last?.zone === timeZone) return last;
  last = {
    zone: timeZone,
    instant: new Intl.DateTimeFormat('en-GB', {
      timeZone,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'longOffset',
    }),
    day: new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }),
  };
  return last;
}

const units: readonly (readonly [name: string, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `14 minutes`, `3 days`; the largest unit that fits, rounded down. */
export function span(ms: number): string {
  for (const [name, unitMs] of units) {
    const count = Math.floor(ms / unitMs);
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'}`;
  }
  return 'less than a minute';
}

/** `14 minutes ago`; a time that lies ahead is today's clock being wrong, and is said plainly. */
export function ago(atMs: number, nowMs: number): string {
  return atMs > nowMs ? 'a date that lies ahead' : `${span(nowMs - atMs)} ago`;
}
