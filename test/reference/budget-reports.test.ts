// What owners of budgets reported of other products, tried here.
import { describe, expect, it } from 'vitest';
import { moneyText } from '../../src/core/checks/money-text.ts';
import type { Answer } from '../../src/gateway/gateway.ts';
import { verifies } from '../requirements/verifies.ts';
import { createInProcessGateway, type InProcessGateway } from './in-process-gateway.ts';

const open = (mandate: string, param: string, nowMs: () => number): Promise<InProcessGateway> =>
  createInProcessGateway({
    nowMs,
    schemas: {},
    files: {
      'policy.cedar': 'permit (principal, action, resource);',
      'intentplane.toml': `[gateway]
store = "sqlite::memory:"
[[servers]]
name = "bank"
command = "true"
[policy]
file = "policy.cedar"
[mandate]
${mandate}
[[tools]]
server = "bank"
tool = "pay"
budget_param = "amount"
duplicate_window = 0
[tools.params.amount]
${param}
`,
    },
  });

const money = (currency: string): string => `type = "money"\ncurrency = "${currency}"`;

/** `executed`, or the code and detail of the first failure. */
function outcomeOf(answer: Answer): string {
  if (answer.kind !== 'report') return answer.kind;
  const [failure] = answer.report.failures;
  return [failure?.code, failure?.detail].filter((each) => each !== undefined).join(' ');
}

describe('a budget of a period', () => {
  const day = 'period_budget = 100\nperiod = "day"\nzone = "Europe/Berlin"';

  verifies(
    'EXE-20',
    'F-07: fits as many calls as it says into a day of 25 and of 23 hours',
    async () => {
      for (const [from, hours] of [
        ['2026-10-24T22:00:00Z', 25],
        ['2027-03-27T23:00:00Z', 23],
      ] as const) {
        let nowMs = Date.parse(from);
        const world = await open(`${day}\nexpires_in = "9d"`, 'type = "integer"', () => nowMs);
        let executed = 0;
        for (let n = 0; n < hours * 2; n += 1) {
          executed += outcomeOf(await world.call('bank.pay', { amount: 4 })) === 'executed' ? 1 : 0;
          nowMs += 1_800_000;
        }
        expect(executed).toBe(25);
        expect(outcomeOf(await world.call('bank.pay', { amount: 4 }))).toBe('executed');
        expect((await world.gateway.status()).budgets).toMatchObject([{ limit: 100, left: 96 }]);
      }
    },
  );

  verifies(
    'EXE-22',
    'F-34: counts nothing for a call without an amount, of 0, below 0 or of none',
    async () => {
      const world = await open(day, 'type = "number"', () => Date.parse('2026-11-30T12:00:00Z'));
      const before = await world.gateway.status();
      for (const amount of [undefined, 0, -5, 'NaN', '5', 0.5, null]) {
        const args = amount === undefined ? {} : { amount };
        expect(outcomeOf(await world.call('bank.pay', args)), String(amount)).toMatch(/^CONTRACT_/);
      }
      expect(await world.gateway.status()).toEqual(before);
      expect(world.effects).toEqual([]);
    },
  );

  it('says when it ends, and begins again then', async () => {
    let nowMs = Date.parse('2026-11-30T22:59:59.999Z');
    const world = await open(`${day}\nbudget = 500`, 'type = "integer"', () => nowMs);
    expect(outcomeOf(await world.call('bank.pay', { amount: 100 }))).toBe('executed');
    expect(outcomeOf(await world.call('bank.pay', { amount: 1 }))).toBe('BUDGET_PERIOD');
    expect((await world.gateway.status()).budgets).toEqual([
      { kind: 'amount', limit: 500, left: 400 },
      {
        kind: 'amount',
        limit: 100,
        left: 0,
        window: 'day:Europe/Berlin',
        endsMs: Date.parse('2026-11-30T23:00:00Z'),
      },
    ]);
    nowMs += 1;
    expect(outcomeOf(await world.call('bank.pay', { amount: 1 }))).toBe('executed');
    expect((await world.gateway.status()).budgets).toMatchObject([{ left: 399 }, { left: 99 }]);
  });
});

describe('a currency', () => {
  const now = (): number => Date.parse('2026-11-30T12:00:00Z');

  verifies('EXE-40', 'F-29: has its own exponent: 5,000 JPY are 5,000 JPY and not 50', async () => {
    const yen = await open('budget = 5000\ncurrency = "JPY"', money('JPY'), now);
    expect(outcomeOf(await yen.call('bank.pay', { amount: '5000' }))).toBe('executed');
    expect(outcomeOf(await yen.call('bank.pay', { amount: '1' }))).toBe('BUDGET_AMOUNT');
    expect(outcomeOf(await yen.call('bank.pay', { amount: '1.00' }))).toMatch(/^CONTRACT_INVALID/);
  });

  verifies('EXE-40', 'F-19: shows a limit as the money that it allows', async () => {
    const euros = await open('budget = 5000\ncurrency = "EUR"', money('EUR'), now);
    expect(outcomeOf(await euros.call('bank.pay', { amount: '50.01' }))).toBe('BUDGET_AMOUNT');
    expect(outcomeOf(await euros.call('bank.pay', { amount: '50.00' }))).toBe('executed');
    const [budget] = (await euros.gateway.status()).budgets;
    expect(budget).toMatchObject({ currency: 'EUR', limit: 5_000, left: 0 });
    expect(moneyText(budget?.limit ?? 0, 'EUR')).toBe('50.00 EUR');
  });

  verifies('EXE-40', 'that is not that of the budget is refused, and costs nothing', async () => {
    const limits = 'budget = 5000\nperiod_budget = 500\nperiod = "30d"\ncurrency = "EUR"';
    for (const param of [money('JPY'), 'type = "integer"']) {
      const world = await open(limits, param, now);
      const amount = param.startsWith('type = "money"') ? '10' : 10;
      expect(outcomeOf(await world.call('bank.pay', { amount }))).toBe(
        'BUDGET_AMOUNT currency_mismatch',
      );
      expect((await world.gateway.status()).budgets).toMatchObject([
        { left: 5_000 },
        { left: 500 },
      ]);
    }
  });
});
