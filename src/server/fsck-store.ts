// Walks a whole store: the log, the rows that follow from it, and the budgets.
import { LogCheck, type StoreFault } from '../receipts/log-check.ts';
import { isRefusal } from '../stores/restart-refused.ts';
import type { GuardedTree, LogGuard, Store } from '../stores/store.ts';
import { readSections } from './log-sections.ts';

export interface StoreWalk {
  readonly leaves: number;
  readonly operations: number;
  readonly budgets: number;
  readonly checkpoints: number;
  /** In the order they were found; leaves first. */
  readonly faults: readonly StoreFault[];
}

const pageSize = 1_000;

/** Reads everything once, in pages; writes nothing. */
export async function fsckStore(store: Store, guard?: LogGuard): Promise<StoreWalk> {
  const signed = await store.readCheckpoints();
  const guarded = await guardedTree(store, guard);
  const check = new LogCheck('tree' in guarded ? [...signed, ...guarded.tree] : signed);
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
  const budgets = await checkBudgets(store);
  return {
    leaves: check.size,
    operations: operations.count,
    budgets: budgets.count,
    checkpoints: signed.length,
    faults: [
      ...check.faults,
      ...('fault' in guarded ? [guarded.fault] : []),
      ...operations.faults,
      ...budgets.faults,
    ],
  };
}

/** What was signed last as far as the guard knows; a guard of another log is a fault. */
async function guardedTree(
  store: Store,
  guard: LogGuard | undefined,
): Promise<{ readonly tree: readonly GuardedTree[] } | { readonly fault: StoreFault }> {
  const origin = (await readSections(store)).at(-1)?.origin;
  if (origin === undefined || guard === undefined) return { tree: [] };
  try {
    const tree = guard.read(origin);
    return { tree: tree === undefined ? [] : [tree] };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { fault: { code: 'CHECKPOINT_MISMATCH', seq: undefined, words: error.message } };
  }
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
