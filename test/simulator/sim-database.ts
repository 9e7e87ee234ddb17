// What survives: the rows and the log of all processes of one history. A transaction is applied at
// one moment and is durable when it is acknowledged; until then a power cut may take it away, and
// with it everything after it.
import type { AppendStamp } from '../../src/core/log-append.ts';
import { configStamp } from '../../src/stores/config-stamp.ts';
import { MemoryLog } from '../../src/stores/memory/memory-log.ts';
import { createMemoryTables, type MemoryTables } from '../../src/stores/memory/memory-tables.ts';
import type { Repeats } from '../../src/stores/row-tables.ts';
import type { ProcessIdentity } from '../../src/stores/store.ts';
import { TableRows } from '../../src/stores/table-rows.ts';
import type { Random } from './random.ts';

/** Something beside the rows that has to go back with them. */
export interface Companion {
  keep(): () => void;
}

interface Unsynced {
  readonly number: number;
  readonly undo: () => void;
}

export interface Committed<T> {
  readonly number: number;
  readonly value: T;
  /** Store time of the transaction. */
  readonly nowMs: number;
}

/** A process as the others know it. */
export type RegisteredProcess = ProcessIdentity & { readonly heartbeatMs: number };

export class SimDatabase {
  readonly secret: Uint8Array;
  readonly processes: Map<string, RegisteredProcess> = new Map();
  readonly #config: string;
  readonly #companions: Companion[] = [];
  #tables = createMemoryTables();
  #unsynced: Unsynced[] = [];
  #commits = 0;

  constructor(random: Random) {
    this.secret = random.bytes(32);
    this.#config = configStamp(this.secret, 'cd'.repeat(32));
  }

  get tables(): MemoryTables {
    return this.#tables;
  }

  /** Every transaction up to this number survives whatever comes. */
  get durableUpTo(): number {
    return (this.#unsynced[0]?.number ?? this.#commits + 1) - 1;
  }

  get commits(): number {
    return this.#commits;
  }

  /** Keeps the state of something that describes the rows together with them. */
  accompany(companion: Companion): void {
    this.#companions.push(companion);
  }

  /** All or nothing; what it throws undoes the whole of it. */
  commit<T>(
    process: { readonly nowMs: number; readonly salts: () => Uint8Array },
    work: (rows: TableRows) => T,
  ): Committed<T> {
    const undo = this.#keep();
    try {
      const rows = this.rows(process);
      const value = work(rows);
      this.#commits += 1;
      const number = this.#commits;
      this.#unsynced.push({ number, undo });
      return { number, value, nowMs: rows.nowMs };
    } catch (error) {
      undo();
      throw error;
    }
  }

  /** Rows as one process sees them now. */
  rows({ nowMs, salts }: { readonly nowMs: number; readonly salts: () => Uint8Array }): TableRows {
    const ts = Math.max(nowMs, this.#tables.lastMs);
    const stamp: AppendStamp = { ts, gw: '0.1.0', config: this.#config, salts };
    return new TableRows(this.#tables, new MemoryLog(this.#tables, stamp, nowMs));
  }

  /** The disk has it, and so everything before it. */
  sync(number: number): void {
    this.#unsynced = this.#unsynced.filter((each) => each.number > number);
  }

  /** The power goes: some of what was never acknowledged is lost, the newest first. */
  loseTail(random: Random): number {
    const kept = random.below(this.#unsynced.length + 1);
    const lost = this.#unsynced.splice(kept);
    lost[0]?.undo();
    if (lost[0] !== undefined) this.#commits = lost[0].number - 1;
    this.#unsynced = [];
    return lost.length;
  }

  #keep(): () => void {
    const before = copyTables(this.#tables);
    const processes = [...this.processes];
    const undos = this.#companions.map((companion) => companion.keep());
    return () => {
      this.#tables = before;
      this.processes.clear();
      for (const [id, each] of processes) this.processes.set(id, each);
      for (const undo of undos) undo();
    };
  }
}

/** Rows are replaced and never changed, so only what holds them is copied. */
function copyTables(tables: MemoryTables): MemoryTables {
  return {
    ...createMemoryTables(),
    operations: new Map(tables.operations),
    repeats: new Map([...tables.repeats].map(([key, each]) => [key, copyRepeats(each)])),
    reserved: new Map(tables.reserved),
    spent: new Map(tables.spent),
    once: new Map(tables.once),
    history: new Map(tables.history),
    denials: new Map(tables.denials),
    drafts: new Map(tables.drafts),
    checks: new Map(tables.checks),
    approvals: new Map(tables.approvals),
    approvalIdOf: new Map(tables.approvalIdOf),
    openApprovals: new Set(tables.openApprovals),
    mandates: new Map(tables.mandates),
    budgets: new Map(tables.budgets),
    leaves: [...tables.leaves],
    seqsOf: new Map([...tables.seqsOf].map(([key, seqs]) => [key, [...seqs]])),
    hashes: tables.hashes.map((level) => [...level]),
    frontier: tables.frontier,
    lastMs: tables.lastMs,
    checkpoint: tables.checkpoint,
  };
}

const copyRepeats = (each: Repeats): Repeats => ({
  ...each,
  unresolved: new Set(each.unresolved),
  untold: new Set(each.untold),
});
