import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { daysFromEpoch, daysInMonth, utcText } from './calendar.ts';
import { date } from './date.ts';
import { instant } from './instant.ts';
import type { Normaliser, NormaliserOptions } from './normaliser.ts';

const canonicalOf = (
  normaliser: Normaliser,
  raw: unknown,
  options: NormaliserOptions = {},
): unknown => {
  const result = normaliser.normalise(raw as string, options);
  return result.ok ? result.canonical : result.code;
};
const dayMs = 86_400_000;
const firstDay = Date.UTC(1970, 0, 1) / dayMs;
const lastDay = Date.UTC(2199, 11, 31) / dayMs;

describe('date', () => {
  verifies('VAL-15', 'takes the days that exist and no others', () => {
    for (let year = 1969; year <= 2200; year += 1) {
      for (const [month, day] of [
        [1, 1],
        [2, 28],
        [2, 29],
        [2, 30],
        [4, 31],
        [12, 31],
        [13, 1],
        [0, 1],
        [6, 0],
      ] as const) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const time = Date.UTC(year, month - 1, day);
        const isDay = new Date(time).toISOString().startsWith(text) && year > 1969 && year < 2200;
        expect(canonicalOf(date, text), text).toBe(isDay ? text : 'range');
      }
    }
  });

  verifies('VAL-15', 'refuses other spellings', () => {
    for (const raw of ['2026-1-5', '01/02/2026', '2026-01-05Z', ' 2026-01-05', '２026-01-05', '']) {
      expect(canonicalOf(date, raw), raw).toBe('form');
    }
    expect(canonicalOf(date, 20_260_105)).toBe('type');
  });
});

describe('calendar', () => {
  it('agrees with the proleptic Gregorian calendar day by day', () => {
    const wrong: string[] = [];
    for (let days = firstDay; days <= lastDay; days += 1) {
      const expected = new Date(days * dayMs).toISOString();
      const [year, month, day] = expected.slice(0, 10).split('-').map(Number);
      const back = daysFromEpoch(year ?? 0, month ?? 0, day ?? 0);
      if (back !== days || utcText(days * dayMs).text !== expected) wrong.push(expected);
    }
    expect(wrong).toEqual([]);
  });

  it('knows no thirteenth month', () => {
    expect(daysInMonth(2026, 13)).toBe(0);
    expect(daysInMonth(2026, 0)).toBe(0);
  });
});

describe('instant', () => {
  verifies('VAL-15', 'gives UTC with milliseconds', () => {
    expect(canonicalOf(instant, '2026-03-14T09:30:00Z')).toBe('2026-03-14T09:30:00.000Z');
    expect(instant.normalise('2026-03-14T09:30:00.5+05:30', {})).toMatchObject({
      canonical: '2026-03-14T04:00:00.500Z',
      display: '2026-03-14T04:00:00.500Z',
      warnings: ['OFFSET_APPLIED'],
    });
    expect(canonicalOf(instant, '2026-12-31T23:30:00-01:00')).toBe('2027-01-01T00:30:00.000Z');
  });

  verifies('VAL-15', 'refuses what is no point in time', () => {
    const rows: readonly [unknown, string][] = [
      ['2026-03-14T09:30:00', 'form'],
      ['2026-03-14T09:30:00.1234Z', 'form'],
      ['2026-03-14 09:30:00Z', 'form'],
      ['2026-03-14t09:30:00z', 'form'],
      ['2026-02-30T09:30:00Z', 'range'],
      ['2026-03-14T24:00:00Z', 'range'],
      ['2026-03-14T09:60:00Z', 'range'],
      ['2026-03-14T09:30:60Z', 'range'],
      ['2026-03-14T09:30:00+24:00', 'range'],
      ['2026-03-14T09:30:00+01:60', 'range'],
      ['1970-01-01T00:30:00+01:00', 'range'],
      ['2199-12-31T23:30:00-01:00', 'range'],
      [1_773_480_600, 'type'],
    ];
    for (const [raw, code] of rows) expect(canonicalOf(instant, raw), String(raw)).toBe(code);
  });

  verifies('VAL-15', 'reads local times of a zone, but none that it skips or shows twice', () => {
    const berlin = { zone: 'Europe/Berlin' };
    const rows: readonly [string, string][] = [
      ['2026-03-29T01:59:59.999', '2026-03-29T00:59:59.999Z'],
      ['2026-03-29T02:00:00', 'range'],
      ['2026-03-29T02:59:59', 'range'],
      ['2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
      ['2026-10-25T01:59:59', '2026-10-24T23:59:59.000Z'],
      ['2026-10-25T02:00:00', 'ambiguous'],
      ['2026-10-25T02:59:59', 'ambiguous'],
      ['2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
    ];
    for (const [raw, expected] of rows)
      expect(canonicalOf(instant, raw, berlin), raw).toBe(expected);
    expect(instant.normalise('2026-07-01T12:00:00', berlin)).toMatchObject({
      warnings: ['ZONE_APPLIED'],
    });
    expect(canonicalOf(instant, '2011-12-30T12:00:00', { zone: 'Pacific/Apia' })).toBe('range');
    expect(canonicalOf(instant, '2026-07-01T12:00:00', { zone: 'Asia/Kolkata' })).toBe(
      '2026-07-01T06:30:00.000Z',
    );
    expect(canonicalOf(instant, '2026-04-05T02:45:00', { zone: 'Australia/Lord_Howe' })).toBe(
      '2026-04-04T16:15:00.000Z',
    );
    expect(canonicalOf(instant, '2026-04-05T01:45:00', { zone: 'Australia/Lord_Howe' })).toBe(
      'ambiguous',
    );
  });

  verifies(
    'VAL-15',
    'takes an offset that the zone has, and shows the civil time of the zone',
    () => {
      const seoul = { zone: 'Asia/Seoul' };
      const shown = (raw: string, options: NormaliserOptions): unknown => {
        const read = instant.normalise(raw, options);
        return read.ok ? read.display : read.code;
      };
      expect(shown('2026-09-30T00:00:00+09:00', seoul)).toBe('2026-09-30 00:00 Asia/Seoul');
      expect(shown('2026-09-30T00:00:00Z', seoul)).toBe('2026-09-30 09:00 Asia/Seoul');
      expect(shown('2026-09-30T00:00:05.250Z', seoul)).toBe('2026-09-30 09:00:05.250 Asia/Seoul');
      expect(shown('2026-04-07T09:00:00+02:00', { zone: 'Europe/Berlin' })).toBe(
        '2026-04-07 09:00 Europe/Berlin',
      );
      expect(shown('2026-04-07T09:00:00+01:00', { zone: 'Europe/Berlin' })).toBe('range');
      expect(shown('2026-10-25T02:30:00+01:00', { zone: 'Europe/Berlin' })).toBe(
        '2026-10-25 02:30 Europe/Berlin',
      );
      expect(shown('2026-07-01T12:00:00Z', { zone: 'Europe/Nowhere' })).toBe('form');
    },
  );

  it('refuses a zone that nobody knows', () => {
    for (const zone of ['Europe/Nowhere', 'europe/berlin', '+02:00', '']) {
      expect(canonicalOf(instant, '2026-07-01T12:00:00', { zone }), zone).toBe('form');
    }
  });

  it('stays right with more zones than it remembers', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      expect(canonicalOf(instant, '2026-07-01T12:00:00', { zone }), zone).toMatch(/^2026-0[67]/);
    }
  });

  it('reads back every instant', () => {
    const max = Date.UTC(2200, 0, 1) - 1;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max }),
        fc.integer({ min: -839, max: 839 }),
        (ms, offset) => {
          const utc = new Date(ms).toISOString();
          expect(canonicalOf(instant, utc)).toBe(utc);
          const local = new Date(ms + offset * 60_000).toISOString().slice(0, -1);
          const hours = String(Math.trunc(Math.abs(offset) / 60)).padStart(2, '0');
          const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
          const read = canonicalOf(instant, `${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`);
          expect([utc, 'range']).toContain(read);
          if (ms > dayMs && ms < max - dayMs) expect(read).toBe(utc);
        },
      ),
      { numRuns: 500 },
    );
  });
});
