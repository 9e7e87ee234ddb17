import { describe, expect, it } from 'vitest';
import { ago, day, instant, span } from './time-words.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;

describe('time words', () => {
  it('name an instant with its zone', () => {
    const atMs = Date.UTC(2026, 10, 30, 13, 27);
    expect(instant(atMs, 'Europe/Berlin').text).toBe(
      '<time datetime="2026-11-30T13:27:00.000Z">30 Nov 2026, 14:27 GMT+01:00 (Europe/Berlin)</time>',
    );
    expect(instant(atMs, 'UTC').text).toMatch(/30 Nov 2026, 13:27 GMT(?:\+00:00)?<\/time>$/);
    expect(day(Date.UTC(2026, 10, 30, 23, 30), 'Europe/Berlin').text).toContain('2026-12-01');
  });

  it('round a span down to its largest unit', () => {
    expect(span(0)).toBe('less than a minute');
    expect(span(59 * secondMs)).toBe('less than a minute');
    expect(span(minuteMs)).toBe('1 minute');
    expect(span(hourMs - 1)).toBe('59 minutes');
    expect(span(24 * hourMs - 1)).toBe('23 hours');
    expect(span(48 * hourMs)).toBe('2 days');
  });

  it('say how long ago something was', () => {
    expect(ago(0, 3 * minuteMs)).toBe('3 minutes ago');
    expect(ago(1, 0)).toBe('a date that lies ahead');
  });
});
