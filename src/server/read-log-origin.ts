// The name of the log in a store, as its first leaf says it.
import type { Store } from '../stores/store.ts';

/** Undefined for a store in which nothing was ever written. */
export async function readLogOrigin(store: Pick<Store, 'readLeaves'>): Promise<string | undefined> {
  const [first] = await store.readLeaves({ from: 0, count: 1 });
  if (first === undefined) return undefined;
  const { origin } = JSON.parse(new TextDecoder().decode(first.bytes)) as { origin?: string };
  return origin;
}
