// Step 6: the log of a bundle only grew since a checkpoint that the auditor kept.
import { err, ok, type Result } from '../core/result.ts';
import type { AcceptedKey } from './accepted-keys.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import type { ConsistencyEvidence } from './history-evidence.ts';
import type { OptionalAlgorithms } from './note-signature.ts';
import { type Note, type NoteFault, parseNote, verifyNote } from './signed-note.ts';
import { webSha256 } from './web-hash.ts';
import { isSameRoot, webConsistencyRoots } from './web-tree.ts';

/** An earlier checkpoint as read; nothing of it is verified. */
export interface Previous {
  readonly note: Note;
  readonly checkpoint: Checkpoint;
}

/** Why a text is no checkpoint. */
export type PreviousFault = { readonly code: NoteFault | 'CHECKPOINT_MALFORMED' };

/** What is wrong between two checkpoints. */
export type HistoryCode =
  | 'PREVIOUS_OTHER_LOG'
  | 'PREVIOUS_NOT_SIGNED'
  | 'LOG_SHORTER'
  | 'LOG_FORKED'
  | 'CONSISTENCY_MISSING'
  | 'CONSISTENCY_OTHER_SIZE'
  | 'CONSISTENCY_LENGTH'
  | 'CONSISTENCY_MISMATCH';

/** Reads the note of an earlier checkpoint. */
export function parsePrevious(text: string): Result<Previous, PreviousFault> {
  const note = parseNote(text);
  if (!note.ok) return err({ code: note.error });
  const checkpoint = parseCheckpoint(note.value.text);
  return checkpoint.ok
    ? ok({ note: note.value, checkpoint: checkpoint.value })
    : err({ code: checkpoint.error });
}

/** Ok when the tree of the earlier checkpoint is the beginning of the other one's. */
export async function checkPrevious(
  previous: Previous,
  now: {
    readonly checkpoint: Checkpoint;
    readonly accepted: readonly AcceptedKey[];
    readonly algorithms: OptionalAlgorithms;
    readonly evidence: ConsistencyEvidence | undefined;
  },
): Promise<Result<true, HistoryCode>> {
  const { checkpoint, accepted, algorithms, evidence } = now;
  if (previous.checkpoint.origin !== checkpoint.origin) return err('PREVIOUS_OTHER_LOG');
  const keys = accepted.map(({ key }) => key);
  if (!(await verifyNote(previous.note, keys, algorithms)).ok) return err('PREVIOUS_NOT_SIGNED');
  const { size, root } = previous.checkpoint;
  if (size > checkpoint.size) return err('LOG_SHORTER');
  if (size === checkpoint.size) {
    return isSameRoot(root, checkpoint.root) ? ok(true) : err('LOG_FORKED');
  }
  if (evidence === undefined) return err('CONSISTENCY_MISSING');
  if (evidence.size !== size) return err('CONSISTENCY_OTHER_SIZE');
  return checkProof(previous.checkpoint, checkpoint, evidence.path);
}

async function checkProof(
  old: Checkpoint,
  checkpoint: Checkpoint,
  path: readonly Uint8Array[],
): Promise<Result<true, HistoryCode>> {
  const roots = await rootsOf(old, checkpoint, path);
  if (roots === undefined) return err('CONSISTENCY_LENGTH');
  const [oldRoot, root] = roots;
  const isConsistent = isSameRoot(oldRoot, old.root) && isSameRoot(root, checkpoint.root);
  return isConsistent ? ok(true) : err('CONSISTENCY_MISMATCH');
}

async function rootsOf(
  old: Checkpoint,
  { size, root }: Checkpoint,
  path: readonly Uint8Array[],
): Promise<readonly [old: Uint8Array, root: Uint8Array] | undefined> {
  if (old.size > 0)
    return webConsistencyRoots({ oldSize: old.size, oldRoot: old.root, size, path });
  // Every tree begins with the empty one, and the proof of it is empty.
  return path.length === 0 ? [await webSha256(new Uint8Array()), root] : undefined;
}

/** One sentence fragment for each way not to hold. */
export const historyWords: Readonly<Record<HistoryCode, string>> = {
  PREVIOUS_OTHER_LOG: 'the earlier checkpoint is of another log',
  PREVIOUS_NOT_SIGNED: 'no key of this log signed the earlier checkpoint',
  LOG_SHORTER: 'the log had more receipts before: it was cut, or the bundle is older',
  LOG_FORKED: 'the log had another root at the same size',
  CONSISTENCY_MISSING:
    'the bundle does not show that the log only grew: ask for one made with `receipts export --previous`',
  CONSISTENCY_OTHER_SIZE:
    'the bundle shows it from another size on: ask for one made with `receipts export --previous`',
  CONSISTENCY_LENGTH: 'the consistency proof has another length than the sizes demand',
  CONSISTENCY_MISMATCH:
    'the consistency proof does not lead from the earlier root to the signed one',
};
