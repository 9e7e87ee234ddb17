// `intentplane receipts witness`: cosigns the checkpoints of the logs that its file names.
import type { Server } from 'node:http';
import { join } from 'node:path';
import { loadWitnessConfig, type WitnessConfig } from '../config/witness-config.ts';
import { createWitnessServer } from '../http/witness-server.ts';
import type { CosigningKey } from '../receipts/cosign-note.ts';
import type { KnownLogs } from '../receipts/judge-submission.ts';
import { findNodeMlDsa44 } from '../receipts/node-ml-dsa.ts';
import {
  cosignerType,
  createVerifierKey,
  formatVerifierKey,
  keyTypes,
  mlDsa44Type,
  parseVerifierKey,
  type VerifierKey,
} from '../receipts/verifier-key.ts';
import { createWitnessStore, hasMlDsa44, loadCosigner, loadSecondKey } from './compose.ts';
import { createLog } from './log.ts';
import { makeFolder } from './make-folder.ts';

/** How long a request may take to arrive: 10 s. */
const requestTimeoutMs = 10_000;

/** A witness that listens. */
export interface RunningWitness {
  readonly url: string;
  /** Texts of its verifier keys, for trust files and for `[log] witnesses`. */
  readonly keys: readonly string[];
  readonly close: () => Promise<void>;
}

/** Thrown with every problem of the file; exit code 2. */
class WitnessConfigError extends Error {
  override readonly name = 'WitnessConfigError';
  readonly code = 'CONFIG_INVALID';
}

/** Throws `WitnessConfigError`, `KeyFileError`, `StoreError`, or what listening failed with. */
export async function startWitness(path: string): Promise<RunningWitness> {
  const read = loadWitnessConfig(path, process.platform);
  if (!read.ok) throw new WitnessConfigError(read.error.join('\n'));
  const config = read.value;
  const logs = await readLogs(path, config);
  makeFolder(config.data);
  const keys = await loadKeys(config);
  const needsMlDsa = [...logs.values()].flat().some(({ type }) => type === mlDsa44Type);
  const mlDsa44 = needsMlDsa ? findNodeMlDsa44() : undefined;
  const store = createWitnessStore(join(config.data, 'witness.db'));
  const server = createWitnessServer({
    store,
    logs,
    keys,
    algorithms: mlDsa44 === undefined ? {} : { mlDsa44 },
    nowMs: Date.now,
    timeoutMs: requestTimeoutMs,
    log: createLog({ level: 'info', format: 'pretty' }, Date.now),
  });
  const close = async (): Promise<void> => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    store.close();
  };
  try {
    const url = await listen(server, config.listen);
    return { url, keys: keys.map(({ key }) => formatVerifierKey(key)), close };
  } catch (error) {
    store.close();
    throw error;
  }
}

async function readLogs(path: string, { logs }: WitnessConfig): Promise<KnownLogs> {
  const entries = logs.map(async ({ origin, keys }) => {
    const parsed = keys.map((text) => readLogKey(path, origin, text));
    return [origin, await Promise.all(parsed)] as const;
  });
  return new Map(await Promise.all(entries));
}

async function readLogKey(path: string, origin: string, text: string): Promise<VerifierKey> {
  const key = await parseVerifierKey(text);
  const row = key.ok ? keyTypes.get(key.value.type) : undefined;
  const usable = row?.algorithm !== undefined && row.use !== 'cosigner';
  if (!key.ok || !usable || key.value.name !== origin) {
    throw new WitnessConfigError(
      `${path}: logs: \`${text.slice(0, 100)}\` is no key of the log \`${origin}\`: take the line \`log\` of its trust file`,
    );
  }
  return key.value;
}

async function loadKeys({ name, data, pq }: WitnessConfig): Promise<readonly CosigningKey[]> {
  const signer = loadCosigner(join(data, 'witness-key.pem'));
  const { publicKey } = signer;
  const first = { key: await createVerifierKey({ name, type: cosignerType, publicKey }), signer };
  if (!(pq ?? hasMlDsa44())) return [first];
  const second = loadSecondKey(join(data, 'witness-key.pq.pem'));
  const named = { name, type: mlDsa44Type, publicKey: second.publicKey };
  return [first, { key: await createVerifierKey(named), signer: second }];
}

function listen(server: Server, { host, port }: WitnessConfig['listen']): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}
