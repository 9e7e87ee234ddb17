// A store whose log may not be signed any more goes on under another origin, with everything stopped.
import { planRestart } from '../../core/moves/plan-restart.ts';
import { checkRestartNames, isRefusal, notNeeded, stillRunning } from '../restart-refused.ts';
import { sortProcesses } from '../sort-processes.ts';
import type { GuardedTree, LogGuard, RestartReport, RestartRequest } from '../store.ts';
import type { SqliteRows } from './sqlite-rows.ts';
import { checkGuard, type StartContext, secretSizeBytes } from './start-store.ts';

export function restartStore(
  rows: SqliteRows,
  context: StartContext,
  request: RestartRequest,
): RestartReport {
  const { tables, settings } = context;
  const { log, meta, processes } = tables;
  const known = meta.read();
  checkRestartNames(request, known?.origin ?? settings.origin);
  const { others } = sortProcesses(processes.all(), settings);
  if (others.length > 0) throw stillRunning(others.length);
  const guard = refusingGuard(context);
  const tree = log.current;
  log.checkRootAt(tree.size, tree.root);
  // INVARIANT: the old name ends before the new one is durable. Between the two every start is
  // refused, and the same restart can be run again.
  const signed = guard.replace({ origin: request.oldOrigin, tree }, request.origin);
  if (known !== undefined) meta.rename(request.origin);
  else meta.insert({ origin: request.origin, secret: settings.random(secretSizeBytes) });
  return stopEverything(rows, context, { request, tree, signed });
}

/** The guard that refuses a start; throws when nothing does. */
function refusingGuard(context: StartContext): LogGuard {
  const { guard } = context.settings;
  if (guard === undefined) throw notNeeded();
  try {
    checkGuard(context, { mayBegin: false });
  } catch (error) {
    if (isRefusal(error)) return guard;
    throw error;
  }
  throw notNeeded();
}

function stopEverything(
  rows: SqliteRows,
  { tables }: StartContext,
  terms: {
    readonly request: RestartRequest;
    readonly tree: GuardedTree;
    readonly signed: GuardedTree | undefined;
  },
): RestartReport {
  const { request, tree, signed } = terms;
  const activeMandates = tables.mandates.active();
  const openRequests = tables.approvals.allOpen().flatMap((approval) => {
    const operation = rows.operation(approval.opId);
    return operation === undefined ? [] : [{ approval, operation }];
  });
  const { nowMs } = rows;
  rows.apply(planRestart({ ...request, tree, signed }, { nowMs, activeMandates, openRequests }));
  tables.budgets.freezeAll();
  return {
    origin: request.origin,
    oldSize: tree.size,
    signedSize: signed?.size,
    suspendedMandates: activeMandates.map(({ mandateId }) => mandateId),
    voidedApprovals: openRequests.map(({ approval }) => approval.approvalId),
  };
}
