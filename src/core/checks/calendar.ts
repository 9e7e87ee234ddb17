// The Gregorian calendar in integers, without a clock and without the language's Date.

export const dayMs = 86_400_000;
const yearMin = 1970;
const yearMax = 2199;
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The years that dates and instants may name. */
export const isYear = (year: number): boolean => year >= yearMin && year <= yearMax;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Length of a month, 0 for a month that does not exist. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (monthDays[month - 1] ?? 0);
}

/** Days since 1970-01-01 of a day that exists. */
export function daysFromEpoch(year: number, month: number, day: number): number {
  let days = (year - 1970) * 365 + leapDaysBefore(year) - leapDaysBefore(1970) + day - 1;
  for (let m = 1; m < month; m += 1) days += daysInMonth(year, m);
  return days;
}

const leapDaysBefore = (year: number): number =>
  Math.floor((year - 1) / 4) - Math.floor((year - 1) / 100) + Math.floor((year - 1) / 400);

/** UTC text with milliseconds and Z; the instant lies in or beside the years of `isYear`. */
export function utcText(ms: number): { readonly year: number; readonly text: string } {
  const days = Math.floor(ms / dayMs);
  let year = 1970 + Math.floor(days / 366);
  while (daysFromEpoch(year + 1, 1, 1) <= days) year += 1;
  let month = 1;
  while (month < 12 && daysFromEpoch(year, month + 1, 1) <= days) month += 1;
  const day = days - daysFromEpoch(year, month, 1) + 1;
  const rest = ms - days * dayMs;
  const time = [Math.floor(rest / 3_600_000), Math.floor(rest / 60_000) % 60]
    .concat(Math.floor(rest / 1000) % 60)
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return { year, text: `${date}T${time}.${String(rest % 1000).padStart(3, '0')}Z` };
}
