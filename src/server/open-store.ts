// The store of a configuration without servers or a proxy: for commands that read or administer it.
import { mkdirSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { packageVersion } from '../config/package-version.ts';
import { createRandomSource } from '../keys/local/random-bytes.ts';
import { createMemoryStore } from '../stores/memory/memory-store.ts';
import { openSqliteStore } from '../stores/sqlite/sqlite-store.ts';
import type { ProcessIdentity, StartReport, Store, StoreSettings } from '../stores/store.ts';
import { currentProcess, isAlive } from './process-identity.ts';

export interface OpenedStore {
  readonly store: Store;
  readonly started: StartReport;
  readonly identity: ProcessIdentity;
  readonly random: (size: number) => Uint8Array;
}

/** Opens and starts it. Throws `StoreError` with the path and the fix. */
export async function openStore(config: Config): Promise<OpenedStore> {
  const random = createRandomSource();
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
  const store = createStore(config, settings);
  return { store, started: await store.start(), identity, random };
}

function createStore(config: Config, settings: StoreSettings): Store {
  if (config.gateway.store === ':memory:') return createMemoryStore(settings);
  mkdirSync(config.gateway.data, { recursive: true, mode: 0o700 });
  return openSqliteStore(config.gateway.store, settings);
}
