// The log inside a transaction: its one row of state, and the leaves that are appended to it.
import type { CanonicalValue } from '../../core/canonical-json.ts';
import type { LeafDraft } from '../../core/leaf.ts';
import { type AppendStamp, appendToLog, type LogEntry } from '../../core/log-append.ts';
import {
  type CompleteNode,
  decodeFrontier,
  encodeFrontier,
  type Frontier,
  frontierAt,
  frontierRoot,
  isSameHash,
  tileHashesOf,
  tileNodeReader,
} from '../../core/merkle.ts';
import { completeNodes, type NodeAddress } from '../../core/merkle-path.ts';
import { encodePayload } from '../payload-text.ts';
import type { RowLog } from '../row-tables.ts';
import { StoreError } from '../store.ts';
import type { Answer } from './connection.ts';
import { type Column, insertRows, type SqlRow, type Statement } from './statement.ts';

export interface LogRow {
  readonly frontier: Frontier;
  readonly lastMs: number;
}

/** Taken last of all locks, and held until the commit: it numbers the leaves of all processes. */
export const lockLog: Statement = {
  sql: 'SELECT size, root, frontier, last_ms FROM intentplane.log_state FOR UPDATE',
};

/** Throws `LOG_STATE_BAD` when the root does not follow from the frontier. */
export function toLogRow(row: SqlRow | undefined): LogRow {
  if (row === undefined) throw badState('its state is missing');
  const [size, root, bytes, lastMs] = row as [number, Uint8Array, Uint8Array, number];
  const frontier = decodeFrontier(size, Uint8Array.from(bytes));
  if (frontier === undefined || !isSameHash(frontierRoot(frontier), root)) {
    throw badState('its root does not follow from its frontier');
  }
  return { frontier, lastMs };
}

export function badState(what: string): StoreError {
  return new StoreError(
    'LOG_STATE_BAD',
    `the receipt log was changed from outside: ${what}. Run \`intentplane fsck\`, and put a whole store back`,
    { fatal: true },
  );
}

type Decisions = ReadonlyMap<string, Readonly<Record<string, CanonicalValue>>>;

/** What the plans of one transaction append, in memory until it is written. */
export class TransactionLog implements RowLog {
  readonly #stamp: AppendStamp;
  readonly #before: LogRow;
  readonly #decisions: Decisions;
  readonly #entries: LogEntry[] = [];
  readonly #nodes: CompleteNode[] = [];
  #frontier: Frontier;

  constructor(before: LogRow, stamp: AppendStamp, decisions: Decisions) {
    this.#before = before;
    this.#stamp = stamp;
    this.#decisions = decisions;
    this.#frontier = before.frontier;
  }

  get nowMs(): number {
    return this.#stamp.ts;
  }

  get size(): number {
    return this.#frontier.size;
  }

  decisionText(opId: string, field: 'preimage' | 'call'): string | undefined {
    return this.#decisions.get(opId)?.[field] as string | undefined;
  }

  append(leaves: readonly LeafDraft[]): void {
    const { frontier, entries, nodes } = appendToLog(this.#frontier, leaves, this.#stamp);
    this.#entries.push(...entries);
    this.#nodes.push(...nodes);
    this.#frontier = frontier;
  }

  /** `seq` of the proposal leaf of an operation that this transaction inserts. */
  proposalOf(opId: string): number {
    const entry = this.#entries.find((each) => each.type === 'proposal' && each.opId === opId);
    if (entry === undefined) throw new StoreError('STORE_CONFLICT', `no operation \`${opId}\``);
    return entry.seq;
  }

  /** Leaves, nodes and the new state. */
  statements(): readonly Statement[] {
    if (this.#entries.length === 0) return [];
    const payloads = this.#entries.flatMap(({ seq, payload }) => {
      const fields = encodePayload(payload);
      return fields === undefined ? [] : [{ seq, fields }];
    });
    const frontier = this.#frontier;
    return [
      ...insertRows('leaf', leafColumns, this.#entries),
      ...insertRows('payload', payloadColumns, payloads),
      ...insertRows('tile', tileColumns, this.#nodes),
      {
        sql: `UPDATE intentplane.log_state SET size = $1, root = $2, frontier = $3, last_ms = $4
          WHERE id = 1 AND size = $5`,
        values: [
          ...[frontier.size, frontierRoot(frontier), encodeFrontier(frontier)],
          ...[this.nowMs, this.#before.frontier.size],
        ],
        expect: 1,
      },
    ];
  }
}

const leafColumns: readonly Column<LogEntry>[] = [
  { name: 'seq', type: 'bigint', read: ({ seq }) => seq },
  { name: 'hash', type: 'bytea', read: ({ hash }) => hash },
  { name: 'type', type: 'text', read: ({ type }) => type },
  { name: 'op_id', type: 'text', read: ({ opId }) => opId },
  { name: 'bytes', type: 'bytea', read: ({ bytes }) => bytes },
];

interface PayloadRow {
  readonly seq: number;
  readonly fields: string;
}

const payloadColumns: readonly Column<PayloadRow>[] = [
  { name: 'seq', type: 'bigint', read: ({ seq }) => seq },
  { name: 'fields', type: 'text', read: ({ fields }) => fields },
];

const tileColumns: readonly Column<CompleteNode>[] = [
  { name: 'tile_level', type: 'integer', read: ({ level }) => level / 8 },
  { name: 'idx', type: 'bigint', read: ({ index }) => index },
  { name: 'hash', type: 'bytea', read: ({ hash }) => hash },
];

/** The hashes that a complete node is computed from. */
export function selectNode({ level, index }: NodeAddress): Statement {
  const { tileLevel, start, count } = tileHashesOf(level, index);
  return tileLevel === 0
    ? {
        sql: 'SELECT hash FROM intentplane.leaf WHERE seq >= $1 ORDER BY seq LIMIT $2',
        values: [start, count],
      }
    : {
        sql: `SELECT hash FROM intentplane.tile WHERE tile_level = $1 AND idx >= $2
          ORDER BY idx LIMIT $3`,
        values: [tileLevel, start, count],
      };
}

/** Throws `RangeError` when some of them are missing. */
export function toNode({ level, index }: NodeAddress, { rows }: Answer): Uint8Array {
  return tileNodeReader(() => rows.map(([hash]) => hash as Uint8Array))(level, index);
}

/** Throws `LOG_STATE_BAD` when the tree of that size, recomputed, has another root. */
export async function checkRootAt(
  { size, root }: { readonly size: number; readonly root: Uint8Array },
  read: (statements: readonly Statement[]) => Promise<readonly Answer[]>,
): Promise<void> {
  const addresses = completeNodes({ start: 0, end: size });
  const answers = await read(addresses.map(selectNode));
  let found: Uint8Array;
  try {
    const nodes = addresses.map((at, i) => toNode(at, answers[i] as Answer));
    found = frontierRoot(frontierAt(size, () => nodes.shift() as Uint8Array));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw badState(`nodes of its first ${size} leaves are missing`);
  }
  if (!isSameHash(found, root)) throw badState(`its first ${size} leaves have another root`);
}
