// Replaces the key of a log. Each step may be the last one before a crash: the next run goes on
// where this one stopped, because what it finds says how far that was.
import type { Config } from '../config/config.ts';
import { formatVerifierKey, type VerifierKey } from '../receipts/verifier-key.ts';
import { type Store, StoreError } from '../stores/store.ts';
import { makeNextLogSigner, replaceLogKey } from './compose.ts';
import { isSignedBy } from './key-statements.ts';
import { nameSigner, readLogKeys } from './log-keys.ts';
import { openField, readSections } from './log-sections.ts';
import { LogSigner } from './log-signer.ts';

/** The key that was destroyed and the one that signs now. */
export interface KeyRotation {
  readonly old: VerifierKey;
  readonly next: VerifierKey;
  /** Size of the tree that both signed. */
  readonly size: number;
}

/** Throws `StoreError` or `KeyFileError`; run again, it completes what was begun. */
export async function rotateLogKey(
  config: Config,
  { store, origin }: { readonly store: Store; readonly origin: string },
): Promise<KeyRotation> {
  // From here on every gateway signs with both keys, so what follows is signed by both.
  const next = nameSigner(origin, makeNextLogSigner(config)).key;
  const [{ key: old }] = readLogKeys(config, origin);
  const [old_key, new_key] = [formatVerifierKey(old), formatVerifierKey(next)];
  if (!(await isLogged(store, new_key))) {
    const open = { purpose: 'log', old_key, new_key };
    await store.appendLeaves([{ type: 'key.rotate', open, committed: {} }]);
  }
  const signer = await LogSigner.open(config, store, origin);
  const { size, note } = await signer.sign();
  if (![old_key, new_key].every((key) => isSignedBy(note, key))) {
    throw new StoreError(
      'STORE_CONFLICT',
      'another process replaces the key at the same time, or signs with a key of its own: stop it and run this again',
    );
  }
  replaceLogKey(config);
  return { old, next, size };
}

async function isLogged(store: Store, key: string): Promise<boolean> {
  const section = (await readSections(store)).at(-1);
  return (section?.keyLeaves ?? []).some((leaf) => openField(leaf, 'new_key') === key);
}
