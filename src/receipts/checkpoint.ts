// Checkpoints (c2sp.org/tlog-checkpoint): origin, size and root of a log as a signed note.
import { decodeBase64, encodeBase64 } from '../core/base64.ts';
import { err, ok, type Result } from '../core/result.ts';

/** What a checkpoint says. */
export interface Checkpoint {
  readonly origin: string;
  /** Number of leaves. */
  readonly size: number;
  readonly root: Uint8Array;
}

/** The text that is signed. */
export function formatCheckpoint(checkpoint: Checkpoint): string {
  return `${checkpoint.origin}\n${checkpoint.size}\n${encodeBase64(checkpoint.root)}\n`;
}

/** Reads the text of a note. Extension lines are accepted and mean nothing. */
export function parseCheckpoint(noteText: string): Result<Checkpoint, 'CHECKPOINT_MALFORMED'> {
  const lines = noteText.split('\n');
  const [origin = '', sizeText = '', rootText = '', ...extensions] = lines.slice(0, -1);
  const size = parseSize(sizeText);
  const root = decodeBase64(rootText);
  const isWhole = lines.at(-1) === '' && origin !== '' && !extensions.includes('');
  return isWhole && size !== undefined && root.ok && root.value.length === 32
    ? ok({ origin, size, root: root.value })
    : err('CHECKPOINT_MALFORMED');
}

/** A decimal without leading zeros that a JavaScript number holds exactly. */
export function parseSize(text: string): number | undefined {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return undefined;
  const size = Number(text);
  return Number.isSafeInteger(size) ? size : undefined;
}
