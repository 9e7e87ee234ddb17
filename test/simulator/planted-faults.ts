// Faults put into the product from outside, one at a time. The simulator is worth as much as it
// finds of them; `planted-faults.test.ts` lets it look.
import type { Connector, ConnectorOutcome } from '../../src/connectors/connector.ts';
import type { OutcomeReport } from '../../src/core/moves/plan-outcome.ts';
import { noRepeat } from '../../src/core/moves/repeat-fact.ts';
import { releaseAll } from '../../src/core/moves/settle-budgets.ts';
import type { Writes } from '../../src/core/moves/writes.ts';
import type { OperationRow } from '../../src/core/operation.ts';
import type { MemoryTables } from '../../src/stores/memory/memory-tables.ts';
import type { Rows } from '../../src/stores/rows.ts';
import type { Store } from '../../src/stores/store.ts';
import { decisionCall } from './decision-call.ts';
import type { StoreMethods } from './store-world.ts';
import type { PlantedFault } from './world.ts';

export interface NamedFault extends PlantedFault {
  readonly name: string;
  /** What it breaks, as a rule says it: found without the reference gateway, too. */
  readonly finds: RegExp;
  /** First seed of those that are looked at, where it shows too rarely to be met by the way. */
  readonly from?: number;
}

/** Rows whose reads or writes go another way. */
function rowsWith(rows: Rows, changes: Partial<Rows>): Rows {
  return {
    nowMs: rows.nowMs,
    decisionRows: (draft) => rows.decisionRows(draft),
    operation: (opId) => rows.operation(opId),
    reserved: (opId) => rows.reserved(opId),
    answerRows: (id) => rows.answerRows(id),
    amendmentRows: (id) => rows.amendmentRows(id),
    approvalOf: (opId) => rows.approvalOf(opId),
    dueApprovals: () => rows.dueApprovals(),
    mandate: (id) => rows.mandate(id),
    budget: (id) => rows.budget(id),
    newestMandate: (principal, agent) => rows.newestMandate(principal, agent),
    orphans: (live) => rows.orphans(live),
    apply: (writes) => rows.apply(writes),
    ...changes,
  };
}

/** The same method on rows that write something else. */
function withWrites<Name extends 'finishAttempt' | 'decideProposal'>(
  name: Name,
  change: (writes: Writes, rows: Rows) => Writes,
): PlantedFault {
  const methods = (real: StoreMethods): Partial<StoreMethods> => {
    const method = real[name] as (rows: Rows, ...rest: readonly unknown[]) => unknown;
    const changed = (rows: Rows, ...rest: readonly unknown[]): unknown =>
      method(rowsWith(rows, { apply: (writes) => rows.apply(change(writes, rows)) }), ...rest);
    return { [name]: changed };
  };
  return { methods };
}

/** What is sent goes out as soon as somebody asks; the call after the commit gets that answer. */
function sendsEarly(real: Connector): {
  readonly connector: Connector;
  readonly sendEarly: (opId: string, action: string, call: string) => void;
} {
  const early = new Map<string, Promise<ConnectorOutcome>>();
  return {
    connector: {
      ...real,
      execute: (operation, attempt) =>
        early.get(operation.opId) ?? real.execute(operation, attempt),
    },
    sendEarly: (opId, action, call) => {
      const attempt = { key: `ip_${opId}`, attempt: 1, deadlineMs: 0, meta: undefined };
      const operation = { opId, action, server: 'bank', tool: action, call };
      early.set(opId, real.execute(operation, { ...attempt, onProgress: undefined }));
    },
  };
}

function putRow(tables: MemoryTables, row: OperationRow): void {
  tables.operations.set(row.opId, row);
}

/** The store of a process sends through the connector of the same process. */
const earlySenders = new WeakMap<Connector, ReturnType<typeof sendsEarly>>();

export const plantedFaults: readonly NamedFault[] = [
  {
    name: 'sent before the intent is committed',
    finds: /^rule: sent before the intent was durable/,
    connector: (real) => {
      const sender = sendsEarly(real);
      earlySenders.set(sender.connector, sender);
      return sender.connector;
    },
    store: (real, _world, connector) =>
      storeWith(real, {
        decide: (facts, draft) => {
          if (draft.action === 'order' && draft.call !== undefined) {
            earlySenders.get(connector)?.sendEarly(draft.opId, draft.action, draft.call);
          }
          return real.decide(facts, draft);
        },
      }),
  },
  {
    name: 'an outcome is taken from whoever brings it',
    finds: /^rule: (a leaf outcome goes on from|it happened, and is)|^order: /,
    methods: (real, world) => ({
      finishAttempt: (rows, report) => {
        const row = rows.operation(report.opId);
        const { tables } = world.database;
        if (row?.state === 'UNKNOWN') {
          putRow(tables, { ...row, state: 'DISPATCHING', owner: report.owner });
        }
        return real.finishAttempt(rows, report);
      },
    }),
  },
  {
    name: 'a reservation without its limit',
    finds: /^rule: budget (amount|calls) is over its limit/,
    methods: (real, world) => ({
      decideProposal: (rows, facts, draft) =>
        withoutLimits(world.database.tables, () => real.decideProposal(rows, facts, draft)),
    }),
  },
  {
    name: 'a reservation is given back when nobody knows',
    finds: /^rule: budget (amount|calls) reserved is wrong/,
    ...withWrites('finishAttempt', (writes, rows) => {
      const opId = writes.moveOperations.find(({ to }) => to.state === 'UNKNOWN')?.to.opId;
      const held = opId === undefined ? [] : rows.reserved(opId);
      const released = releaseAll(opId ?? '', held);
      return { ...writes, budgetMoves: [...writes.budgetMoves, ...released] };
    }),
  },
  {
    name: 'what is unknown is sent again',
    finds: /^rule: sent twice/,
    connector: (real) => ({
      ...real,
      execute: async (operation, attempt) => {
        const outcome = await real.execute(operation, attempt);
        return outcome.class === 'AMBIGUOUS' ? real.execute(operation, attempt) : outcome;
      },
    }),
  },
  {
    name: 'a target without keys gets the call again',
    finds: /^rule: sent twice/,
    connector: (real) => ({
      ...real,
      promises: (contract) => ({
        ...(real.promises?.(contract) ?? nothingPromised),
        keyLifetimeMs: Number.MAX_SAFE_INTEGER,
      }),
    }),
  },
  {
    name: 'absence counts as failure too early',
    finds: /^rule: it happened, and is FAILED/,
    methods: (real) => ({
      reconcileOperation: (rows, { finding, ...found }) =>
        real.reconcileOperation(rows, {
          ...found,
          finding: finding === 'absent' ? 'failed' : finding,
        }),
    }),
  },
  {
    name: 'a second attempt that failed says what became of the first',
    finds: /^rule: it happened, and is FAILED/,
    methods: (real) => ({
      finishAttempt: (rows, report) => {
        const attempts = { ...report, attempt: 1 };
        const operation = (opId: string): OperationRow | undefined => {
          const row = rows.operation(opId);
          return row?.attempt === report.attempt ? { ...row, attempt: 1 } : row;
        };
        return real.finishAttempt(firstAttempts(rows, operation), attempts);
      },
    }),
  },
  {
    name: 'a grant is used while the first call is sent again',
    finds: /^rule: dispatched although the same call may be under way/,
    from: 12_000,
    methods: (real) => ({
      decideProposal: (rows, facts, draft) => {
        const decisionRows: Rows['decisionRows'] = (of) => {
          const read = rows.decisionRows(of);
          const isGranted = read.repeat.newest?.approval?.state === 'GRANTED';
          const repeat = { ...read.repeat, unresolved: noRepeat.unresolved };
          return isGranted ? { ...read, repeat } : read;
        };
        return real.decideProposal(rowsWith(rows, { decisionRows }), facts, draft);
      },
    }),
  },
  {
    name: 'two processes ask about one operation',
    finds: /^reference: claim gave/,
    store: (real) =>
      storeWith(real, { claimCheck: (wish) => real.claimCheck({ ...wish, leaseMs: 0 }) }),
  },
  {
    name: 'a value that counts once is not taken',
    finds: /^rule: a value succeeded twice/,
    ...withWrites('decideProposal', (writes) => ({ ...writes, takeOnce: [] })),
  },
  {
    name: 'an approval is used twice',
    finds: /^rule: (an approval was used twice|it happened twice|sent twice)/,
    methods: (real, world) => ({
      decideProposal: (rows, facts, draft) => {
        const { newest } = rows.decisionRows(draft).repeat;
        if (newest?.approval?.state === 'CONSUMED' && newest.operation.state !== 'DISPATCHING') {
          giveBack(world.database.tables, newest.operation);
        }
        return real.decideProposal(rows, facts, draft);
      },
    }),
  },
  {
    name: 'an outcome without its leaf',
    finds: /^rule: the leaves end at DISPATCHING, the row at/,
    ...withWrites('finishAttempt', (writes) => ({
      ...writes,
      leaves: writes.leaves.filter(({ type }) => type !== 'outcome'),
    })),
  },
  {
    name: 'a start leaves what dead processes left',
    finds: /^rule: still DISPATCHING/,
    methods: () => ({ buryProcesses: () => ({ orphans: [], gone: [] }) }),
  },
  {
    name: 'a silent process is taken for dead at once',
    finds: /^rule: took what may still be under way|^reference: (start|heartbeat) gave/,
    methods: (real) => ({
      buryProcesses: (rows, { live, silent, dead }) =>
        real.buryProcesses(rows, { live, silent: [], dead: [...dead, ...silent] }),
    }),
  },
  {
    name: 'what sleeps on the same host is taken for dead',
    finds: /^rule: took what a living process of its host has/,
    methods: (real, world) => ({
      buryProcesses: (rows, { live, silent, dead }) => {
        const asleep = world.processes.filter(({ isPaused }) => isPaused);
        const ids = asleep.map(({ processId }) => processId);
        const awake = live.filter((id) => !ids.includes(id));
        return real.buryProcesses(rows, { live: awake, silent, dead: [...dead, ...ids] });
      },
    }),
  },
  {
    name: 'a late outcome replaces a final state',
    finds: /^rule: (a leaf outcome goes on from|the leaves end at)|^order: /,
    methods: (real, world) => ({
      finishAttempt: (rows, report) => {
        const row = rows.operation(report.opId);
        const isFinal = row?.state === 'FAILED' || row?.state === 'SUCCEEDED';
        const plan = real.finishAttempt(rows, report);
        const state = finalStateOf(report);
        if (row !== undefined && isFinal && state !== undefined) {
          putRow(world.database.tables, { ...row, state, outcome: report.class });
        }
        return plan;
      },
    }),
  },
  {
    name: 'an untold success is executed again',
    finds: /^rule: executed again although a success was never told/,
    methods: (real) => ({
      decideProposal: (rows, facts, draft) => {
        const decisionRows: Rows['decisionRows'] = (of) => {
          const read = rows.decisionRows(of);
          return { ...read, repeat: { ...read.repeat, untold: noRepeat.untold } };
        };
        return real.decideProposal(rowsWith(rows, { decisionRows }), facts, draft);
      },
    }),
  },
  {
    name: 'what was approved is changed before it is sent',
    finds: /^rule: sent something else than was decided/,
    store: (real) =>
      storeWith(real, {
        readOperation: async (opId) => {
          const stored = await real.readOperation(opId);
          return stored && { ...stored, call: stored.call.replace('100', '101') };
        },
      }),
  },
  {
    name: 'an outcome of an unknown target is booked as success',
    finds: /^rule: SUCCEEDED, and it never happened/,
    connector: (real) => ({
      ...real,
      execute: async (operation, attempt) => {
        const outcome = await real.execute(operation, attempt);
        const isLost = outcome.class === 'AMBIGUOUS';
        return isLost ? { class: 'SUCCESS', result: { content: [] } } : outcome;
      },
    }),
  },
  {
    name: 'an outcome that is possible is booked as failure',
    finds: /^rule: it happened, and is FAILED/,
    methods: (real) => ({
      finishAttempt: (rows, report) =>
        real.finishAttempt(
          rows,
          report.class === 'AMBIGUOUS' ? { ...report, class: 'NOT_SENT' } : report,
        ),
    }),
  },
  {
    name: 'the disk is not waited for',
    finds: /^rule: an acknowledged receipt is lost/,
    store: (real, { database }) => {
      Object.assign(database, { sync: () => {} });
      return real;
    },
  },
  {
    name: 'a suspended mandate still pays',
    finds: /^reference: decide gave `(dispatch|ask)/,
    methods: (real) => ({
      decideProposal: (rows, facts, draft) => {
        const decisionRows: Rows['decisionRows'] = (of) => {
          const read = rows.decisionRows(of);
          const { mandate } = read;
          return { ...read, mandate: mandate && { ...mandate, status: 'active' } };
        };
        return real.decideProposal(rowsWith(rows, { decisionRows }), facts, draft);
      },
    }),
  },
];

const nothingPromised = {
  keyLifetimeMs: undefined,
  canReconcile: false,
  absenceFinalAfterMs: undefined,
} as const;

/** Every attempt looks like the first one; what is written is about the real one. */
function firstAttempts(rows: Rows, operation: Rows['operation']): Rows {
  const apply = (writes: Writes): void =>
    rows.apply({
      ...writes,
      moveOperations: writes.moveOperations.map((move) => {
        const attempt = rows.operation(move.to.opId)?.attempt ?? move.attempt;
        return { ...move, attempt, to: { ...move.to, attempt } };
      }),
    });
  return rowsWith(rows, { operation, apply });
}

function finalStateOf(report: OutcomeReport): 'SUCCEEDED' | 'FAILED' | undefined {
  if (report.class === 'SUCCESS') return 'SUCCEEDED';
  return report.class === 'REJECTED' || report.class === 'NOT_SENT' ? 'FAILED' : undefined;
}

/** Runs the work as if every budget were endless. */
function withoutLimits<T>({ budgets }: MemoryTables, work: () => T): T {
  const limits = new Map([...budgets].map(([id, { limit }]) => [id, limit]));
  for (const [id, row] of budgets) budgets.set(id, { ...row, limit: Number.MAX_SAFE_INTEGER });
  const result = work();
  for (const [id, row] of budgets) budgets.set(id, { ...row, limit: limits.get(id) ?? row.limit });
  return result;
}

/** The operation asks again, and its grant is as good as new. */
function giveBack(tables: MemoryTables, operation: OperationRow): void {
  const approvalId = tables.approvalIdOf.get(operation.opId) ?? '';
  const approval = tables.approvals.get(approvalId);
  if (approval === undefined || decisionCall(tables, operation.opId) === undefined) return;
  tables.approvals.set(approvalId, { ...approval, state: 'GRANTED' });
  putRow(tables, { ...operation, state: 'ASKING' });
  for (const repeats of tables.repeats.values()) {
    for (const set of [repeats.unresolved, repeats.untold]) set.delete(operation.opId);
  }
  tables.reserved.delete(operation.opId);
}

/** A store that does some things otherwise. */
function storeWith(real: Store, changes: Partial<Store>): Store {
  return new Proxy(real, {
    get: (target, name): unknown => {
      const changed: unknown = Reflect.get(changes, name);
      if (changed !== undefined) return changed;
      const own: unknown = Reflect.get(target, name, target);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}
