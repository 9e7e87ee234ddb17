// A world whose proxies pay through one store, and what is left of it afterwards.
import { migrateDatabase } from '../../src/stores/postgres/admin.ts';
import { openPostgresStore } from '../../src/stores/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { aStoreSettings } from '../../src/testing/store-builders.ts';
import { administer } from '../fixtures/postgres/database.ts';
import { World } from '../fixtures/product/world.ts';
import {
  bankServer,
  type ConfigChanges,
  configText,
  payTool,
} from '../fixtures/product/world-files.ts';
import {
  comparePayments,
  fsckMaxMs,
  type RecordedPayments,
  readPayments,
} from './compare-payments.ts';

/** A bank that takes a moment, so that breaks meet payments that are under way: 5 ms. */
const bankDelayMs = 5;

export interface PaymentsReport {
  readonly problems: readonly string[];
  readonly recorded: RecordedPayments;
  readonly effects: number;
}

export class PaymentsWorld {
  readonly world: World = new World();
  readonly #store: string | undefined;

  /** `url` of a PostgreSQL server; without one the store is a SQLite file of this world. */
  constructor(url?: string) {
    this.#store = url;
    this.world.configure(this.#changes(url));
  }

  async prepare(): Promise<void> {
    if (this.#store !== undefined) await migrateDatabase(this.#store, { nowMs: Date.now() });
  }

  /** A configuration that differs in the way to the store alone. */
  configFor(name: string, url: string): string {
    return this.world.write(`${name}.toml`, configText(this.world.effectsFile, this.#changes(url)));
  }

  #changes(url: string | undefined): ConfigChanges {
    const store = url === undefined ? '' : `store = "${url}"`;
    return {
      gateway: `[gateway]\nname = "staged-world"\ndata = "data"\nrate_limit = 100000000\n${store}`,
      servers: bankServer(this.world.effectsFile, ['slow', '--delay', String(bankDelayMs)]),
      mandate: '[mandate]\nprincipal = "maya"\nbudget = 9007199254740991',
      tools: payTool('duplicate_window = 0'),
    };
  }

  /** A proxy that only settles what others left, then everything laid beside each other. */
  async judge(
    acknowledged: Iterable<string>,
    meddle: (world: PaymentsWorld) => void | Promise<void> = () => {},
  ): Promise<PaymentsReport> {
    await (await this.world.start()).close();
    await meddle(this);
    const store = this.open();
    try {
      const recorded = await readPayments(store);
      const effects = this.#effects();
      const fsck = await this.world.runHere(['fsck', '--json'], { timeoutMs: fsckMaxMs });
      const problems = [
        ...comparePayments({ ...recorded, effects, acknowledged }),
        ...(fsck.code === 0
          ? []
          : [`fsck: ${fsck.stdout.slice(0, 300)}${fsck.stderr.slice(0, 300)}`]),
      ];
      return { problems, recorded, effects: effects.size };
    } finally {
      await store.close();
    }
  }

  /** One statement on PostgreSQL as its administrator. */
  readonly sql = async (text: string): Promise<void> => {
    if (this.#store === undefined) throw new Error('this world has no PostgreSQL');
    await administer(this.#store, text);
  };

  /** The store for reading: nothing is registered. */
  open(): Store {
    const settings = aStoreSettings({ nowMs: Date.now() });
    if (this.#store !== undefined) return openPostgresStore(this.#store, settings);
    return openSqliteStore(this.world.path('data/store.db'), settings);
  }

  #effects(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { tool, arguments: args } of this.world.effects()) {
      if (tool !== 'pay') continue;
      const { note } = args as { readonly note: string };
      counts.set(note, (counts.get(note) ?? 0) + 1);
    }
    return counts;
  }
}
