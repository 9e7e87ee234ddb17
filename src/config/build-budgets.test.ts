import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const tools = `[[tools]]
server = "bank"
tool = "pay"
budget_param = "amount"
[tools.params.amount]
type = "money"
currency = "EUR"
`;
const text = (lines: string): string => `${base}${tools}[mandate]\n${lines}\n`;
const budgetsOf = (lines: string) => configOf(text(lines)).mandate.budgets;
/** Problems without the number of their line. */
const faultsOf = (lines: string): readonly string[] =>
  problemsOf(text(lines)).map((problem) => problem.replace(/^\d+ mandate\./, ''));

describe('[mandate] period_budget', () => {
  verifies('EXE-20', 'counts the last days or hours, or a day, week or month of a zone', () => {
    const periodOf = (lines: string) => budgetsOf(`period_budget = 500\n${lines}`);
    const hourMs = 3_600_000;
    for (const [period, ms] of [
      ['30d', 720 * hourMs],
      ['24h', 24 * hourMs],
      ['1h', hourMs],
      ['366d', 366 * 24 * hourMs],
      ['8784h', 366 * 24 * hourMs],
    ] as const) {
      expect(periodOf(`period = "${period}"`), period).toEqual([
        { kind: 'amount', limit: 500, window: { kind: 'rolling', ms } },
      ]);
    }
    for (const unit of ['day', 'week', 'month']) {
      expect(periodOf(`period = "${unit}"\nzone = "Europe/Berlin"`), unit).toEqual([
        { kind: 'amount', limit: 500, window: { kind: 'calendar', unit, zone: 'Europe/Berlin' } },
      ]);
    }
  });

  it('stands beside the budgets of the whole life, in one currency', () => {
    const lines =
      'budget = 5000.0\ncalls = 3\nperiod_budget = 500\nperiod = "1d"\ncurrency = "EUR"';
    const window = { kind: 'rolling', ms: 86_400_000 };
    expect(budgetsOf(lines)).toEqual([
      { kind: 'amount', limit: 5_000, currency: 'EUR' },
      { kind: 'calls', limit: 3 },
      { kind: 'amount', limit: 500, currency: 'EUR', window },
    ]);
  });

  it.each([
    ['0', 'must be a whole number from 1 to 2^53-1'],
    ['-1', 'must be a whole number from 1 to 2^53-1'],
    ['0.5', 'must be a whole number from 1 to 2^53-1'],
    ['9007199254740992', 'must be a whole number from 1 to 2^53-1'],
    ['"500"', 'must be a whole number from 1 to 2^53-1'],
    ['nan', 'must be a whole number from 1 to 2^53-1'],
  ])('refuses %s', (limit, fault) => {
    expect(faultsOf(`period_budget = ${limit}\nperiod = "1d"`)).toEqual([
      `period_budget: ${fault}`,
    ]);
  });

  it.each(['-1', '0.5', '9007199254740992'])('and a budget of %s', (limit) => {
    const fault = 'must be a whole number from 0 to 2^53-1';
    expect(faultsOf(`budget = ${limit}`)).toEqual([`budget: ${fault}`]);
    expect(faultsOf(`calls = ${limit}`)).toEqual([`calls: ${fault}`]);
  });

  it.each([
    ['0d', 'must be from 1h to 366d'],
    ['367d', 'must be from 1h to 366d'],
    ['8785h', 'must be from 1h to 366d'],
    ['1.5d', 'must be days or hours such as 30d or 24h, or day, week or month'],
    ['-1d', 'must be days or hours such as 30d or 24h, or day, week or month'],
    ['90s', 'must be days or hours such as 30d or 24h, or day, week or month'],
    ['year', 'must be days or hours such as 30d or 24h, or day, week or month'],
    ['Day', 'must be days or hours such as 30d or 24h, or day, week or month'],
    ['', 'must be days or hours such as 30d or 24h, or day, week or month'],
    ['day', 'a day begins at midnight of a zone: add one, such as zone = "Europe/Berlin"'],
  ])('refuses the period `%s`', (period, fault) => {
    expect(faultsOf(`period_budget = 5\nperiod = "${period}"`)).toEqual([`period: ${fault}`]);
  });

  it('refuses one without the other', () => {
    expect(problemsOf(text('period_budget = 5'))).toEqual([
      '14 mandate.period_budget: needs its period: add one, such as period = "30d" or "month"',
    ]);
    expect(faultsOf('period = "30d"')).toEqual([
      'period: is the period of no budget: add `period_budget`, or remove it',
    ]);
    expect(faultsOf('zone = "UTC"')).toEqual([
      'zone: is the zone of no period: add `period_budget` and `period`, or remove it',
    ]);
  });

  it('refuses a zone that is none, and one that changes nothing', () => {
    const day = 'period_budget = 5\nperiod = "day"\n';
    expect(faultsOf(`${day}zone = "Europe/Berln"`)).toEqual([
      'zone: `Europe/Berln` is no IANA zone; did you mean `Europe/Berlin`?',
    ]);
    for (const zone of ['+01:00', 'berlin', 'Mars/Olympus', '']) {
      expect(faultsOf(`${day}zone = "${zone}"`), zone).toEqual([
        `zone: \`${zone}\` is no IANA zone: write one such as Europe/Berlin`,
      ]);
    }
    expect(faultsOf('period_budget = 5\nperiod = "1d"\nzone = "UTC"')).toEqual([
      'zone: has no effect on a rolling period: remove it, or write period = "day"',
    ]);
  });
});

describe('[mandate] currency', () => {
  verifies('EXE-40', 'refuses what is no currency, and names the nearest one', () => {
    expect(problemsOf(text('budget = 5\ncurrency = "EUT"'))).toEqual([
      expect.stringMatching(/^15 mandate\.currency: `EUT` is no ISO 4217 currency; did you mean/),
    ]);
    expect(faultsOf('budget = 5\ncurrency = "eur"')).toEqual([
      'currency: `eur` is no ISO 4217 currency; did you mean `EUR`?',
    ]);
    expect(faultsOf('budget = 5\ncurrency = "Doubloons"')).toEqual([
      'currency: `Doubloons` is no ISO 4217 currency: write its three capitals',
    ]);
    expect(faultsOf('calls = 5\ncurrency = "EUR"')).toEqual([
      'currency: is the currency of no budget: add `budget` or `period_budget`, or remove it',
    ]);
  });

  it('warns of a tool that charges another one, or none', () => {
    const warned = (lines: string, file = text(lines)): readonly string[] =>
      configOf(file).warnings.filter((each) => each.includes('currency'));
    expect(warned('budget = 5\ncurrency = "EUR"')).toEqual([]);
    expect(warned('budget = 5')).toEqual([]);
    expect(warned('budget = 5\ncurrency = "JPY"')).toEqual([
      '`bank.pay` charges an amount in EUR and [mandate] currency is JPY: every call of it is refused',
    ]);
    const untyped = tools.replace('money', 'number').replace('currency = "EUR"\n', '');
    const free = '[[tools]]\nserver = "bank"\ntool = "mail"\n';
    const file = `${base}${untyped}${free}[mandate]\nbudget = 5\ncurrency = "JPY"\n`;
    expect(warned('', file)).toEqual([
      '`bank.pay` charges an amount without a currency and [mandate] currency is JPY: every call of it is refused',
    ]);
  });
});
