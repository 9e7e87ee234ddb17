// A store whose log may not be signed any more goes on under another origin, with everything stopped.
import { frontierRoot } from '../../core/merkle.ts';
import { planRestart, type RestartRows } from '../../core/moves/plan-restart.ts';
import { checkRestartNames, isRefusal, notNeeded, stillRunning } from '../restart-refused.ts';
import { sortProcesses } from '../sort-processes.ts';
import type {
  GuardedTree,
  LogGuard,
  RestartReport,
  RestartRequest,
  StoreSettings,
} from '../store.ts';
import { isOpenState } from './approval-table.ts';
import { checkGuardAtStart } from './guard-log.ts';
import { checkRootAt } from './log-state.ts';
import type { PlannedRows } from './planned-rows.ts';
import { lockProcesses, toProcesses } from './process-table.ts';
import { secretSizeBytes } from './start-store.ts';
import type { Statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** `useSecret` is told the secret of the store before the first leaf is stamped with it. */
export async function restartStore(
  transaction: Transaction,
  context: {
    readonly settings: StoreSettings;
    readonly useSecret: (secret: Uint8Array) => void;
    readonly request: RestartRequest;
  },
): Promise<RestartReport> {
  const { settings, useSecret, request } = context;
  const [processes, metas] = await transaction.read([lockProcesses, selectMeta]);
  const meta = metas?.rows[0] as readonly [string, Uint8Array] | undefined;
  const known = meta?.[0] ?? settings.origin;
  checkRestartNames(request, known);
  const { others } = sortProcesses(processes === undefined ? [] : toProcesses(processes), settings);
  if (others.length > 0) throw stillRunning(others.length);
  const guard = await refusingGuard(transaction, settings, known);
  const tree = await readTree(transaction);
  const secret = meta === undefined ? settings.random(secretSizeBytes) : Uint8Array.from(meta[1]);
  useSecret(secret);
  // INVARIANT: the old name ends before the new one is durable. Between the two every start is
  // refused, and the same restart can be run again.
  const signed = guard.replace({ origin: request.oldOrigin, tree }, request.origin);
  await transaction.write([putMeta(request.origin, secret), freezeAll]);
  return stopEverything(transaction, { request, tree, signed });
}

const selectMeta: Statement = { sql: 'SELECT origin, secret FROM intentplane.meta FOR UPDATE' };
const freezeAll: Statement = {
  sql: 'UPDATE intentplane.budget SET frozen = true WHERE NOT frozen',
};

function putMeta(origin: string, secret: Uint8Array): Statement {
  return {
    sql: `INSERT INTO intentplane.meta (id, origin, secret) VALUES (1, $1, $2)
      ON CONFLICT (id) DO UPDATE SET origin = excluded.origin`,
    values: [origin, secret],
    expect: 1,
  };
}

/** The guard that refuses a start; throws when nothing does. */
async function refusingGuard(
  transaction: Transaction,
  { guard }: StoreSettings,
  origin: string,
): Promise<LogGuard> {
  if (guard === undefined) throw notNeeded();
  try {
    const isNew = (await transaction.lockLog()).frontier.size === 0;
    // A log that could begin here is not refused: it would make its guard.
    if (isNew && guard.read(origin) === undefined) throw notNeeded();
    await checkGuardAtStart(transaction, guard, { origin, isNew: false });
  } catch (error) {
    if (isRefusal(error)) return guard;
    throw error;
  }
  throw notNeeded();
}

async function readTree(transaction: Transaction): Promise<GuardedTree> {
  const { frontier } = await transaction.lockLog();
  const tree = { size: frontier.size, root: frontierRoot(frontier) };
  await checkRootAt(tree, (statements) => transaction.read(statements));
  return tree;
}

async function stopEverything(
  transaction: Transaction,
  terms: {
    readonly request: RestartRequest;
    readonly tree: GuardedTree;
    readonly signed: GuardedTree | undefined;
  },
): Promise<RestartReport> {
  const { request, tree, signed } = terms;
  const [mandates, approvals] = await transaction.read([
    { sql: `SELECT mandate_id FROM intentplane.mandate WHERE status = 'active' ORDER BY n` },
    {
      sql: `SELECT approval_id FROM intentplane.approval WHERE ${isOpenState} ORDER BY approval_id`,
    },
  ]);
  const ids = (rows: readonly (readonly unknown[])[] = []): readonly string[] =>
    rows.map(([id]) => id as string);
  const [mandateIds, approvalIds] = [ids(mandates?.rows), ids(approvals?.rows)];
  await transaction.change({ mandateIds, approvalIds }, (rows) => {
    const found = rowsOf(rows, { mandateIds, approvalIds });
    rows.apply(planRestart({ ...request, tree, signed }, found));
  });
  return {
    origin: request.origin,
    oldSize: tree.size,
    signedSize: signed?.size,
    suspendedMandates: mandateIds,
    voidedApprovals: approvalIds,
  };
}

function rowsOf(
  rows: PlannedRows,
  ids: { readonly mandateIds: readonly string[]; readonly approvalIds: readonly string[] },
): RestartRows {
  return {
    nowMs: rows.nowMs,
    activeMandates: ids.mandateIds.flatMap((id) => rows.mandate(id) ?? []),
    openRequests: ids.approvalIds.flatMap((id) => {
      const { approval, operation } = rows.answerRows(id);
      return approval === undefined || operation === undefined ? [] : [{ approval, operation }];
    }),
  };
}
