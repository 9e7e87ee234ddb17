// Kinds of values that several tables of the file share.
import { z } from 'zod';

const numberMax = Number.MAX_SAFE_INTEGER;
const wholeFault = 'must be a whole number from 0 to 2^53-1';
const nameFault = 'must be a name of letters, digits, _ . or -, at most 64 long';

export const text: z.ZodString = z.string();
export const texts: z.ZodArray<z.ZodString> = z.array(text);

/** A name that other tables refer to. */
export const name: z.ZodString = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/, nameFault);

/** Days and instants of TOML become their text. */
const day = z.date().transform((date) => date.toISOString());

/** One value of a claim, an enum or an argument. */
export const scalar: z.ZodType<string | number | boolean, string | number | boolean | Date> =
  z.union([z.string(), z.number(), z.boolean(), day], {
    error: 'must be a text, a number, true/false or a day',
  });

/** A budget or a count. A fraction of zero (`5000.0`) is a whole number too. */
export const whole: z.ZodNumber = z
  .int({ error: wholeFault })
  .min(0, wholeFault)
  .max(numberMax, wholeFault);

const positiveFault = 'must be a whole number from 1 to 2^53-1';

/** The same where 0 makes no sense. */
export const positiveWhole: z.ZodNumber = z
  .int({ error: positiveFault })
  .min(1, positiveFault)
  .max(numberMax, positiveFault);

/** A whole number within bounds that the message names. */
export const within = (min: number, max: number): z.ZodNumber => {
  const fault = `must be a whole number from ${min} to ${max}`;
  return z.int({ error: fault }).min(min, fault).max(max, fault);
};

const decimalFault = 'must be a decimal such as 10 or "0.01"';

/** A bound, kept as the text of its digits. */
export const decimal: z.ZodType<string, string | number> = z
  .union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/, decimalFault)], { error: decimalFault })
  .transform(String);

const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const durationForm = /^(\d{1,9}) ?(ms|s|m|h|d)$/;
const durationFault = 'must be a time such as 30s, 15m or 12h';

/** A length of time: `90` and `"90s"` are seconds. In milliseconds. */
export const duration: z.ZodType<number, string | number> = z
  .union(
    [z.string().regex(durationForm, durationFault), z.number(durationFault).min(0, durationFault)],
    { error: durationFault },
  )
  .transform(durationMs);

function durationMs(value: string | number): number {
  if (typeof value === 'number') return Math.round(value * 1_000);
  const [, count, unit = ''] = durationForm.exec(value) ?? [];
  return Number(count) * (unitsMs[unit] ?? 0);
}

/** A length of time that is not zero. */
export const positiveDuration: z.ZodType<number, string | number> = duration.refine(
  (ms) => ms > 0,
  'must be longer than 0',
);
