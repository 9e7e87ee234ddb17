// The store of a configuration without servers or a proxy: for commands that read or administer it.
import type { Config } from '../config/config.ts';
import { packageVersion } from '../config/package-version.ts';
import type { ProcessIdentity, StartReport, Store, StoreSettings } from '../stores/store.ts';
import { createStore, randomSource } from './compose.ts';
import { currentProcess, isAlive } from './process-identity.ts';

export interface OpenedStore {
  readonly store: Store;
  readonly started: StartReport;
  readonly identity: ProcessIdentity;
  readonly random: (size: number) => Uint8Array;
}

/** Opens and starts it. Throws `StoreError` with the path and the fix. */
export async function openStore(config: Config): Promise<OpenedStore> {
  const random = randomSource();
  const identity = currentProcess();
  const settings: StoreSettings = {
    identity,
    isAlive: (other) => isAlive(other, Date.now()),
    nowMs: Date.now,
    random,
    origin: config.gateway.name,
    gatewayVersion: packageVersion,
    configDigest: config.digest,
  };
  const store = await createStore(config, settings);
  try {
    return { store, started: await store.start(), identity, random };
  } catch (error) {
    await store.close();
    throw error;
  }
}
