// Warns before the disk of the store is full: from then on every operation would be refused.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Config, isPostgresUrl } from '../config/config.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';
import type { Store } from '../stores/store.ts';

/** 1 GiB. */
const freeMinBytes = 1_073_741_824;
/** What must be free again before another alarm: a disk at the limit must not fill the log. */
const freeAgainBytes = 2 * freeMinBytes;

/** Bytes that this user may still write there. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Folder whose disk the store fills; undefined for one that lies elsewhere. */
export function storeFolder({ gateway }: Config): string | undefined {
  const { store } = gateway;
  return store === ':memory:' || isPostgresUrl(store) ? undefined : dirname(store);
}

export class DiskWatch {
  readonly #store: Pick<Store, 'appendLeaves'>;
  readonly #folder: string;
  readonly #surroundings: { readonly free: typeof freeBytes; readonly log: LogLine };
  #isTold = false;

  constructor(
    store: Pick<Store, 'appendLeaves'>,
    folder: string,
    surroundings: { readonly free: typeof freeBytes; readonly log: LogLine },
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#surroundings = surroundings;
  }

  /** At the start and with each heartbeat; one line and one alarm until there is room again. */
  async check(): Promise<void> {
    const { free, log } = this.#surroundings;
    const bytes = await free(this.#folder);
    if (bytes >= freeAgainBytes) this.#isTold = false;
    if (bytes >= freeMinBytes || this.#isTold) return;
    this.#isTold = true;
    const mebibytes = Math.floor(bytes / 1_048_576);
    log(
      'warn',
      `${mebibytes} MiB are free on the disk of the store \`${this.#folder}\`: free some space, a full disk refuses every call`,
    );
    await this.#store.appendLeaves([
      {
        type: 'alarm',
        open: { kind: 'disk_low', figures: { free_mib: mebibytes } },
        committed: {},
      },
    ]);
  }
}
