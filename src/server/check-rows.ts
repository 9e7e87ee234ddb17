// Rows of a store against what its log says: operations, their approvals, budgets. A gateway that
// runs beside moves rows on while they are read: what seems wrong is looked at once more.
import { type LeafStates, readStates, type StoreFault } from '../receipts/log-check.ts';
import type { Store, StoredOperation } from '../stores/store.ts';

interface Part {
  readonly count: number;
  readonly faults: readonly StoreFault[];
}

const pageSize = 1_000;

/** Each row is in the state of its last leaf, and each state that a leaf names has its row. */
export async function checkOperations(store: Store, states: Map<string, string>): Promise<Part> {
  const suspects = new Map<string, string | undefined>();
  let count = 0;
  for (let after: number | undefined; ; ) {
    const page = await store.readOperations({ after, count: pageSize });
    for (const { row } of page) {
      if (states.get(row.opId) !== row.state) suspects.set(row.opId, row.state);
      states.delete(row.opId);
    }
    count += page.length;
    after = page.at(-1)?.n;
    if (after === undefined || page.length < pageSize) break;
  }
  for (const opId of states.keys()) suspects.set(opId, undefined);
  return { count, faults: await findFaults(store, suspects, operationStates) };
}

/** The same for the operations alone that leaves named. */
export async function checkMoved(store: Store, states: ReadonlyMap<string, string>): Promise<Part> {
  const suspects = await suspected(store, states, (operation) => operation?.row.state);
  return { count: states.size, faults: await findFaults(store, suspects, operationStates) };
}

/** Each approval is in the state of its last leaf: a used one that is open again could be used again. */
export async function checkApprovals(
  store: Store,
  states: ReadonlyMap<string, string>,
): Promise<readonly StoreFault[]> {
  const suspects = await suspected(store, states, (operation) => operation?.approval?.state);
  return findFaults(store, suspects, approvalStates);
}

/** Operations to look at, with the state of their row where it was seen: a row whose first leaf is gone is not found by its id. */
type Suspects = ReadonlyMap<string, string | undefined>;

/** Those whose row is not what the walked leaves say. */
async function suspected(
  store: Store,
  states: ReadonlyMap<string, string>,
  keptOf: (operation: StoredOperation | undefined) => string | undefined,
): Promise<Suspects> {
  const suspects = new Map<string, undefined>();
  for (const [opId, said] of states) {
    if (keptOf(await store.readOperation(opId)) !== said) suspects.set(opId, undefined);
  }
  return suspects;
}

/** The state of a row, and the one that its leaves lead to. */
interface Compared {
  readonly name: string;
  readonly kept: string | undefined;
  readonly said: string | undefined;
}

type Compare = (
  opId: string,
  operation: StoredOperation | undefined,
  of: { readonly seen: string | undefined; readonly said: LeafStates },
) => Compared | undefined;

const operationStates: Compare = (opId, operation, { seen, said }) => ({
  name: `operation ${opId}`,
  kept: operation?.row.state ?? seen,
  said: said.operation,
});

/** An operation without a row is reported as such. */
const approvalStates: Compare = (opId, operation, { said }) =>
  operation && {
    name: `the approval of operation ${opId}`,
    kept: operation.approval?.state,
    said: said.approval,
  };

async function findFaults(
  store: Store,
  suspects: Suspects,
  compare: Compare,
): Promise<readonly StoreFault[]> {
  /** Row and leaves are two reads: a move between them differs once, and not again. */
  const differ = async (opId: string, seen: string | undefined): Promise<string | undefined> => {
    const leaves = await store.readLeaves({ opId });
    const said = readStates(leaves.map(({ bytes }) => bytes));
    const compared = compare(opId, await store.readOperation(opId), { seen, said });
    return compared === undefined ? undefined : difference(compared);
  };
  const faults: StoreFault[] = [];
  for (const [opId, seen] of suspects) {
    const words = (await differ(opId, seen)) && (await differ(opId, seen));
    if (words !== undefined) faults.push({ code: 'STATE_MISMATCH', seq: undefined, words });
  }
  return faults;
}

function difference({ name, kept, said }: Compared): string | undefined {
  if (kept === said) return undefined;
  return `${name} is ${kept ?? 'gone'}, its last leaf says ${said ?? 'nothing'}`;
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
