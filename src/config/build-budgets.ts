// The budgets of `[mandate]`: over its whole life, and over a period.
import { type BudgetWindow, isZone } from '../core/checks/budget-window.ts';
import { currencyExponents } from '../core/checks/tables/currencies.ts';
import type { BudgetDraft } from '../core/moves/plan-mandate.ts';
import type { Report } from './build-context.ts';
import type { MandateShape } from './file-shape.ts';
import { given } from './given.ts';
import { hint } from './nearest-key.ts';

const dayMs = 86_400_000;
/** Longest rolling period: a leap year. */
const periodMaxMs = 366 * dayMs;

/** Life budgets first. What is at fault is reported and left out. */
export function buildBudgets(mandate: MandateShape, report: Report): readonly BudgetDraft[] {
  const { budget, calls, period_budget: periodBudget } = mandate;
  const currency = readCurrency(mandate, report);
  const window = readWindow(mandate, report);
  const amount = { kind: 'amount', ...given({ currency }) } as const;
  return [
    ...(budget === undefined ? [] : [{ ...amount, limit: budget }]),
    ...(calls === undefined ? [] : [{ kind: 'calls', limit: calls } as const]),
    ...(periodBudget === undefined || window === undefined
      ? []
      : [{ ...amount, limit: periodBudget, window }]),
  ];
}

function readCurrency(
  { currency, budget, period_budget: periodBudget }: MandateShape,
  report: Report,
): string | undefined {
  if (currency === undefined) return undefined;
  if (!currencyExponents.has(currency)) {
    const known = [...currencyExponents.keys()];
    const fix = hint(currency.toUpperCase(), known) || ': write its three capitals';
    report(['currency'], `\`${currency}\` is no ISO 4217 currency${fix}`);
    return undefined;
  }
  if (budget === undefined && periodBudget === undefined) {
    report(
      ['currency'],
      'is the currency of no budget: add `budget` or `period_budget`, or remove it',
    );
  }
  return currency;
}

function readWindow(mandate: MandateShape, report: Report): BudgetWindow | undefined {
  const { period, period_budget: periodBudget, zone } = mandate;
  if (period === undefined) {
    if (periodBudget !== undefined) {
      report(['period_budget'], 'needs its period: add one, such as period = "30d" or "month"');
    } else if (zone !== undefined) {
      report(['zone'], 'is the zone of no period: add `period_budget` and `period`, or remove it');
    }
    return undefined;
  }
  if (periodBudget === undefined) {
    report(['period'], 'is the period of no budget: add `period_budget`, or remove it');
  }
  return period === 'day' || period === 'week' || period === 'month'
    ? calendarWindow(period, zone, report)
    : rollingWindow(period, zone, report);
}

function calendarWindow(
  unit: 'day' | 'week' | 'month',
  zone: string | undefined,
  report: Report,
): BudgetWindow | undefined {
  if (zone === undefined) {
    report(
      ['period'],
      `a ${unit} begins at midnight of a zone: add one, such as zone = "Europe/Berlin"`,
    );
    return undefined;
  }
  if (!isZone(zone)) {
    const fix =
      hint(zone, Intl.supportedValuesOf('timeZone')) || ': write one such as Europe/Berlin';
    report(['zone'], `\`${zone}\` is no IANA zone${fix}`);
    return undefined;
  }
  return { kind: 'calendar', unit, zone };
}

const rollingForm = /^(\d{1,6}) ?(d|h)$/;

function rollingWindow(
  period: string,
  zone: string | undefined,
  report: Report,
): BudgetWindow | undefined {
  const [, count, unit] = rollingForm.exec(period) ?? [];
  if (count === undefined) {
    report(['period'], 'must be days or hours such as 30d or 24h, or day, week or month');
    return undefined;
  }
  if (zone !== undefined) {
    report(['zone'], `has no effect on a rolling period: remove it, or write period = "day"`);
  }
  const ms = Number(count) * (unit === 'd' ? dayMs : dayMs / 24);
  if (ms > 0 && ms <= periodMaxMs) return { kind: 'rolling', ms };
  report(['period'], 'must be from 1h to 366d');
  return undefined;
}
