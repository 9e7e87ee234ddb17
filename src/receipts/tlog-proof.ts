// Offline inclusion proofs (c2sp.org/tlog-proof@v1): index, hashes, checkpoint, as one text.
import { decodeBase64, encodeBase64 } from '../core/base64.ts';
import { err, ok, type Result } from '../core/result.ts';
import { parseSize } from './checkpoint.ts';

/** A proof as read; nothing of it is verified. */
export interface TlogProof {
  readonly index: number;
  /** From the leaf's sibling up. */
  readonly path: readonly Uint8Array[];
  /** The checkpoint's note, verbatim. */
  readonly checkpoint: string;
}

const header = 'c2sp.org/tlog-proof@v1';
/** A tree of 2^53 leaves is 53 nodes high. */
const pathLengthMax = 53;

/** The text of a proof. */
export function formatTlogProof(proof: TlogProof): string {
  const lines = [header, `index ${proof.index}`, ...proof.path.map(encodeBase64), ''];
  return `${lines.join('\n')}\n${proof.checkpoint}`;
}

/** Reads a proof. A line `extra` is nobody's word: accepted, and never looked at. */
export function parseTlogProof(text: string): Result<TlogProof, 'PROOF_MALFORMED'> {
  const split = text.indexOf('\n\n');
  if (split < 0) return err('PROOF_MALFORMED');
  const [first, ...rest] = text.slice(0, split).split('\n');
  const lines = withoutExtra(rest);
  const index = parseIndex(lines?.[0]);
  const path = parsePath(lines?.slice(1) ?? []);
  return first === header && index !== undefined && path !== undefined
    ? ok({ index, path, checkpoint: text.slice(split + 2) })
    : err('PROOF_MALFORMED');
}

function withoutExtra(lines: readonly string[]): readonly string[] | undefined {
  const extra = /^extra (.*)$/.exec(lines[0] ?? '')?.[1];
  if (extra === undefined) return lines;
  return decodeBase64(extra).ok ? lines.slice(1) : undefined;
}

function parseIndex(line: string | undefined): number | undefined {
  const digits = /^index (.+)$/.exec(line ?? '')?.[1];
  return digits === undefined ? undefined : parseSize(digits);
}

function parsePath(lines: readonly string[]): Uint8Array[] | undefined {
  if (lines.length > pathLengthMax) return undefined;
  const hashes = lines.map(decodeBase64);
  const path = hashes.flatMap((hash) => (hash.ok && hash.value.length === 32 ? [hash.value] : []));
  return path.length === lines.length ? path : undefined;
}
