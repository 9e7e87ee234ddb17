// Walks a whole store: the log, the rows that follow from it, and the budgets.

import {
  emptyFrontier,
  type Frontier,
  frontierAt,
  frontierRoot,
  isSameHash,
} from '../core/merkle.ts';
import { completeNodes } from '../core/merkle-path.ts';
import { parseCheckpoint } from '../receipts/checkpoint.ts';
import { LogCheck, type StoreFault } from '../receipts/log-check.ts';
import { parseNote } from '../receipts/signed-note.ts';
import { isRefusal } from '../stores/restart-refused.ts';
import {
  type GuardedTree,
  type LogGuard,
  type SignedCheckpoint,
  type Store,
  StoreError,
} from '../stores/store.ts';
import { checkApprovals, checkBudgets, checkMoved, checkOperations } from './check-rows.ts';
import { readSections } from './log-sections.ts';

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

/** Leaves that are taken as checked; without a root whatever the nodes of the store lead to. */
export interface CheckedTree {
  readonly size: number;
  readonly root?: Uint8Array;
}

/** Reads everything once, in pages; writes nothing. With `since` only what was written after that size. */
export async function fsckStore(
  store: Store,
  guard?: LogGuard,
  since?: CheckedTree,
): Promise<StoreWalk> {
  const damage = since === undefined ? await store.checkFile('full') : undefined;
  const signed = await store.readCheckpoints(since?.size);
  const guarded = await guardedTree(store, guard);
  const start = since === undefined ? emptyFrontier : await frontierOf(store, since);
  const check = new LogCheck('tree' in guarded ? [...signed, ...guarded.tree] : signed, start);
  const tree = await store.readTree();
  await walkLeaves(store, check, { from: start.size, size: tree.size });
  check.end(tree);
  const operations =
    since === undefined
      ? await checkOperations(store, check.states)
      : await checkMoved(store, check.states);
  const approvals = await checkApprovals(store, check.approvals);
  const budgets = await checkBudgets(store);
  return {
    leaves: check.size - start.size,
    operations: operations.count,
    budgets: budgets.count,
    checkpoints: signed.length,
    faults: [
      ...(damage === undefined ? [] : [fileFault(damage)]),
      ...check.faults,
      ...('fault' in guarded ? [guarded.fault] : []),
      ...signed.flatMap(checkNote),
      ...operations.faults,
      ...approvals,
      ...budgets.faults,
    ],
  };
}

/** What the database says about its own pages. */
export const fileFault = (words: string): StoreFault => ({
  ...{ code: 'FILE_DAMAGED', seq: undefined },
  words: `the database file is damaged: ${words.slice(0, 200)}`,
});

async function walkLeaves(
  store: Store,
  check: LogCheck,
  range: { readonly from: number; readonly size: number },
): Promise<void> {
  const { size } = range;
  for (let from = range.from; from < size; from += pageSize) {
    const leaves = await store.readLeaves({ from, count: pageSize });
    for (const leaf of leaves) if (leaf.seq < size) check.add(leaf);
    for (const node of check.takeTiles()) {
      check.compareTile(node, await keptNode(store, node.level, node.index));
    }
    if (leaves.length < pageSize) break;
  }
  // A redaction that came meanwhile names what was there when the tree was read.
  for (let from = size; check.isMissingValues; from += pageSize) {
    const leaves = await store.readLeaves({ from, count: pageSize });
    for (const leaf of leaves) check.addLater(leaf.bytes);
    if (leaves.length < pageSize) break;
  }
}

/** Throws `StoreError` when the first leaves are not those of the checkpoint. */
async function frontierOf(store: Store, { size, root }: CheckedTree): Promise<Frontier> {
  const nodes: Uint8Array[] = [];
  try {
    for (const { level, index } of completeNodes({ start: 0, end: size })) {
      nodes.push(await store.readNode(level, index));
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw otherLog(`its log has fewer than ${size} leaves`);
  }
  const frontier = frontierAt(size, () => nodes.shift() as Uint8Array);
  if (root !== undefined && !isSameHash(frontierRoot(frontier), root)) {
    throw otherLog(`its first ${size} leaves have another root`);
  }
  return frontier;
}

function otherLog(what: string): StoreError {
  return new StoreError(
    'LOG_STATE_BAD',
    `the store is not the one of the checkpoint: ${what}. Run \`intentplane fsck\` without --since`,
  );
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

/** A checkpoint is handed out as its note: that must say what the row beside it says. */
function checkNote({ size, root, note }: SignedCheckpoint): readonly StoreFault[] {
  const parsed = parseNote(note);
  const said = parsed.ok ? parseCheckpoint(parsed.value.text) : undefined;
  if (said?.ok !== true) return [];
  if (said.value.size === size && isSameHash(said.value.root, root)) return [];
  const words = `the signed note of ${size} leaves says something else: it was changed`;
  return [{ code: 'CHECKPOINT_MISMATCH', seq: undefined, words }];
}
