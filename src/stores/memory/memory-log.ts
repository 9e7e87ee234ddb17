// The log of the memory store as its rows use it.
import type { LeafDraft } from '../../core/leaf.ts';
import { type AppendStamp, appendToLog, type LogAppend } from '../../core/log-append.ts';
import type { RowLog } from '../row-tables.ts';
import type { MemoryTables } from './memory-tables.ts';
import { openingText } from './read-leaves.ts';

export class MemoryLog implements RowLog {
  readonly #tables: MemoryTables;
  readonly #stamp: AppendStamp;
  readonly clockBehindMs: number;

  constructor(tables: MemoryTables, stamp: AppendStamp, clockMs: number) {
    this.#tables = tables;
    this.#stamp = stamp;
    this.clockBehindMs = stamp.ts - clockMs;
  }

  get nowMs(): number {
    return this.#stamp.ts;
  }

  decisionText(opId: string, field: 'preimage' | 'call'): string | undefined {
    return openingText(this.#tables, { opId, type: 'decision', field });
  }

  append(leaves: readonly LeafDraft[]): void {
    addLeaves(this.#tables, appendToLog(this.#tables.frontier, leaves, this.#stamp));
    this.#tables.lastMs = this.#stamp.ts;
  }
}

function addLeaves(tables: MemoryTables, { frontier, entries, nodes }: LogAppend): void {
  tables.frontier = frontier;
  for (const { seq, type, opId, bytes, hash, payload } of entries) {
    tables.leaves.push({ seq, type, opId, bytes, hash, payload });
    tables.hashes[0]?.push(hash);
    if (opId === undefined) continue;
    const seqs = tables.seqsOf.get(opId);
    if (seqs === undefined) tables.seqsOf.set(opId, [seq]);
    else seqs.push(seq);
  }
  for (const { level, hash } of nodes) {
    const tileLevel = level / 8;
    const tile = tables.hashes[tileLevel];
    if (tile === undefined) tables.hashes[tileLevel] = [hash];
    else tile.push(hash);
  }
}
