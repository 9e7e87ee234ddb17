// What a start looks at after a process that was killed, before it registers or writes anything: the
// pages of the file, and everything that was written since the last signature.
import type { StoreFault } from '../receipts/log-check.ts';
import { type Store, StoreError } from '../stores/store.ts';
import { type CheckedTree, fileFault, fsckStore } from './fsck-store.ts';

/** Throws `LOG_STATE_BAD`, also at each later start, since nothing was registered. */
export async function checkAfterCrash(store: Store): Promise<void> {
  const damage = await store.checkFile('quick');
  if (damage !== undefined) throw bad(fileFault(damage));
  const { faults } = await fsckStore(store, undefined, await startOf(store));
  const [first] = faults;
  if (first !== undefined) throw bad(first);
}

/** A log is signed every quarter of a second; of one that was not, a start reads so many leaves. */
const leavesMax = 5_000;

async function startOf(store: Store): Promise<CheckedTree | undefined> {
  const last = await store.readLastCheckpoint();
  const { size } = await store.readTree();
  if (size - (last?.size ?? 0) <= leavesMax) return last;
  return { size: size - leavesMax };
}

function bad({ code, words }: StoreFault): StoreError {
  return new StoreError(
    'LOG_STATE_BAD',
    `a process was killed, and since then the store is not whole: ${words} (${code}). Run \`intentplane fsck\`, then put a backup back`,
    { fatal: true },
  );
}
