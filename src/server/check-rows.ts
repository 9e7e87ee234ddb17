// Rows of a store against what its log says: operations, their approvals, budgets. A gateway that
// runs beside moves rows on while they are read: what seems wrong is looked at once more.
import { type LeafStates, readStates, type StoreFault } from '../receipts/log-check.ts';
import type { Store } from '../stores/store.ts';

interface Part {
  readonly count: number;
  readonly faults: readonly StoreFault[];
}

const pageSize = 1_000;

/** Each row is in the state of its last leaf, and each state that a leaf names has its row. */
export async function checkOperations(store: Store, states: Map<string, string>): Promise<Part> {
  const suspects: string[] = [];
  let count = 0;
  for (let after: number | undefined; ; ) {
    const page = await store.readOperations({ after, count: pageSize });
    for (const { row } of page) {
      if (states.get(row.opId) !== row.state) suspects.push(row.opId);
      states.delete(row.opId);
    }
    count += page.length;
    after = page.at(-1)?.n;
    if (after === undefined || page.length < pageSize) break;
  }
  return {
    count,
    faults: await findFaults(store, [...suspects, ...states.keys()], operationStates),
  };
}

/** The same for the operations alone that leaves named. */
export async function checkMoved(store: Store, states: ReadonlyMap<string, string>): Promise<Part> {
  const faults = await findFaults(store, [...states.keys()], operationStates);
  return { count: states.size, faults };
}

/** Each approval is in the state of its last leaf: a used one that is open again could be used again. */
export function checkApprovals(
  store: Store,
  states: ReadonlyMap<string, string>,
): Promise<readonly StoreFault[]> {
  return findFaults(store, [...states.keys()], approvalStates);
}

/** The state of a row, and the one that its leaves lead to. */
interface Compared {
  readonly name: string;
  readonly kept: string | undefined;
  readonly said: string | undefined;
}

type Compare = (store: Store, opId: string, said: LeafStates) => Promise<Compared | undefined>;

const operationStates: Compare = async (store, opId, { operation: said }) => {
  const kept = (await store.readOperation(opId))?.row.state;
  return { name: `operation ${opId}`, kept, said };
};

/** An operation without a row is reported as such. */
const approvalStates: Compare = async (store, opId, { approval: said }) => {
  const operation = await store.readOperation(opId);
  const kept = operation?.approval?.state;
  return operation && { name: `the approval of operation ${opId}`, kept, said };
};

async function findFaults(
  store: Store,
  opIds: readonly string[],
  compare: Compare,
): Promise<readonly StoreFault[]> {
  const faults: StoreFault[] = [];
  for (const opId of opIds) {
    const words = (await differ(store, opId, compare)) && (await differ(store, opId, compare));
    if (words !== undefined) faults.push({ code: 'STATE_MISMATCH', seq: undefined, words });
  }
  return faults;
}

/** Row and leaves are two reads: a move between them differs once, and not again. */
async function differ(store: Store, opId: string, compare: Compare): Promise<string | undefined> {
  const leaves = await store.readLeaves({ opId });
  const compared = await compare(store, opId, readStates(leaves.map(({ bytes }) => bytes)));
  if (compared === undefined || compared.kept === compared.said) return undefined;
  const { name, kept = 'gone', said = 'nothing' } = compared;
  return `${name} is ${kept}, its last leaf says ${said}`;
}

/** A counter is what its entries add up to. */
export async function checkBudgets(store: Store): Promise<Part> {
  const sums = await store.readBudgetSums();
  const faults = sums
    .filter(({ budget, reserved, spent }) => budget.reserved !== reserved || budget.spent !== spent)
    .map(({ budget, reserved, spent }): StoreFault => {
      const words = `budget ${budget.budgetId} says ${budget.reserved} reserved and ${budget.spent} spent, its entries ${reserved} and ${spent}`;
      return { code: 'BUDGET_MISMATCH', seq: undefined, words };
    });
  return { count: sums.length, faults };
}
