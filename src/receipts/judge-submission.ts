// What a witness says to a submission: first what needs no memory, then what it saw before.
import { isConsistent, isSameHash } from '../core/merkle.ts';
import { err, ok, type Result } from '../core/result.ts';
import { sha256 } from '../core/sha256.ts';
import { type AddCheckpoint, parseAddCheckpoint } from './add-checkpoint.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import type { OptionalAlgorithms } from './note-signature.ts';
import { type Note, parseNote, verifyNote } from './signed-note.ts';
import type { VerifierKey } from './verifier-key.ts';

/** A checkpoint that a known log signed, with the proof that it extends `oldSize`. */
export interface Submission extends Omit<AddCheckpoint, 'checkpoint'> {
  readonly checkpoint: Checkpoint;
  /** With the lines of the log's known keys only. */
  readonly note: Note;
}

/** Keys of each log by its origin. */
export type KnownLogs = ReadonlyMap<string, readonly VerifierKey[]>;

/** 400 = no submission, 404 = unknown log, 403 = not signed by it. */
export type SubmissionStatus = 400 | 403 | 404;

/** What can be said without knowing what was seen before. */
export async function readSubmission(
  body: string,
  logs: KnownLogs,
  algorithms: OptionalAlgorithms,
): Promise<Result<Submission, SubmissionStatus>> {
  const read = parseAddCheckpoint(body);
  const note = read && parseNote(read.checkpoint);
  const checkpoint = note?.ok === true ? parseCheckpoint(note.value.text) : undefined;
  if (read === undefined || note?.ok !== true || checkpoint?.ok !== true) return err(400);
  const keys = logs.get(checkpoint.value.origin);
  if (keys === undefined) return err(404);
  const signers = await verifyNote(note.value, keys, algorithms);
  if (!signers.ok) return err(403);
  const { oldSize, path } = read;
  if (oldSize > checkpoint.value.size) return err(400);
  const signatures = note.value.signatures.filter(({ name, keyId }) =>
    signers.value.some((key) => key.name === name && key.keyId === keyId),
  );
  const signed = { text: note.value.text, signatures };
  return ok({ oldSize, path, checkpoint: checkpoint.value, note: signed });
}

/** 200 = cosign it, 409 = the witness has another size, 422 = it does not extend what was seen. */
export type HistoryStatus = 200 | 409 | 422;

/** What the memory of the witness says; `seen` is undefined for a log that it never cosigned. */
export function judgeHistory(
  { oldSize, path, checkpoint }: Submission,
  seen: { readonly size: number; readonly root: Uint8Array } | undefined,
): HistoryStatus {
  const emptyRoot = sha256('');
  const { size: seenSize, root: oldRoot } = seen ?? { size: 0, root: emptyRoot };
  if (oldSize !== seenSize) return 409;
  const { size, root } = checkpoint;
  if (size === 0 && !isSameHash(root, emptyRoot)) return 422;
  return isConsistent({ oldSize, oldRoot, size, root, path }) ? 200 : 422;
}
