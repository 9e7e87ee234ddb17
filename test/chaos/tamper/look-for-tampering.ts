// The three places where a changed store is noticed: the walk of `fsck`, the start and the first
// signature of a gateway, and the check of a receipt by somebody outside.
import { readFileSync } from 'node:fs';
import { verifyBundle } from '../../../src/receipts/verify.ts';
import { logGuard } from '../../../src/server/compose.ts';
import { faultsWayOut, fsckStore } from '../../../src/server/fsck-store.ts';
import { LogSigner } from '../../../src/server/log-signer.ts';
import { openStore, openStoreForReading } from '../../../src/server/open-store.ts';
import { prepare } from '../../../src/server/prepare.ts';
import { StoreError } from '../../../src/stores/store.ts';
import type { FilledStores, TamperedStore } from './tampered-store.ts';

/** What one place says; the words are those that the operator reads. */
export interface Finding {
  readonly code: string;
  readonly words: string;
}

export type Place = 'start' | 'fsck' | 'verify';

export type Findings = Readonly<Record<Place, Finding | undefined>>;

/** Looks in all three places. What the start refuses cannot be exported by it either. */
export async function lookForTampering(
  filled: FilledStores,
  store: TamperedStore,
): Promise<Findings> {
  const fsck = await walk(store);
  const start = await refusal(() => startOnce(store.configFile));
  const verify = start === undefined ? await checkOne(filled, store) : undefined;
  return { fsck, start, verify };
}

/** Starts on the configuration, writes one receipt, signs. */
async function startOnce(configFile: string): Promise<void> {
  const started = await startGateway(configFile);
  try {
    await started.writeAndSign();
  } finally {
    await started.close();
  }
}

/** As much of a gateway as writes and signs. */
export async function startGateway(configFile: string): Promise<{
  readonly writeAndSign: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}> {
  const { config } = prepare(configFile);
  const { store, started } = await openStore(config);
  return {
    writeAndSign: async () => {
      const figures = { processes: 0, orphans: 0 };
      const open = { kind: 'unclean_stop', figures };
      await store.appendLeaves([{ type: 'alarm', open, committed: {} }]);
      return (await LogSigner.open(config, store, started.origin)).sign();
    },
    close: () => store.close(),
  };
}

/** What refuses it; anything but a refusal in words is a fault of the product and passes on. */
export async function refusal(work: () => Promise<unknown>): Promise<Finding | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { code: error.code, words: error.message };
  }
}

async function walk({ configFile }: TamperedStore): Promise<Finding | undefined> {
  const { config } = prepare(configFile);
  const store = await openStoreForReading(config);
  try {
    const { faults } = await fsckStore(store, logGuard(config));
    const [first] = faults;
    if (first === undefined) return undefined;
    return {
      code: [...new Set(faults.map(({ code }) => code))].join(' '),
      words: [...faults.map(({ words }) => words), faultsWayOut].join('; '),
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { code: error.code, words: error.message };
  } finally {
    await store.close();
  }
}

/** Exports the receipts of the first payment and checks them with the trust file of before. */
async function checkOne(filled: FilledStores, store: TamperedStore): Promise<Finding | undefined> {
  const [first] = await store.sql(
    `SELECT op_id FROM {leaf} WHERE type = 'decision' ORDER BY seq LIMIT 1`,
  );
  const { code, json, stderr } = await filled.run(store, [
    ...['receipts', 'export', '--op', String(first?.['op_id']), '--json'],
    ...['--out', `${store.folder}/receipts`],
  ]);
  if (code !== 0) return { code: `EXIT_${code}`, words: stderr };
  for (const file of json.bundles as readonly string[]) {
    const report = await verifyBundle(readFileSync(file, 'utf8'), { trust: store.trust });
    if (report.verdict === 'bad_input') return { code: report.fault.code, words: report.input };
    const failed = report.steps.find(({ step }) => step === report.failedStep);
    if (failed !== undefined) return { code: failed.code, words: failed.detail };
  }
  return undefined;
}
