import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import {
  type BudgetWindow,
  type CalendarWindow,
  isZone,
  parseWindow,
  periodAt,
  windowText,
} from './budget-window.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const at = (unit: CalendarWindow['unit'], zone: string, instant: string | number): string => {
  const nowMs = typeof instant === 'number' ? instant : Date.parse(instant);
  const { id, endsMs } = periodAt({ kind: 'calendar', unit, zone }, nowMs);
  return `${id} ${new Date(endsMs).toISOString()}`;
};

describe('periodAt', () => {
  verifies('EXE-20', 'a day is the civil day of its zone', () => {
    expect(at('day', 'UTC', '2026-11-30T23:59:59.999Z')).toBe(
      '2026-11-30 2026-12-01T00:00:00.000Z',
    );
    expect(at('day', 'UTC', '2026-12-01T00:00:00Z')).toBe('2026-12-01 2026-12-02T00:00:00.000Z');
    const berlin = 'Europe/Berlin';
    expect(at('day', berlin, '2026-11-30T22:59:59.999Z')).toBe(
      '2026-11-30 2026-11-30T23:00:00.000Z',
    );
    expect(at('day', berlin, '2026-11-30T23:00:00Z')).toBe('2026-12-01 2026-12-01T23:00:00.000Z');
    expect(at('day', 'Asia/Kathmandu', '2026-11-30T18:15:00Z')).toBe(
      '2026-12-01 2026-12-01T18:15:00.000Z',
    );
  });

  // 24 h at most times, 25 and 23 at the changes: one call per half hour, sums per civil day.
  verifies('EXE-20', 'F-07: a day of a change of summer time has 23 or 25 hours', () => {
    const callsPerDay = (from: string): Readonly<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (let n = 0; n < 96; n += 1) {
        const nowMs = Date.parse(from) + n * (hourMs / 2);
        const { id } = periodAt({ kind: 'calendar', unit: 'day', zone: 'Europe/Berlin' }, nowMs);
        counts[id] = (counts[id] ?? 0) + 1;
      }
      return counts;
    };
    expect(callsPerDay('2026-10-24T22:00:00Z')).toEqual({ '2026-10-25': 50, '2026-10-26': 46 });
    expect(callsPerDay('2027-03-27T23:00:00Z')).toEqual({
      '2027-03-28': 46,
      '2027-03-29': 48,
      '2027-03-30': 2,
    });
  });

  verifies('EXE-20', 'a week belongs to the year of its Thursday and begins on Monday', () => {
    expect(at('week', 'UTC', '2026-11-30T00:00:00Z')).toBe('2026-W49 2026-12-07T00:00:00.000Z');
    expect(at('week', 'UTC', '2026-11-29T23:59:59Z')).toBe('2026-W48 2026-11-30T00:00:00.000Z');
    expect(at('week', 'UTC', '2027-01-03T00:00:00Z')).toBe('2026-W53 2027-01-04T00:00:00.000Z');
    expect(at('week', 'UTC', '2027-01-04T00:00:00Z')).toBe('2027-W01 2027-01-11T00:00:00.000Z');
    expect(at('week', 'UTC', '2024-12-30T00:00:00Z')).toBe('2025-W01 2025-01-06T00:00:00.000Z');
    // 167 hours: summer time begins on its Sunday.
    expect(at('week', 'Europe/Berlin', '2027-03-21T23:00:00Z')).toBe(
      '2027-W12 2027-03-28T22:00:00.000Z',
    );
  });

  verifies('EXE-20', 'a month ends where the next one begins, also over the year', () => {
    expect(at('month', 'UTC', '2028-02-29T12:00:00Z')).toBe('2028-02 2028-03-01T00:00:00.000Z');
    expect(at('month', 'Asia/Tokyo', '2026-12-31T14:59:59Z')).toBe(
      '2026-12 2026-12-31T15:00:00.000Z',
    );
    expect(at('month', 'Asia/Tokyo', '2026-12-31T15:00:00Z')).toBe(
      '2027-01 2027-01-31T15:00:00.000Z',
    );
  });

  it('begins where midnight does not exist, comes twice, or a whole day is left out', () => {
    const cases = [
      ['America/Sao_Paulo', '2018-11-03T23:00:00Z', '2018-11-03 2018-11-04T03:00:00.000Z'],
      ['America/Sao_Paulo', '2018-02-17T23:00:00Z', '2018-02-17 2018-02-18T03:00:00.000Z'],
      ['Atlantic/Azores', '2026-10-24T20:00:00Z', '2026-10-24 2026-10-25T00:00:00.000Z'],
      ['America/Scoresbysund', '2026-10-24T23:30:00Z', '2026-10-24 2026-10-25T02:00:00.000Z'],
      ['Pacific/Apia', '2011-12-29T23:00:00Z', '2011-12-29 2011-12-30T10:00:00.000Z'],
      ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31 2011-12-31T10:00:00.000Z'],
    ] as const;
    for (const [zone, instant, period] of cases)
      expect(at('day', zone, instant), zone).toBe(period);
  });

  verifies('EXE-20', 'every instant lies in one period, and its end begins the next one', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
    ];
    const instants = fc.integer({
      min: Date.parse('2020-01-01T00:00:00Z'),
      max: Date.parse('2035-01-01T00:00:00Z'),
    });
    const units = fc.constantFrom('day' as const, 'week' as const, 'month' as const);
    fc.assert(
      fc.property(instants, units, fc.constantFrom(...zones), (nowMs, unit, zone) => {
        const window = { kind: 'calendar', unit, zone } as const;
        const { id, endsMs } = periodAt(window, nowMs);
        expect(endsMs).toBeGreaterThan(nowMs);
        expect(periodAt(window, endsMs - 1)).toEqual({ id, endsMs });
        expect(periodAt(window, endsMs).id > id).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('throws for a zone that is none', () => {
    expect(() => at('day', 'Mars/Olympus', 0)).toThrow(RangeError);
    expect([isZone('Europe/Berlin'), isZone('Mars/Olympus'), isZone('+01:00')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('windowText', () => {
  it.each<[BudgetWindow, string]>([
    [{ kind: 'life' }, 'life'],
    [{ kind: 'rolling', ms: 30 * dayMs }, '30d'],
    [{ kind: 'rolling', ms: 36 * hourMs }, '36h'],
    [{ kind: 'rolling', ms: 1_500 }, '1500ms'],
    [{ kind: 'calendar', unit: 'week', zone: 'Europe/Berlin' }, 'week:Europe/Berlin'],
  ])('writes %j as a word that parseWindow reads', (window, text) => {
    expect(windowText(window)).toBe(text);
    expect(parseWindow(text)).toEqual(window);
  });

  it.each(['', 'day', 'year:UTC', '30', '-1d', '1.5d', 'Life'])('is never `%s`', (text) => {
    expect(parseWindow(text)).toBeUndefined();
  });
});
