// The store of a configuration as an operator sees it: reachable, safe, with a log that holds.
import type { Config } from '../config/config.ts';
import type { StoreInspection } from '../stores/store-admin.ts';
import { inspectStore } from './compose.ts';
import { openStore } from './open-store.ts';

/** Throws `StoreError` when a gateway could not serve on it, or when the log was changed. */
export async function checkStore(config: Config): Promise<StoreInspection> {
  const inspected = await inspectStore(config);
  if (inspected !== undefined) return inspected;
  // The start of the other stores recomputes the root and verifies the settings.
  const { store } = await openStore(config);
  try {
    const { name: kind } = store;
    const tree = await store.readTree();
    return { kind, server: undefined, settings: {}, schema: undefined, ...tree };
  } finally {
    await store.close();
  }
}
