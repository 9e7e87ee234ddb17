// Whether a key is the one of the log in the store: another one would begin a second history of it.
import { parseNote, verifyNote } from '../receipts/signed-note.ts';
import type { VerifierKey } from '../receipts/verifier-key.ts';
import { type Store, StoreError } from '../stores/store.ts';

/** Throws `LOG_KEY_FOREIGN` when the newest checkpoint of the store is not signed by it. */
export async function checkLogKey(
  store: Pick<Store, 'readLastCheckpoint'>,
  key: VerifierKey,
  path: string,
): Promise<void> {
  const last = await store.readLastCheckpoint();
  if (last === undefined) return;
  const note = parseNote(last.note);
  if (note.ok && (await verifyNote(note.value, [key])).ok) return;
  throw new StoreError(
    'LOG_KEY_FOREIGN',
    `the log \`${key.name}\` in the store was signed by another key than \`${path}\`: put its own key back, each log has one of its own`,
    { fatal: true },
  );
}
