// The log inside the database: leaves, tile nodes, the one row of its state, signed checkpoints.
import type { DatabaseSync } from 'node:sqlite';
import type { CanonicalValue } from '../../core/canonical-json.ts';
import type { LeafDraft, LeafType } from '../../core/leaf.ts';
import { type AppendStamp, appendToLog, type LogEntry } from '../../core/log-append.ts';
import {
  decodeFrontier,
  emptyFrontier,
  encodeFrontier,
  type Frontier,
  frontierAt,
  frontierRoot,
  isSameHash,
  type ReadNode,
  type TileHashes,
  tileNodeReader,
} from '../../core/merkle.ts';
import { decodePayload, encodePayload, valuesOf } from '../payload-text.ts';
import { type StoredLeaf, StoreError } from '../store.ts';
import { type SqlRow, Statement } from './statement.ts';

const selectLeaves =
  'SELECT l.seq, l.type, l.op_id, l.bytes, p.fields, l.hash FROM leaf l LEFT JOIN payload p ON p.seq = l.seq';

export class LogTable {
  readonly #readState: Statement;
  readonly #writeState: Statement;
  readonly #insertLeaf: Statement;
  readonly #insertPayload: Statement;
  readonly #insertTile: Statement;
  readonly #proposalOf: Statement;
  readonly #leavesOf: Statement;
  readonly #leavesFrom: Statement;
  readonly #aboutLog: Statement;
  readonly #payloadOf: Statement;
  readonly #leafHashes: Statement;
  readonly #tileHashes: Statement;
  /** `seq` of the proposal by operation, as far as this transaction met them. */
  readonly #proposals = new Map<string, number>();
  #frontier: Frontier = emptyFrontier;
  #lastMs = 0;
  /** Root and frontier that were checked last, as they stood in the row. */
  #checked: { readonly root: Uint8Array; readonly frontier: Uint8Array } | undefined;
  #storedSize = 0;

  constructor(database: DatabaseSync) {
    const statement = (sql: string): Statement => new Statement(database, sql);
    this.#readState = statement('SELECT size, root, frontier, last_ms FROM log_state');
    this.#writeState = statement(
      `INSERT INTO log_state (id, size, root, frontier, last_ms) VALUES (1, ?1, ?2, ?3, ?4)
       ON CONFLICT (id) DO UPDATE SET size = ?1, root = ?2, frontier = ?3, last_ms = ?4`,
    );
    this.#insertLeaf = statement(
      'INSERT INTO leaf (seq, hash, type, proposal, op_id, bytes) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#insertPayload = statement('INSERT INTO payload (seq, fields) VALUES (?, ?)');
    this.#insertTile = statement('INSERT INTO tile (tile_level, idx, hash) VALUES (?, ?, ?)');
    this.#proposalOf = statement(`SELECT seq FROM leaf WHERE op_id = ? AND type = 'proposal'`);
    this.#leavesOf = statement(`${selectLeaves} WHERE l.proposal = ? ORDER BY l.seq`);
    this.#leavesFrom = statement(`${selectLeaves} WHERE l.seq >= ? ORDER BY l.seq LIMIT ?`);
    // The words of the partial index.
    this.#aboutLog = statement(
      `${selectLeaves} WHERE l.type = 'log.start' OR l.type = 'key.rotate' OR l.type = 'key.distrust'
       ORDER BY l.seq`,
    );
    this.#payloadOf = statement(
      `SELECT p.fields FROM leaf l LEFT JOIN payload p ON p.seq = l.seq
       WHERE l.proposal = ? AND l.type = ? ORDER BY l.seq DESC LIMIT 1`,
    );
    this.#leafHashes = statement('SELECT hash FROM leaf WHERE seq >= ? ORDER BY seq LIMIT ?');
    this.#tileHashes = statement(
      'SELECT hash FROM tile WHERE tile_level = ? AND idx >= ? ORDER BY idx LIMIT ?',
    );
  }

  /** Reads and checks the state under the lock; throws `LOG_STATE_BAD`. */
  begin(): void {
    this.#proposals.clear();
    const row = this.#readState.get();
    if (row === undefined) {
      this.#take(emptyFrontier, 0);
      return;
    }
    const [size, root, frontierBytes, lastMs] = row as [number, Uint8Array, Uint8Array, number];
    const frontier = decodeFrontier(size, frontierBytes);
    if (frontier === undefined || !this.#isChecked(frontier, root, frontierBytes)) {
      throw badState('its root does not follow from its frontier');
    }
    this.#take(frontier, lastMs);
  }

  #take(frontier: Frontier, lastMs: number): void {
    this.#frontier = frontier;
    this.#storedSize = frontier.size;
    this.#lastMs = lastMs;
  }

  // Equal bytes were checked already: hashing them again proves nothing new.
  #isChecked(frontier: Frontier, root: Uint8Array, bytes: Uint8Array): boolean {
    const known = this.#checked;
    if (known !== undefined && isSameHash(known.root, root) && isSameHash(known.frontier, bytes)) {
      return true;
    }
    if (!isSameHash(frontierRoot(frontier), root)) return false;
    this.#checked = { root, frontier: bytes };
    return true;
  }

  /** Time of the last leaf. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** Size and root as they stand inside this transaction. */
  get current(): { readonly size: number; readonly root: Uint8Array } {
    return { size: this.#frontier.size, root: frontierRoot(this.#frontier) };
  }

  /** What a savepoint must bring back. */
  get frontier(): Frontier {
    return this.#frontier;
  }

  /** Undoes the appends of a rolled back savepoint. */
  restore(frontier: Frontier): void {
    this.#frontier = frontier;
    this.#proposals.clear();
  }

  /** Writes the state once per transaction, when something was appended. */
  finish(nowMs: number): void {
    const frontier = this.#frontier;
    if (frontier.size === this.#storedSize) return;
    const bytes = encodeFrontier(frontier);
    const root = frontierRoot(frontier);
    this.#writeState.change(frontier.size, root, bytes, nowMs);
    this.#checked = { root, frontier: bytes };
  }

  /** Tells where the proposals among these drafts will stand. */
  announce(drafts: readonly LeafDraft[]): void {
    for (const [i, { type, opId }] of drafts.entries()) {
      if (type === 'proposal' && opId !== undefined) {
        this.#proposals.set(opId, this.#frontier.size + i);
      }
    }
  }

  /** `seq` of the proposal leaf of an operation. */
  proposalOf(opId: string): number | undefined {
    const known = this.#proposals.get(opId);
    if (known !== undefined) return known;
    const seq = this.#proposalOf.get(opId)?.[0] as number | undefined;
    if (seq !== undefined) this.#proposals.set(opId, seq);
    return seq;
  }

  /** Keeps what another table found out. */
  rememberProposal(opId: string, seq: number): void {
    this.#proposals.set(opId, seq);
  }

  append(drafts: readonly LeafDraft[], stamp: AppendStamp): void {
    const { frontier, entries, nodes } = appendToLog(this.#frontier, drafts, stamp);
    for (const entry of entries) this.#insert(entry);
    for (const { level, index, hash } of nodes) this.#insertTile.run(level / 8, index, hash);
    this.#frontier = frontier;
  }

  #insert({ seq, hash, type, opId, bytes, payload }: LogEntry): void {
    const proposal = opId === undefined ? null : (this.proposalOf(opId) ?? null);
    this.#insertLeaf.run(seq, hash, type, proposal, opId ?? null, bytes);
    const fields = encodePayload(payload);
    if (fields !== undefined) this.#insertPayload.run(seq, fields);
  }

  leavesOf(opId: string): readonly StoredLeaf[] {
    const proposal = this.#proposalOf.get(opId)?.[0];
    return proposal === undefined ? [] : this.#leavesOf.all(proposal).map(toLeaf);
  }

  leavesFrom(from: number, count: number): readonly StoredLeaf[] {
    return this.#leavesFrom.all(from, count).map(toLeaf);
  }

  /** What the log says about itself, in order. */
  leavesAboutLog(): readonly StoredLeaf[] {
    return this.#aboutLog.all().map(toLeaf);
  }

  /** What the newest leaf of this type holds about an operation; empty when it was erased. */
  payloadOf(proposal: number, type: LeafType): Readonly<Record<string, CanonicalValue>> {
    const text = this.#payloadOf.get(proposal, type)?.[0];
    return typeof text === 'string' ? valuesOf(text) : {};
  }

  /** Size and root outside a transaction. */
  readTree(): { readonly size: number; readonly root: Uint8Array } {
    const row = this.#readState.get();
    if (row === undefined) return { size: 0, root: frontierRoot(emptyFrontier) };
    const [size, root] = row as [number, Uint8Array];
    return { size, root };
  }

  /** Hash of any complete node. */
  readonly readNode: ReadNode = tileNodeReader((row) => this.#readHashes(row));

  #readHashes({ tileLevel, start, count }: TileHashes): readonly Uint8Array[] {
    const rows =
      tileLevel === 0
        ? this.#leafHashes.all(start, count)
        : this.#tileHashes.all(tileLevel, start, count);
    return rows.map(([hash]) => hash as Uint8Array);
  }

  /** Throws `LOG_STATE_BAD` when the tree of that size, recomputed, has another root. */
  checkRootAt(size: number, root: Uint8Array): void {
    if (!isSameHash(this.rootAt(size), root)) {
      throw badState(`its first ${size} leaves have another root`);
    }
  }

  /** Root of an earlier or equal size, recomputed; throws `LOG_STATE_BAD` when leaves are missing. */
  rootAt(size: number): Uint8Array {
    try {
      return frontierRoot(frontierAt(size, this.readNode));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw badState(`nodes of its first ${size} leaves are missing`);
    }
  }
}

export function badState(what: string): StoreError {
  return new StoreError(
    'LOG_STATE_BAD',
    `the receipt log was changed from outside: ${what}. Run \`intentplane fsck\`, and put a whole store back`,
    { fatal: true },
  );
}

function toLeaf([seq, type, opId, bytes, fields, hash]: SqlRow): StoredLeaf {
  return {
    seq: seq as number,
    opId: (opId as string | null) ?? undefined,
    type: type as string,
    bytes: bytes as Uint8Array,
    hash: hash as Uint8Array,
    payload: typeof fields === 'string' ? decodePayload(fields) : {},
  };
}
