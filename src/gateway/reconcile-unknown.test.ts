import { describe, expect, it } from 'vitest';
import {
  idempotency,
  lost,
  type PayingGateway,
  paid,
  payingGateway,
  reconcile,
} from '../../test/reference/paying-gateway.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import type { ConnectorOutcome } from '../connectors/connector.ts';
import type { LookupFinding } from '../core/checks/judge-lookup.ts';
import type { Answer } from './gateway.ts';

const second = 1_000;
const minute = 60 * second;
const day = 86_400 * second;
const payment = { invoice: 'R-1', amount: 60 };

/** A payment of which nobody knows what became, when its first look-up is due. */
async function leaveUnknown(
  tool: string,
  finding: LookupFinding | Error = { kind: 'absent' },
): Promise<PayingGateway & { readonly opId: string }> {
  const world = await payingGateway(tool);
  world.target.outcomes = [lost, paid];
  world.target.finding = finding;
  const answer = await world.pay(payment);
  expect(codesOf(answer)).toEqual(['EXECUTION_UNKNOWN']);
  world.target.nowMs += 5 * second;
  return { ...world, opId: opIdOf(answer) };
}

const codesOf = (answer: Answer): readonly string[] =>
  answer.kind === 'report' ? answer.report.codes : [answer.kind];
const opIdOf = (answer: Answer): string =>
  (answer.kind === 'report' ? answer.report.opId : undefined) ?? '';
const stateOf = async ({ store, opId }: PayingGateway & { opId: string }) =>
  (await store.readOperation(opId))?.row.state;
const left = async ({ gateway }: PayingGateway) => (await gateway.status()).budgets[0]?.left;

describe('checkUnknown', () => {
  it('does nothing before a look-up is due, and one thing at a time', async () => {
    const world = await leaveUnknown(reconcile);
    world.target.nowMs -= 1;
    expect(await world.gateway.checkUnknown()).toBe(false);
    world.target.nowMs += 1;
    const both = await Promise.all([world.gateway.checkUnknown(), world.gateway.checkUnknown()]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(world.target.lookups).toMatchObject([
      { key: `ip_${world.opId}`, firstSentMs: world.target.nowMs - 5 * second },
    ]);
  });

  verifies(
    'EXE-09',
    'what the target says settles it, and the next identical call is told',
    async () => {
      const world = await leaveUnknown(reconcile, { kind: 'succeeded', reference: 'B-1' });
      await world.gateway.checkUnknown();
      expect(await stateOf(world)).toBe('SUCCEEDED');
      expect(await left(world)).toBe(100_000 - 60);
      expect(codesOf(await world.pay(payment))).toEqual(['EXECUTION_DUPLICATE']);
      expect(world.target.sent).toHaveLength(1);
      expect(await world.gateway.checkUnknown()).toBe(false);

      const failed = await leaveUnknown(reconcile, { kind: 'failed' });
      await failed.gateway.checkUnknown();
      expect(await stateOf(failed)).toBe('FAILED');
      expect(await left(failed)).toBe(100_000);
    },
  );

  verifies(
    ['EXE-52', 'EXE-51'],
    'absent is UNKNOWN until nothing can arrive; without a key it then failed and is never sent again',
    async () => {
      const world = await leaveUnknown(reconcile);
      for (let checks = 0; checks < 3; checks += 1) {
        await world.gateway.checkUnknown(world.opId);
        expect(await stateOf(world)).toBe('UNKNOWN');
      }
      // The deadline of the call is 30 s, and absence is final a minute later.
      world.target.nowMs += 85 * second - 1;
      await world.gateway.checkUnknown(world.opId);
      expect(await stateOf(world)).toBe('UNKNOWN');
      world.target.nowMs += 1;
      await world.gateway.checkUnknown(world.opId);
      expect(await stateOf(world)).toBe('FAILED');
      expect(await left(world)).toBe(100_000);
      expect(world.target.sent).toHaveLength(1);
    },
  );

  verifies('EXE-52', 'a slow answer says what was absent when the target was asked', async () => {
    const world = await leaveUnknown(reconcile);
    world.target.nowMs += 85 * second - 1;
    Object.defineProperty(world.target, 'finding', {
      get: (): LookupFinding => {
        world.target.nowMs += 20 * second;
        return { kind: 'absent' };
      },
    });
    await world.gateway.checkUnknown(world.opId);
    expect(await stateOf(world)).toBe('UNKNOWN');
    await world.gateway.checkUnknown(world.opId);
    expect(await stateOf(world)).toBe('FAILED');
  });

  verifies(
    'EXE-06',
    'absent for good, with a key: the same bytes once more, and the answer is kept for the next call',
    async () => {
      const world = await leaveUnknown(`${idempotency}\n${reconcile}`);
      await world.gateway.checkUnknown();
      expect(world.target.sent).toHaveLength(1);
      world.target.nowMs += 2 * minute;
      await world.gateway.checkUnknown();
      expect(await stateOf(world)).toBe('SUCCEEDED');
      const [first, second_] = world.target.sent;
      expect(second_).toEqual({ ...first, attempt: 2 });
      expect(JSON.parse(first?.call ?? '')).toEqual({
        ...payment,
        idempotency_key: `ip_${world.opId}`,
      });
      expect(await left(world)).toBe(100_000 - 60);
      const next = await world.pay(payment);
      expect(next).toMatchObject({ kind: 'executed', opId: world.opId, result: paid.result });
      expect(world.target.sent).toHaveLength(2);
    },
  );

  verifies(
    'EXE-06',
    'with a key and nobody to ask: at most three attempts, then a person',
    async () => {
      const world = await leaveUnknown(idempotency);
      world.target.outcomes = [lost];
      for (let i = 0; i < 6; i += 1) {
        await world.gateway.checkUnknown();
        world.target.nowMs += 2 * minute;
      }
      expect(world.target.sent.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      expect(new Set(world.target.sent.map(({ call, key }) => call + key)).size).toBe(1);
      expect(await stateOf(world)).toBe('UNKNOWN');
      expect(await left(world)).toBe(100_000 - 60);
    },
  );

  verifies('EXE-51', 'with neither, nothing is asked and nothing is sent', async () => {
    const world = await leaveUnknown('');
    world.target.nowMs += 3 * day;
    while (await world.gateway.checkUnknown());
    expect(world.target.lookups).toEqual([]);
    expect(world.target.sent).toHaveLength(1);
    expect(await stateOf(world)).toBe('UNKNOWN');
  });

  verifies(
    'EXE-06',
    'a target that is another one by now is not sent what the first one saw',
    async () => {
      const world = await payingGateway(idempotency, (parts) => ({
        definitionOf: (server, tool) => {
          const known = parts.definitionOf(server, tool);
          return isMoved && known.kind === 'current'
            ? { ...known, serverIdentity: 'other' }
            : known;
        },
      }));
      let isMoved = false;
      world.target.outcomes = [lost, paid];
      await world.pay(payment);
      isMoved = true;
      world.target.nowMs += minute;
      await world.gateway.checkUnknown();
      expect(world.target.sent).toHaveLength(1);
      isMoved = false;
      world.target.nowMs += minute;
      await world.gateway.checkUnknown();
      expect(world.target.sent).toHaveLength(2);
    },
  );

  verifies(
    'EXE-50',
    'an answer that nobody can believe settles nothing and is an alarm',
    async () => {
      const odd: readonly (LookupFinding | Error)[] = [
        new Error('broken'),
        { kind: 'perhaps' } as unknown as LookupFinding,
        { kind: 'succeeded', amount: 0.5 },
        { kind: 'succeeded', amount: 2 ** 53 },
        { kind: 'succeeded', amount: -1 },
        { kind: 'unclear', reason: 'another key', isAlarm: true },
      ];
      for (const finding of odd) {
        const world = await leaveUnknown(reconcile, finding);
        await world.gateway.checkUnknown();
        expect(await stateOf(world)).toBe('UNKNOWN');
        expect(await world.alarms(), JSON.stringify(finding)).toEqual(['odd_lookup']);
      }
      const quiet = await leaveUnknown(reconcile, {
        kind: 'unclear',
        reason: 'busy',
        isAlarm: false,
      });
      await quiet.gateway.checkUnknown();
      expect(await quiet.alarms()).toEqual([]);
    },
  );

  it('another amount than was decided is booked as a success and is an alarm', async () => {
    const world = await leaveUnknown(reconcile, { kind: 'succeeded', amount: 59 });
    await world.gateway.checkUnknown();
    expect(await stateOf(world)).toBe('SUCCEEDED');
    expect(await world.alarms()).toContain('odd_lookup');
    const same = await leaveUnknown(reconcile, { kind: 'succeeded', amount: 60 });
    await same.gateway.checkUnknown();
    expect(await same.alarms()).toEqual([]);
  });

  verifies('EXE-09', 'a day of UNKNOWN is one alarm, and each further day another', async () => {
    for (const tool of ['', reconcile]) {
      const world = await leaveUnknown(tool, { kind: 'unclear', reason: 'busy', isAlarm: false });
      const hourly = async (hours: number): Promise<void> => {
        for (let i = 0; i < hours; i += 1) {
          world.target.nowMs += 3_600 * second;
          while (await world.gateway.checkUnknown());
        }
      };
      await hourly(23);
      expect(await world.alarms()).toEqual([]);
      await hourly(3);
      expect(await world.alarms()).toEqual(['unknown_too_long']);
      await hourly(20);
      expect(await world.alarms()).toHaveLength(1);
      await hourly(10);
      expect(await world.alarms()).toHaveLength(2);
    }
  });
});

describe('an attempt', () => {
  verifies('EXE-50', 'whose connector breaks its contract is UNKNOWN with an alarm', async () => {
    const broken: readonly (ConnectorOutcome | Error)[] = [
      new Error('a bug'),
      { class: 'MAYBE' } as unknown as ConnectorOutcome,
      { ...paid, key: 'ip_of_another' },
    ];
    for (const outcome of broken) {
      const world = await payingGateway('');
      world.target.outcomes = [outcome];
      expect(codesOf(await world.pay(payment))).toEqual(['EXECUTION_UNKNOWN']);
      expect(await world.alarms()).toEqual(['connector_fault']);
    }
  });

  it('whose answer carries its own key is a success', async () => {
    const world = await payingGateway('');
    world.target.outcomes = [lost];
    const opId = opIdOf(await world.pay(payment));
    expect(await stateOf({ ...world, opId })).toBe('UNKNOWN');
    expect(world.target.sent).toMatchObject([{ key: `ip_${opId}` }]);
  });
});

describe('the argument of the key', () => {
  verifies(
    'EXE-06',
    'is written by the gateway: what the agent put there is another spelling of the same call',
    async () => {
      const world = await payingGateway(idempotency);
      world.target.outcomes = [lost, paid];
      await world.pay({ ...payment, idempotency_key: 'mine' });
      const repeat = await world.pay({ ...payment, idempotency_key: 'mine again' });
      expect(codesOf(repeat)).toEqual(['EXECUTION_DUPLICATE']);
      const key = world.target.sent[0]?.key;
      expect(JSON.parse(world.target.sent[0]?.call ?? '')).toEqual({
        ...payment,
        idempotency_key: key,
      });
    },
  );

  it('that the tool does not know protects nobody: the call is refused', async () => {
    const other = idempotency.replace('idempotency_key', 'request_id');
    const world = await payingGateway(other);
    const answer = await world.pay({ ...payment, idempotency_key: 'x' });
    expect(codesOf(answer)).toEqual(['CONTRACT_UNEXPECTED_VALUE']);
    expect(world.target.sent).toEqual([]);
  });
});

describe('values that count once', () => {
  verifies(
    'EXE-16',
    'are refused in every spelling and with every other argument, for ever',
    async () => {
      const world = await payingGateway('once = ["invoice"]');
      world.target.outcomes = [{ class: 'REJECTED' }, paid];
      const pay = async (invoice: string, amount: number) =>
        codesOf(await world.pay({ invoice, amount, idempotency_key: 'x' }));
      expect(await pay('R-1', 60)).toEqual(['EXECUTION_FAILED']);
      expect(await pay('R-1', 60)).toEqual(['executed']);
      world.target.nowMs += 20 * day;
      expect(await pay('R-1', 61)).toEqual(['EXECUTION_DUPLICATE']);
      const refused = await world.pay({ invoice: 'R-1', amount: 62, idempotency_key: 'x' });
      expect(refused).toMatchObject({
        report: {
          failures: [{ detail: 'once' }],
          reason: `its values count once, and operation ${opIdOf(refused)} that has them is SUCCEEDED`,
        },
      });
      const earlier = (await world.store.readOperation(opIdOf(refused)))?.row;
      expect(earlier).toMatchObject({ state: 'SUCCEEDED' });
      expect(await pay('R-2', 60)).toEqual(['executed']);
      expect(world.target.sent).toHaveLength(3);
    },
  );
});
