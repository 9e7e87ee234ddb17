// What a log hands to a witness (c2sp.org/tlog-witness): old size, consistency proof, checkpoint.
import { decodeBase64, encodeBase64 } from '../core/base64.ts';
import { parseSize } from './checkpoint.ts';

/** One submission as read; nothing of it is verified. */
export interface AddCheckpoint {
  /** Size that the witness is believed to have. */
  readonly oldSize: number;
  readonly path: readonly Uint8Array[];
  /** The signed note, verbatim. */
  readonly checkpoint: string;
}

/** Longest body of a submission. */
export const addCheckpointSizeMaxBytes = 65_536;
const pathLengthMax = 63;

/** The body of a submission. */
export function formatAddCheckpoint({ oldSize, path, checkpoint }: AddCheckpoint): string {
  return `${[`old ${oldSize}`, ...path.map(encodeBase64)].join('\n')}\n\n${checkpoint}`;
}

/** Undefined for anything that is not exactly the form. */
export function parseAddCheckpoint(body: string): AddCheckpoint | undefined {
  const split = body.indexOf('\n\n');
  if (split < 0) return undefined;
  const [first = '', ...lines] = body.slice(0, split).split('\n');
  const oldSize = first.startsWith('old ') ? parseSize(first.slice(4)) : undefined;
  if (oldSize === undefined || lines.length > pathLengthMax) return undefined;
  const path = lines.map(decodeHash);
  if (!path.every((hash) => hash !== undefined)) return undefined;
  return { oldSize, path, checkpoint: body.slice(split + 2) };
}

function decodeHash(line: string): Uint8Array | undefined {
  const hash = decodeBase64(line);
  return hash.ok && hash.value.length === 32 ? hash.value : undefined;
}
