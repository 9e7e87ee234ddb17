// The log of a configuration with a checkpoint to prove against: one that is signed now, or the
// last one that was signed, where the store may not be used any more.
import type { Config } from '../config/config.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';
import { isRefusal } from '../stores/restart-refused.ts';
import type {
  SignedCheckpoint,
  Store,
  StoreError,
  TimestampedCheckpoint,
} from '../stores/store.ts';
import { loadAnchors } from './log-anchors.ts';
import { readSections } from './log-sections.ts';
import { LogSigner } from './log-signer.ts';
import { openStore, openStoreForReading } from './open-store.ts';
import { signForExport } from './sign-for-export.ts';

/** A log that can be read and proven. */
export interface OpenedLog {
  readonly store: Store;
  readonly origin: string;
  /** What proofs of the newest receipts lead to. */
  readonly checkpoint: SignedCheckpoint;
  /** The newest one that a witness cosigned. */
  readonly cosigned: SignedCheckpoint | undefined;
  /** The newest one that has a timestamp. */
  readonly stamped: TimestampedCheckpoint | undefined;
  /** Why nothing can be signed; undefined when the checkpoint was signed now. */
  readonly refusal: StoreError | undefined;
}

/** Throws `StoreError`, also when a store that is refused was never signed. */
export async function openLog(config: Config, log: LogLine): Promise<OpenedLog> {
  try {
    return await openAndSign(config, log);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return openForReading(config, error);
  }
}

async function openAndSign(config: Config, log: LogLine): Promise<OpenedLog> {
  const { store, started } = await openStore(config);
  try {
    const { origin } = started;
    const signer = await LogSigner.open(config, store, origin);
    const anchors = await loadAnchors(config);
    const { signed, ...anchored } = await signForExport({ anchors, signer, store }, log);
    return { store, origin, checkpoint: signed, ...anchored, refusal: undefined };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openForReading(config: Config, refusal: StoreError): Promise<OpenedLog> {
  const store = await openStoreForReading(config);
  try {
    const checkpoint = (await store.readCheckpoints()).at(-1);
    const section = (await readSections(store)).at(-1);
    // Nothing that could be proven.
    if (checkpoint === undefined || section === undefined) throw refusal;
    const cosigned = await store.readCosigned();
    const stamped = await store.readTimestamped();
    return { store, origin: section.origin, checkpoint, cosigned, stamped, refusal };
  } catch (error) {
    await store.close();
    throw error;
  }
}
