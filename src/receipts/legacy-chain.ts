// The hash-chained receipt file of the Python packages 0.5: lines of {seq, ts, data, prev, hash}.
// Checks such files, and writes the next line of the mirror that keeps the format alive. A chain
// is weaker than the log: whoever can write the file can rewrite it, and a cut tail shows nothing.
import type { JsonObject } from '../core/json-value.ts';
import { err, ok, type Result } from '../core/result.ts';
import { sha256Hex } from '../core/sha256.ts';
import { hashedLayout, joinMembers, printPython, storedLayout } from './python-json.ts';
import { readPythonObject } from './python-json-reader.ts';

/** Where a chain stands: what the next line builds on. */
export interface LegacyHead {
  readonly seq: number;
  readonly hash: string;
}

/** Why a line breaks the chain. */
export type LegacyFaultCode =
  | 'LEGACY_LINE_MALFORMED'
  | 'LEGACY_HASH_MISMATCH'
  | 'LEGACY_PREV_MISMATCH'
  | 'LEGACY_SEQ_MISMATCH';

/** What a file holds. */
export type LegacyReport =
  | {
      readonly ok: true;
      readonly lines: number;
      /** The Python proxy began a new chain at each start; nothing links one to the next. */
      readonly chains: number;
      readonly head: LegacyHead | undefined;
    }
  | { readonly ok: false; readonly line: number; readonly code: LegacyFaultCode };

/** Checks the lines of a file in order; an empty last line is the end of the file. */
export function checkLegacyChain(lines: Iterable<string>): LegacyReport {
  let count = 0;
  let chains = 0;
  let head: LegacyHead | undefined;
  let isEnded = false;
  for (const line of lines) {
    if (isEnded) return { ok: false, line: count + 1, code: 'LEGACY_LINE_MALFORMED' };
    isEnded = line === '';
    if (isEnded) continue;
    count += 1;
    const next = checkLegacyLine(line, head);
    if (!next.ok) return { ok: false, line: count, code: next.error };
    head = next.value;
    if (head.seq === 0) chains += 1;
  }
  return { ok: true, lines: count, chains, head };
}

/** Checks one line against the head before it; `undefined` expects the first line of a chain. */
export function checkLegacyLine(
  line: string,
  head: LegacyHead | undefined,
): Result<LegacyHead, LegacyFaultCode> {
  const entry = readEntry(line);
  if (!entry.ok) return entry;
  const { seq, prev, hash } = entry.value;
  const isStart = seq === 0 && prev === startHash;
  if (!isStart && prev !== (head?.hash ?? startHash)) return err('LEGACY_PREV_MISMATCH');
  if (!isStart && seq !== (head?.seq ?? -1) + 1) return err('LEGACY_SEQ_MISMATCH');
  return ok({ seq, hash });
}

/** Where an existing file stands, by its last line alone: what the mirror continues from. */
export function readLegacyHead(lastLine: string): Result<LegacyHead, LegacyFaultCode> {
  const entry = readEntry(lastLine);
  return entry.ok ? ok({ seq: entry.value.seq, hash: entry.value.hash }) : entry;
}

/** What the mirror records. */
export interface LegacyEntry {
  readonly tsMs: number;
  readonly data: JsonObject;
}

/** The line that continues a chain (`undefined` begins one), with its newline. */
export function nextLegacyLine(
  head: LegacyHead | undefined,
  entry: LegacyEntry,
): { readonly line: string; readonly head: LegacyHead } {
  const seq = (head?.seq ?? -1) + 1;
  // Seconds with a fraction, as Python's clock gives them.
  const body = { seq, ts: entry.tsMs / 1000, data: entry.data, prev: head?.hash ?? startHash };
  const hash = sha256Hex(printPython(body, hashedLayout));
  return { line: `${printPython({ ...body, hash }, storedLayout)}\n`, head: { seq, hash } };
}

/** `prev` of the first line. */
const startHash = '0'.repeat(64);
const fields = ['data', 'hash', 'prev', 'seq', 'ts'];

interface ChainFields extends LegacyHead {
  readonly prev: string;
}

/** A line whose own hash holds. */
function readEntry(line: string): Result<ChainFields, LegacyFaultCode> {
  const members = readPythonObject(line);
  const entry = members === undefined ? undefined : toChainFields(members);
  if (members === undefined || entry === undefined) return err('LEGACY_LINE_MALFORMED');
  const body = [...members].filter(([key]) => key !== 'hash');
  const hash = sha256Hex(joinMembers(body, hashedLayout));
  return hash === entry.hash ? ok(entry) : err('LEGACY_HASH_MISMATCH');
}

function toChainFields(members: ReadonlyMap<string, string>): ChainFields | undefined {
  const isWhole = members.size === fields.length && fields.every((field) => members.has(field));
  const seq = /^(?:0|[1-9][0-9]{0,14})$/.exec(members.get('seq') ?? '')?.[0];
  const prev = /^"([0-9a-f]{64})"$/.exec(members.get('prev') ?? '')?.[1];
  const hash = /^"([0-9a-f]{64})"$/.exec(members.get('hash') ?? '')?.[1];
  return isWhole && seq !== undefined && prev !== undefined && hash !== undefined
    ? { seq: Number(seq), prev, hash }
    : undefined;
}
