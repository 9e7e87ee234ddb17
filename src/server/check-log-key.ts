// Whether a key is the one of the log in the store: another one would begin a second history of it.
import { parseCheckpoint } from '../receipts/checkpoint.ts';
import { parseNote, verifyNote } from '../receipts/signed-note.ts';
import type { VerifierKey } from '../receipts/verifier-key.ts';
import { type Store, StoreError } from '../stores/store.ts';

/** Throws `LOG_KEY_FOREIGN` when the newest checkpoint of this log is signed by none of its keys. */
export async function checkLogKey(
  store: Pick<Store, 'readLastCheckpoint'>,
  keys: readonly VerifierKey[],
  path: string,
): Promise<void> {
  const last = await store.readLastCheckpoint();
  const note = last === undefined ? undefined : parseNote(last.note);
  if (note === undefined) return;
  const name = keys[0]?.name ?? '';
  if (note.ok) {
    const checkpoint = parseCheckpoint(note.value.text);
    // The newest one is of the name before a restart: this one was never signed.
    if (checkpoint.ok && checkpoint.value.origin !== name) return;
    if ((await verifyNote(note.value, keys)).ok) return;
  }
  throw new StoreError(
    'LOG_KEY_FOREIGN',
    `the log \`${name}\` in the store was signed by another key than \`${path}\`: put its own key back, each log has one of its own`,
    { fatal: true },
  );
}
