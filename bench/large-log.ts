// A store of a given number of receipts under a real configuration: some paid calls, the rest administrative leaves.
import { join } from 'node:path';
import { createBenchGateway, ibanOf } from './in-process.ts';

export interface LargeLog {
  readonly folder: string;
  readonly config: string;
  readonly size: number;
  /** Operations whose receipts are spread over the log. */
  readonly opIds: readonly string[];
}

const batchLeaves = 5_000;
const payments = 200;

/** Leaves of `LEAVES` in the environment, else a million. */
export const largeSize = (): number => Number(process.env['LEAVES'] ?? 1_000_000);

/** Each leaf has one committed value, as most have. */
export async function buildLargeLog(size: number): Promise<LargeLog> {
  const bench = await createBenchGateway({ store: 'sqlite:store.db', records: 1_000 });
  const { store, folder } = bench;
  const opIds: string[] = [];
  const step = Math.max(1, Math.floor(size / payments));
  let { size: leaves } = await store.readTree();
  while (leaves < size) {
    const answer = await bench.pay(ibanOf(opIds.length % 1_000), 10, `Invoice ${opIds.length}`);
    if (answer.kind === 'executed') opIds.push(answer.opId);
    const until = Math.min(size, leaves + step);
    for (leaves += 4; leaves < until; ) {
      const count = Math.min(batchLeaves, until - leaves);
      const drafts = Array.from({ length: count }, (_unused, index) => ({
        type: 'alarm' as const,
        open: { kind: 'bench' },
        committed: { note: `leaf ${leaves + index}` },
      }));
      await store.appendLeaves(drafts);
      leaves += count;
    }
  }
  const tree = await store.readTree();
  await store.close();
  return { folder, config: join(folder, 'intentplane.toml'), size: tree.size, opIds };
}
