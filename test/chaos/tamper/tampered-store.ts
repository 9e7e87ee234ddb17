// A store that a gateway has filled, and copies of it that can be changed behind its back: in
// SQLite files and in databases of a PostgreSQL server.
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { Cluster } from '../../fixtures/postgres/cluster.ts';
import { answerOnPage, parseLink } from '../../fixtures/product/answer-on-page.ts';
import { codeOf, decisionOf, World } from '../../fixtures/product/world.ts';
import {
  bankServer,
  configText,
  passcodeTable,
  payTool,
  vendorIban,
} from '../../fixtures/product/world-files.ts';
import type { RawClient } from '../../fixtures/raw-client.ts';

export type Dialect = 'sqlite' | 'postgres';
type Row = Readonly<Record<string, unknown>>;

/** Enough for 256 leaves, above which hashes are kept. */
const payments = 35;
const configName = 'intentplane.toml';

/** A filled store with everything beside it. */
export interface TamperedStore {
  readonly dialect: Dialect;
  readonly configFile: string;
  /** Folder with `data`, `keys` and the configuration. */
  readonly folder: string;
  readonly guardFile: string;
  readonly keyFile: string;
  /** The trust file as an auditor got it before. */
  readonly trust: string;
  /** Runs statements past every trigger; `{leaf}` is the table of that name. */
  sql(text: string): Promise<readonly Row[]>;
  /** The store as it was half way, put in its place. */
  restoreBackup(): Promise<void>;
  /** Without the store; the key and the guard stay. */
  removeStore(): Promise<void>;
  /** The store once more, with a configuration of its own and the same key and guard. */
  fork(): Promise<string>;
}

export class FilledStores {
  readonly #world: World;
  readonly dialect: Dialect;
  readonly #cluster: Cluster | undefined;
  readonly #trust: string;
  #copies = 0;

  private constructor(world: World, cluster: Cluster | undefined, trust: string) {
    this.#world = world;
    this.#cluster = cluster;
    this.dialect = cluster === undefined ? 'sqlite' : 'postgres';
    this.#trust = trust;
  }

  /** Pays, is copied as a backup, pays again, asks a person, meets an error. */
  static async fill(cluster?: Cluster): Promise<FilledStores> {
    const world = new World();
    const { folder, effectsFile } = world;
    await writeConfig({ folder, effectsFile, store: cluster?.url('filled') });
    if (cluster !== undefined) {
      await administer(cluster, 'CREATE DATABASE filled');
      await must(world, ['store', 'migrate']);
    }
    await served(world, pay);
    if (cluster === undefined)
      cpSync(world.path('data'), world.path('backup'), { recursive: true });
    else await administer(cluster, 'CREATE DATABASE backup TEMPLATE filled');
    await served(world, async (client) => {
      await pay(client);
      await payAsked(client);
      await client.callTool('control', { behaviour: 'tool-error' });
      await payOnce(client, 'fails');
    });
    const { trust } = await must(world, ['receipts', 'export', '--trust']);
    return new FilledStores(world, cluster, trust as string);
  }

  /** A copy of its own for one way to tamper. */
  async copy(): Promise<TamperedStore> {
    this.#copies += 1;
    const name = `copy${this.#copies}`;
    const folder = this.#world.path(name);
    for (const part of ['data', 'keys']) copyFolder(this.#world.path(part), join(folder, part));
    for (const part of ['vendors.json', 'policy.cedar']) {
      cpSync(this.#world.path(part), join(folder, part));
    }
    return this.#cluster === undefined
      ? this.#sqliteCopy(folder)
      : this.#postgresCopy(folder, name, this.#cluster);
  }

  async #sqliteCopy(folder: string): Promise<TamperedStore> {
    const database = join(folder, 'data', 'store.db');
    await this.#writeConfig({ folder });
    const remove = (): void => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
    };
    return {
      ...this.#files(folder),
      sql: async (text) => inFile(database, text.replaceAll(/\{(\w+)\}/g, '$1')),
      removeStore: async () => remove(),
      restoreBackup: async () => {
        remove();
        cpSync(this.#world.path('backup/store.db'), database);
      },
      fork: async () => {
        copyFolder(join(folder, 'data'), join(folder, 'fork'));
        return this.#writeConfig({ folder, store: 'sqlite:fork/store.db', name: 'fork.toml' });
      },
    };
  }

  async #postgresCopy(folder: string, name: string, cluster: Cluster): Promise<TamperedStore> {
    const create = (database: string, template: string): Promise<unknown> =>
      administer(cluster, `CREATE DATABASE ${database} TEMPLATE ${template}`);
    const drop = (): Promise<unknown> => administer(cluster, `DROP DATABASE ${name} WITH (FORCE)`);
    await create(name, 'filled');
    await this.#writeConfig({ folder, store: cluster.url(name) });
    return {
      ...this.#files(folder),
      sql: (text) =>
        inDatabase(
          cluster.url(name),
          `SET session_replication_role = replica; ${text.replaceAll(/\{(\w+)\}/g, 'intentplane.$1')}`,
        ),
      removeStore: async () => {
        await drop();
        await administer(cluster, `CREATE DATABASE ${name}`);
      },
      restoreBackup: async () => {
        await drop();
        await create(name, 'backup');
      },
      fork: async () => {
        await create(`${name}_fork`, name);
        const url = cluster.url(`${name}_fork`);
        return this.#writeConfig({ folder, store: url, name: 'fork.toml' });
      },
    };
  }

  #writeConfig(place: Omit<ConfigPlace, 'effectsFile'>): Promise<string> {
    return writeConfig({ ...place, effectsFile: this.#world.effectsFile });
  }

  #files(
    folder: string,
  ): Pick<TamperedStore, 'dialect' | 'folder' | 'configFile' | 'guardFile' | 'keyFile' | 'trust'> {
    const keyFile = join(folder, 'keys', 'log-key.pem');
    return {
      dialect: this.dialect,
      folder,
      configFile: join(folder, configName),
      guardFile: `${keyFile}.guard`,
      keyFile,
      trust: this.#trust,
    };
  }

  /** A command of the product on a copy. */
  run(store: TamperedStore, args: readonly string[]): ReturnType<World['run']> {
    return this.#world.run([...args, '--config', store.configFile]);
  }

  remove(): Promise<void> {
    return this.#world.discard();
  }
}

interface ConfigPlace {
  readonly folder: string;
  readonly effectsFile: string;
  /** The store as the configuration names it; in the folder `data` when absent. */
  readonly store?: string | undefined;
  readonly name?: string;
}

/** Returns the path of the file. */
async function writeConfig(place: ConfigPlace): Promise<string> {
  const { folder, effectsFile, store, name = configName } = place;
  const line = store === undefined ? '' : `store = ${JSON.stringify(store)}\n`;
  const text = configText(effectsFile, {
    gateway: `[gateway]\nname = "tampered"\ndata = "data"\n${line}`,
    servers: bankServer(effectsFile),
    tools: payTool('duplicate_window = 0'),
    approvals: await passcodeTable(),
    more: '[keys]\nlog = "file:keys/log-key.pem"',
  });
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
}

/** A folder that, like its model, is open to its owner only. */
function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  chmodSync(to, 0o700);
}

async function must(world: World, args: readonly string[]): Promise<Row> {
  const { code, json, stderr } = await world.runHere([...args, '--json']);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return json as Row;
}

async function served(world: World, use: (client: RawClient) => Promise<void>): Promise<void> {
  const client = await world.start();
  await use(client);
  await client.close();
}

async function payOnce(client: RawClient, note: string, amount: number = 1): Promise<string> {
  const args = { recipient: vendorIban, amount, note };
  const answer = await client.callTool('pay', args);
  return decisionOf(answer)?.approval?.url ?? String(codeOf(answer));
}

async function pay(client: RawClient): Promise<void> {
  for (let count = 0; count < payments; count += 1) await payOnce(client, `n${count}`);
}

async function payAsked(client: RawClient): Promise<void> {
  const url = await payOnce(client, 'asked', 200);
  await answerOnPage(parseLink(url), { verdict: 'approve' });
  const code = await payOnce(client, 'asked', 200);
  if (code !== 'executed') throw new Error(`an approved payment is ${code}`);
}

function inFile(path: string, text: string): readonly Row[] {
  const database = new DatabaseSync(path);
  try {
    database.exec('DROP TRIGGER IF EXISTS leaf_stays; DROP TRIGGER IF EXISTS leaf_remains');
    const statements = text.split(';').filter((each) => each.trim() !== '');
    let rows: readonly Row[] = [];
    for (const statement of statements) rows = database.prepare(statement).all();
    return rows;
  } finally {
    database.close();
  }
}

async function inDatabase(url: string, text: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const results: unknown = await client.query(text);
    const last = (Array.isArray(results) ? results.at(-1) : results) as { readonly rows: Row[] };
    return last.rows;
  } finally {
    await client.end();
  }
}

const administer = (cluster: Cluster, text: string): Promise<readonly Row[]> =>
  inDatabase(cluster.url('postgres'), text);
