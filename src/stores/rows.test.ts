// Writes that no store may carry out, tried on the rows of each of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import type { Writes } from '../core/moves/writes.ts';
import { noWrites } from '../core/moves/writes.ts';
import { anApprovalRow, anOperationRow } from '../testing/move-builders.ts';
import {
  aMandateDraft,
  aStoreSettings,
  testBytes,
  testDigest,
  testId,
} from '../testing/store-builders.ts';
import { MemoryLog } from './memory/memory-log.ts';
import { createMemoryTables } from './memory/memory-tables.ts';
import type { Rows } from './rows.ts';
import { openDatabase } from './sqlite/open-database.ts';
import { toStoreError } from './sqlite/sqlite-error.ts';
import { SqliteTransaction } from './sqlite/sqlite-transaction.ts';
import { startStore } from './sqlite/start-store.ts';
import { prepareTables } from './sqlite/tables.ts';
import { joinMandate } from './store-methods.ts';
import { TableRows } from './table-rows.ts';

const nowMs = 1_800_000_000_000;

interface Opened {
  readonly rows: Rows;
  /** Everything that can be seen of the rows, as text. */
  readonly dump: () => string;
  readonly close: () => void;
}

function openMemory(): Opened {
  const tables = createMemoryTables();
  const stamp = { ts: nowMs, gw: '0.1.0', config: testDigest, salts: () => testBytes(32) };
  const dump = (): string =>
    JSON.stringify(tables, (_, value: unknown) =>
      value instanceof Map || value instanceof Set ? [...value] : value,
    );
  return {
    rows: new TableRows(tables, new MemoryLog(tables, stamp, nowMs)),
    dump,
    close: () => {},
  };
}

function openSqlite(): Opened {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  const database = openDatabase(join(folder, 'store.db'));
  const tables = prepareTables(database);
  const settings = aStoreSettings({ nowMs });
  const transaction = new SqliteTransaction(database, tables, settings);
  transaction.begin();
  const { rows } = transaction;
  startStore(rows, { tables, settings });
  const names = [
    'operation',
    'approval',
    'budget',
    'budget_entry',
    'mandate',
    'leaf',
    'payload',
    'history',
    'denial',
    'amendment_draft',
  ];
  return {
    rows: {
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
      apply: (writes) => {
        try {
          transaction.isolated(() => rows.apply(writes));
        } catch (error) {
          throw toStoreError(error);
        }
      },
    },
    dump: () =>
      JSON.stringify([
        names.map((name) => database.prepare(`SELECT * FROM ${name}`).all()),
        tables.log.current,
      ]),
    close: () => {
      transaction.rollback();
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

describe.each([
  { name: 'memory', open: openMemory },
  { name: 'SQLite', open: openSqlite },
])('rows of the $name store', ({ open }) => {
  let opened: Opened;
  let base: Parameters<typeof anOperationRow>[0];
  beforeEach(() => {
    opened = open();
    const budgets = [{ kind: 'amount', limit: 100 }] as const;
    const mandate = joinMandate(opened.rows, aMandateDraft({ mandateId: 'mandate-1', budgets }));
    base = { mandateId: mandate.mandateId, mandateLine: mandate.line };
  });
  afterEach(() => opened.close());

  const proposal = (opId: string): Writes['leaves'][number] => ({
    type: 'proposal',
    opId,
    open: { action: 'a', channel: 'c', raw_bytes: 1 },
    committed: { raw: '{}' },
  });
  const insert = (over: Parameters<typeof anOperationRow>[0] = {}) => {
    const row = anOperationRow({ ...base, opId: testId(), ...over });
    opened.rows.apply({ ...noWrites, insertOperations: [row], leaves: [proposal(row.opId)] });
    return row;
  };
  const codeOf = (writes: Partial<Writes>): string => {
    const before = opened.dump();
    try {
      opened.rows.apply({ ...noWrites, ...writes });
    } catch (error) {
      expect(opened.dump()).toBe(before);
      return String((error as { code?: string }).code);
    }
    return 'applied';
  };
  const reserve = (opId: string, amount: number) =>
    ({
      kind: 'reserve',
      budgetId: 'mandate-1/amount',
      opId,
      amount,
      atMs: nowMs,
      agesMs: undefined,
    }) as const;

  verifies('EXE-01', 'refuse a move that the states do not have', () => {
    const row = insert();
    const to = { ...row, state: 'ASKING' } as const;
    const move = { from: 'DISPATCHING', attempt: 1, to } as const;
    expect(codeOf({ moveOperations: [move] })).toBe('ILLEGAL_MOVE');
  });

  it('refuse a move from a state or attempt that the row does not have', () => {
    const row = insert({ state: 'ASKING', attempt: 0 });
    const to = { ...row, state: 'CLOSED' } as const;
    const move = (over: object) => ({ from: 'ASKING', attempt: 0, to, ...over }) as const;
    expect(codeOf({ moveOperations: [move({ attempt: 1 })] })).toBe('STORE_CONFLICT');
    const unknown = move({ from: 'UNKNOWN', to: { ...to, state: 'FAILED' } });
    expect(codeOf({ moveOperations: [unknown] })).toBe('STORE_CONFLICT');
    expect(codeOf({ moveOperations: [move({ to: { ...to, opId: testId() } })] })).toBe(
      'STORE_CONFLICT',
    );
    expect(codeOf({ moveOperations: [move({})] })).toBe('applied');
  });

  it('refuse a second operation of the same id, and one that is told and not there', () => {
    const row = insert();
    expect(codeOf({ insertOperations: [row], leaves: [proposal(row.opId)] })).toBe(
      'STORE_CONFLICT',
    );
    expect(codeOf({ tellOperations: [testId()] })).toBe('STORE_CONFLICT');
    const refused = testId();
    opened.rows.apply({ ...noWrites, leaves: [proposal(refused)] });
    expect(codeOf({ tellOperations: [refused] })).toBe('STORE_CONFLICT');
    expect(codeOf({ tellOperations: [row.opId] })).toBe('applied');
  });

  verifies(
    'EXE-18',
    'refuse a reservation above the limit, a second one and a frozen budget',
    () => {
      const row = insert();
      const other = insert();
      expect(codeOf({ budgetMoves: [reserve(row.opId, 101)] })).toBe('STORE_CONFLICT');
      expect(codeOf({ budgetMoves: [reserve(row.opId, 100)] })).toBe('applied');
      expect(codeOf({ budgetMoves: [reserve(row.opId, 1)] })).toBe('STORE_CONFLICT');
      expect(codeOf({ budgetMoves: [reserve(other.opId, 1)] })).toBe('STORE_CONFLICT');
      const missing = { ...reserve(other.opId, 1), budgetId: 'nobody/amount' };
      expect(codeOf({ budgetMoves: [missing] })).toBe('STORE_CONFLICT');
    },
  );

  verifies('EXE-19', 'settle and release exactly what is held, once', () => {
    const row = insert();
    expect(codeOf({ budgetMoves: [reserve(row.opId, 10)] })).toBe('applied');
    const end = (kind: 'settle' | 'release', amount: number) => {
      const { opId } = row;
      const move = { opId, budgetId: 'mandate-1/amount', amount };
      return {
        budgetMoves: [kind === 'settle' ? { ...move, kind, actual: amount } : { ...move, kind }],
      };
    };
    expect(codeOf(end('settle', 11))).toBe('STORE_CONFLICT');
    expect(codeOf(end('release', 9))).toBe('STORE_CONFLICT');
    expect(codeOf(end('settle', 10))).toBe('applied');
    expect(codeOf(end('release', 10))).toBe('STORE_CONFLICT');
    expect(opened.rows.reserved(row.opId)).toEqual([]);
  });

  it('refuse a second request for one operation, and moves of another state', () => {
    const row = insert({ state: 'ASKING', attempt: 0, level: 1 });
    const approval = anApprovalRow({ opId: row.opId });
    expect(codeOf({ insertApprovals: [approval] })).toBe('applied');
    expect(codeOf({ insertApprovals: [approval] })).toBe('STORE_CONFLICT');
    const second = { ...approval, approvalId: testId() };
    expect(codeOf({ insertApprovals: [second] })).toBe('STORE_CONFLICT');
    const to = { ...approval, state: 'CONSUMED' } as const;
    expect(codeOf({ moveApprovals: [{ from: 'GRANTED', votes: 0, to }] })).toBe('STORE_CONFLICT');
    expect(codeOf({ tellApprovals: [testId()] })).toBe('STORE_CONFLICT');
  });

  it('refuse a mandate twice, and a change of one whose state is final', () => {
    const mandate = opened.rows.mandate('mandate-1');
    if (mandate === undefined) throw new Error('no mandate');
    expect(codeOf({ insertMandates: [mandate] })).toBe('STORE_CONFLICT');
    const nobody = { ...mandate, mandateId: 'nobody' };
    expect(codeOf({ updateMandates: [nobody] })).toBe('STORE_CONFLICT');
    expect(codeOf({ updateMandates: [{ ...mandate, status: 'revoked' }] })).toBe('applied');
    expect(codeOf({ updateMandates: [mandate] })).toBe('STORE_CONFLICT');
  });
});
