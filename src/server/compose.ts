// The one place that picks adapters: policy engine, registries, stores, keys, tool servers.
// Everything else in this folder asks here and knows only contracts.
import { type Config, isPostgresUrl } from '../config/config.ts';
import { packageVersion } from '../config/package-version.ts';
import type { Connector } from '../connectors/connector.ts';
import { loadRegistries as loadFileRegistries } from '../connectors/files/load-registries.ts';
import { childEnvironment } from '../connectors/mcp/child-environment.ts';
import { createMcpConnector } from '../connectors/mcp/mcp-connector.ts';
import { createMcpToolServers } from '../connectors/mcp/mcp-tool-servers.ts';
import type { ToolServers } from '../connectors/tool-servers.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';
import { createGuardFile } from '../keys/local/guard-file.ts';
import { loadKeyFileIfThere, loadOrCreateKeyFile } from '../keys/local/key-file.ts';
import { loadOrCreateMlDsaKeyFile } from '../keys/local/ml-dsa-key-file.ts';
import { createRandomSource } from '../keys/local/random-bytes.ts';
import { createRedactionFile } from '../keys/local/redaction-file.ts';
import { replaceKeyFile } from '../keys/local/replace-key-file.ts';
import type { LocalSigner, PostQuantumSigner } from '../keys/signer.ts';
import { loadCedarPolicy } from '../policy/cedar/load-cedar-policy.ts';
import type { LoadPolicy } from '../policy/policy-engine.ts';
import type { RedactionList } from '../stores/erasure.ts';
import { createMemoryStore } from '../stores/memory/memory-store.ts';
import { backupDatabase } from '../stores/sqlite/backup-database.ts';
import { openSqliteStore } from '../stores/sqlite/sqlite-store.ts';
import { openWitnessFile } from '../stores/sqlite/witness-file.ts';
import type { LogGuard, Store, StoreSettings } from '../stores/store.ts';
import type { BackupReport, MigrationReport, StoreInspection } from '../stores/store-admin.ts';
import type { WitnessStore } from '../stores/witness-store.ts';
import { makeFolder } from './make-folder.ts';

export const loadPolicy: LoadPolicy = loadCedarPolicy;

export const loadRegistries: typeof loadFileRegistries = loadFileRegistries;

export const randomSource: () => (size: number) => Uint8Array = createRandomSource;

/** Beside the key and outside the store: what was signed last. */
export const logGuard = (config: Config): LogGuard => createGuardFile(`${config.keys.log}.guard`);

/** Beside the key and outside the store: what was erased. */
export const redactionList = (config: Config): RedactionList =>
  createRedactionFile(`${config.keys.log}.redactions`);

/** The signer of the receipt log; the key is made on first use, mode 0600. Throws `KeyFileError`. */
export const loadLogSigner = (config: Config): LocalSigner => loadOrCreateKeyFile(config.keys.log);

/** The key that is about to replace the log key; undefined when none is. */
export function loadNextLogSigner(config: Config): LocalSigner | undefined {
  return loadKeyFileIfThere(nextKeyPath(config.keys.log));
}

/** Makes the key that will replace the log key, unless it is there already. */
export const makeNextLogSigner = (config: Config): LocalSigner =>
  loadOrCreateKeyFile(nextKeyPath(config.keys.log));

/** Puts the next key in place of the log key, whose private part is destroyed. */
export const replaceLogKey = (config: Config): void =>
  replaceKeyFile(config.keys.log, nextKeyPath(config.keys.log));

const nextKeyPath = (path: string): string => `${path}.next`;

/** The ML-DSA-44 key in a file of its own, made on first use; throws `KeyFileError`, also where Node has no such keys. */
export const loadSecondKey = (path: string): PostQuantumSigner => loadOrCreateMlDsaKeyFile(path);

/** Whether this Node has ML-DSA-44. */
export { hasMlDsa44 } from '../keys/local/ml-dsa-key-file.ts';

/** The Ed25519 key of a witness, made on first use. Throws `KeyFileError`. */
export const loadCosigner = (path: string): LocalSigner => loadOrCreateKeyFile(path);

/** The memory of a witness. Throws `StoreError`. */
export const createWitnessStore = (path: string): WitnessStore => openWitnessFile(path);

/** Opened and not started. Throws `StoreError` with the path and the fix. */
export async function createStore(config: Config, settings: StoreSettings): Promise<Store> {
  const { store, data } = config.gateway;
  if (store === ':memory:') return createMemoryStore(settings);
  makeFolder(data);
  if (!isPostgresUrl(store)) return openSqliteStore(store, settings);
  // Its driver is loaded for those who use it.
  const { openPostgresStore } = await import('../stores/postgres/postgres-store.ts');
  return openPostgresStore(store, settings);
}

/** Brings the tables up to date; undefined for a store that does so itself when it is opened. */
export async function migrateStore({ gateway }: Config): Promise<MigrationReport | undefined> {
  if (!isPostgresUrl(gateway.store)) return undefined;
  const { migrateDatabase } = await import('../stores/postgres/admin.ts');
  return migrateDatabase(gateway.store, { nowMs: Date.now() });
}

/** Copies the store into a new file; undefined for one that other tools copy. Throws `StoreError`. */
export async function backupStore(
  { gateway }: Config,
  to: string,
): Promise<BackupReport | undefined> {
  if (gateway.store === ':memory:' || isPostgresUrl(gateway.store)) return undefined;
  return backupDatabase(gateway.store, to);
}

/** Looks at the store without using it; undefined for one that is checked by opening it. */
export async function inspectStore({ gateway }: Config): Promise<StoreInspection | undefined> {
  if (!isPostgresUrl(gateway.store)) return undefined;
  const { inspectDatabase } = await import('../stores/postgres/admin.ts');
  return inspectDatabase(gateway.store);
}

/** The downstream servers of the configuration, not started. */
export function createToolServers(
  config: Config,
  surroundings: {
    /** The environment of this process. */
    readonly variables: Readonly<Record<string, string | undefined>>;
    readonly log: LogLine;
  },
): ToolServers {
  const { variables, log } = surroundings;
  return createMcpToolServers({
    servers: config.servers.map(({ env, inheritEnv, ...server }) => ({
      ...server,
      env: childEnvironment(
        { parent: variables, server: env, inherit: inheritEnv },
        process.platform,
      ),
    })),
    version: packageVersion,
    secrets: secretsOf(config),
    log: (level, line) => log(level, line),
  });
}

/** Shorter values would mask ordinary words in what servers print. */
const secretLengthMin = 8;

const secretsOf = ({ servers }: Config): readonly string[] =>
  servers
    .flatMap((server) => Object.values(server.env))
    .filter((text) => text.length >= secretLengthMin);

/** Carries out operations by tool calls. */
export const createConnector = (servers: ToolServers): Connector => createMcpConnector(servers);
