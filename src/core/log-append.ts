// Appends drafts to a log: seals each one at its place and moves the frontier on. A store writes
// what comes out of it in the transaction of the state change that the leaves describe.
import { type LeafDraft, type LeafStamp, type SealedLeaf, sealLeaf } from './leaf.ts';
import { appendLeafHash, type CompleteNode, type Frontier, isTileNode } from './merkle.ts';

/** A sealed leaf with its place. */
export interface LogEntry extends SealedLeaf {
  readonly seq: number;
  readonly type: LeafDraft['type'];
  readonly opId: string | undefined;
}

/** What one append adds to a log. */
export interface LogAppend {
  readonly frontier: Frontier;
  readonly entries: readonly LogEntry[];
  /** Nodes of higher tiles that were completed. */
  readonly nodes: readonly CompleteNode[];
}

/** Stamp of every leaf of the append; `ts` is never below the last one's. */
export interface AppendStamp extends Omit<LeafStamp, 'seq'> {
  readonly salts: () => Uint8Array;
}

/** Throws `LeafError` or `CanonicalJsonError` for a draft that can be no leaf: nothing may commit then. */
export function appendToLog(
  frontier: Frontier,
  drafts: readonly LeafDraft[],
  stamp: AppendStamp,
): LogAppend {
  const entries: LogEntry[] = [];
  const nodes: CompleteNode[] = [];
  let at = frontier;
  for (const draft of drafts) {
    const seq = at.size;
    const { ts, gw, config, salts } = stamp;
    const { bytes, hash, payload } = sealLeaf(draft, { seq, ts, gw, config, salts });
    const { type, opId } = draft;
    entries.push({ seq, type, opId, bytes, hash, payload });
    const appended = appendLeafHash(at, hash);
    at = appended.frontier;
    if (appended.completed.length > tileHeight)
      nodes.push(...appended.completed.filter(isTileNode));
  }
  return { frontier: at, entries, nodes };
}

/** A leaf completes a tile node only when it completes at least this many levels. */
const tileHeight = 8;
