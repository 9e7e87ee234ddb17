// Look-ups of UNKNOWN operations in the memory store.
import { firstCheckAfterMs } from '../../core/moves/next-check.ts';
import type { OperationRow } from '../../core/operation.ts';
import type { CheckDone, CheckJob, CheckRow, CheckWish } from '../check-job.ts';
import type { MemoryTables } from './memory-tables.ts';

interface Clock {
  readonly processId: string;
  readonly nowMs: number;
}

export function claimCheck(
  tables: MemoryTables,
  { leaseMs, opId }: CheckWish,
  { processId, nowMs }: Clock,
): CheckJob | undefined {
  const [next] = [...tables.operations.values()]
    .filter((row) => row.state === 'UNKNOWN' && (opId === undefined || row.opId === opId))
    .map((row) => ({ row, check: checkOf(tables, row) }))
    .filter(({ check }) => check.leaseUntilMs <= nowMs)
    .filter(({ check }) => opId !== undefined || check.dueMs <= nowMs)
    .toSorted((a, b) => a.check.dueMs - b.check.dueMs);
  if (next === undefined) return undefined;
  const { row, check } = next;
  const leased = { ...check, leaseOwner: processId, leaseUntilMs: nowMs + leaseMs };
  tables.checks.set(row.opId, leased);
  return toJob(row, leased, nowMs);
}

/** Another attempt is looked for anew; how long the operation is UNKNOWN already stays known. */
function checkOf(tables: MemoryTables, { opId, attempt, movedMs }: OperationRow): CheckRow {
  const known = tables.checks.get(opId);
  const dueMs = movedMs + firstCheckAfterMs;
  if (known?.attempt === attempt) return known;
  const free = { leaseOwner: undefined, leaseUntilMs: 0 };
  const first = { firstUnknownMs: movedMs, alarmedMs: undefined, ...free, ...known };
  return { ...first, attempt, checks: 0, dueMs };
}

function toJob({ opId, movedMs }: OperationRow, check: CheckRow, nowMs: number): CheckJob {
  const { attempt, firstUnknownMs, checks, alarmedMs } = check;
  return { opId, attempt, unknownSinceMs: movedMs, firstUnknownMs, checks, alarmedMs, nowMs };
}

/** False when the lease is somebody else's; the row of a settled operation is dropped. */
export function finishCheck(
  tables: MemoryTables,
  { opId, attempt, checks, dueMs, alarmedMs }: CheckDone,
  processId: string,
): boolean {
  const known = tables.checks.get(opId);
  if (known?.leaseOwner !== processId || known.attempt !== attempt) return false;
  const state = tables.operations.get(opId)?.state;
  if (state === 'SUCCEEDED' || state === 'FAILED') tables.checks.delete(opId);
  const free = { leaseOwner: undefined, leaseUntilMs: 0 };
  if (state === 'UNKNOWN' || state === 'DISPATCHING') {
    tables.checks.set(opId, { ...known, checks, dueMs, alarmedMs, ...free });
  }
  return state === 'UNKNOWN';
}
