// Walks a whole store: the log, the rows that follow from it, and the budgets.

import { isSameHash } from '../core/merkle.ts';
import { parseCheckpoint } from '../receipts/checkpoint.ts';
import { LogCheck, type StoreFault } from '../receipts/log-check.ts';
import { parseNote } from '../receipts/signed-note.ts';
import type { GuardedTree, LogGuard, SignedCheckpoint, Store } from '../stores/store.ts';

export interface StoreWalk {
  readonly leaves: number;
  readonly operations: number;
  readonly budgets: number;
  readonly checkpoints: number;
  /** In the order they were found; leaves first. */
  readonly faults: readonly StoreFault[];
}

/** What to do about faults: nothing here mends itself, and nothing may be built on it. */
export const faultsWayOut =
  'stop every gateway on this store, keep it as evidence, and put back a copy that fsck finds whole and the guard accepts';

const pageSize = 1_000;

/** Reads everything once, in pages; writes nothing. */
export async function fsckStore(store: Store, guard?: LogGuard): Promise<StoreWalk> {
  const signed = await store.readCheckpoints();
  const guarded = await guardedTree(store, guard);
  const check = new LogCheck(guarded === undefined ? signed : [...signed, guarded]);
  const tree = await store.readTree();
  for (let from = 0; ; from += pageSize) {
    const leaves = await store.readLeaves({ from, count: pageSize });
    for (const leaf of leaves) if (leaf.seq < tree.size) check.add(leaf);
    for (const node of check.takeTiles()) {
      check.compareTile(node, await keptNode(store, node.level, node.index));
    }
    if (leaves.length < pageSize || from + pageSize >= tree.size) break;
  }
  check.end(tree);
  const operations = await checkOperations(store, check.states);
  const approvals = await checkApprovals(store, check.approvals);
  const budgets = await checkBudgets(store);
  return {
    leaves: check.size,
    operations: operations.count,
    budgets: budgets.count,
    checkpoints: signed.length,
    faults: [
      ...check.faults,
      ...signed.flatMap(checkNote),
      ...operations.faults,
      ...approvals,
      ...budgets.faults,
    ],
  };
}

/** What was signed last as far as the guard knows; the store says which log it is. */
async function guardedTree(
  store: Store,
  guard: LogGuard | undefined,
): Promise<GuardedTree | undefined> {
  const [first] = await store.readLeaves({ from: 0, count: 1 });
  if (first === undefined || guard === undefined) return undefined;
  const { origin } = JSON.parse(new TextDecoder().decode(first.bytes)) as { origin?: string };
  return origin === undefined ? undefined : guard.read(origin);
}

async function keptNode(
  store: Store,
  level: number,
  index: number,
): Promise<Uint8Array | undefined> {
  try {
    return await store.readNode(level, index);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Part {
  readonly count: number;
  readonly faults: readonly StoreFault[];
}

/** Each row is in the state of its last leaf, and each state that a leaf names has its row. */
async function checkOperations(store: Store, states: Map<string, string>): Promise<Part> {
  const faults: StoreFault[] = [];
  const report = (opId: string, words: string): void => {
    faults.push({ code: 'STATE_MISMATCH', seq: undefined, words: `operation ${opId} ${words}` });
  };
  let count = 0;
  for (let after: number | undefined; ; ) {
    const page = await store.readOperations({ after, count: pageSize });
    for (const { row } of page) {
      const said = states.get(row.opId);
      states.delete(row.opId);
      if (said !== row.state)
        report(row.opId, `is ${row.state}, its last leaf says ${said ?? 'nothing'}`);
    }
    count += page.length;
    after = page.at(-1)?.n;
    if (after === undefined || page.length < pageSize) break;
  }
  for (const [opId, state] of states) report(opId, `is ${state} in its last leaf and has no row`);
  return { count, faults };
}

/** Each approval is in the state of its last leaf: a used one that is open again could be used again. */
async function checkApprovals(
  store: Store,
  states: ReadonlyMap<string, string>,
): Promise<readonly StoreFault[]> {
  const faults: StoreFault[] = [];
  for (const [opId, said] of states) {
    const operation = await store.readOperation(opId);
    // An operation without a row is reported as such.
    if (operation === undefined || operation.approval?.state === said) continue;
    const words = `the approval of operation ${opId} is ${operation.approval?.state ?? 'gone'}, its last leaf says ${said}`;
    faults.push({ code: 'STATE_MISMATCH', seq: undefined, words });
  }
  return faults;
}

/** A checkpoint is handed out as its note: that must say what the row beside it says. */
function checkNote({ size, root, note }: SignedCheckpoint): readonly StoreFault[] {
  const parsed = parseNote(note);
  const said = parsed.ok ? parseCheckpoint(parsed.value.text) : undefined;
  if (said?.ok !== true) return [];
  if (said.value.size === size && isSameHash(said.value.root, root)) return [];
  const words = `the signed note of ${size} leaves says something else: it was changed`;
  return [{ code: 'CHECKPOINT_MISMATCH', seq: undefined, words }];
}

/** A counter is what its entries add up to. */
async function checkBudgets(store: Store): Promise<Part> {
  const sums = await store.readBudgetSums();
  const faults = sums
    .filter(({ budget, reserved, spent }) => budget.reserved !== reserved || budget.spent !== spent)
    .map(({ budget, reserved, spent }): StoreFault => {
      const words = `budget ${budget.budgetId} says ${budget.reserved} reserved and ${budget.spent} spent, its entries ${reserved} and ${spent}`;
      return { code: 'BUDGET_MISMATCH', seq: undefined, words };
    });
  return { count: sums.length, faults };
}
