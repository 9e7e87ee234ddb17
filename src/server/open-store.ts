// The store of a configuration without servers or a proxy: for commands that read or administer it.
import type { Config } from '../config/config.ts';
import { packageVersion } from '../config/package-version.ts';
import type { ProcessIdentity, StartReport, Store, StoreSettings } from '../stores/store.ts';
import { checkAfterCrash } from './check-after-crash.ts';
import { createStore, logGuard, randomSource, redactionList } from './compose.ts';
import { currentProcess, isAlive } from './process-identity.ts';
import { replayRedactions } from './replay-redactions.ts';

export interface OpenedStore {
  readonly store: Store;
  readonly started: StartReport;
  readonly identity: ProcessIdentity;
  readonly random: (size: number) => Uint8Array;
}

/** Opens it without a start: nothing is registered or written, and a broken log can be read. */
export function openStoreForReading(config: Config): Promise<Store> {
  return createStore(config, settingsOf(config, currentProcess(), randomSource()));
}

/** Opens and starts it. Throws `StoreError` with the path and the fix. */
export async function openStore(
  config: Config,
  /** Runs before anything is written; what it throws refuses the start. */
  check: (store: Store) => Promise<void> = async () => {},
): Promise<OpenedStore> {
  const random = randomSource();
  const identity = currentProcess();
  const store = await createStore(config, settingsOf(config, identity, random));
  try {
    await check(store);
    if (await store.wasUnclean()) await checkAfterCrash(store);
    const started = await store.start();
    await replayRedactions(store, redactionList(config));
    return { store, started, identity, random };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function settingsOf(
  config: Config,
  identity: ProcessIdentity,
  random: (size: number) => Uint8Array,
): StoreSettings {
  return {
    identity,
    isAlive: (other) => isAlive(other, Date.now()),
    nowMs: Date.now,
    random,
    origin: config.gateway.name,
    gatewayVersion: packageVersion,
    configDigest: config.digest,
    guard: logGuard(config),
    redactions: redactionList(config),
  };
}
