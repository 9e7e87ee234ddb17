// Takes the receipts of some operations out of a store, as an auditor gets them, and checks each
// one offline.
import { readFileSync } from 'node:fs';
import { verifyBundle } from '../../src/receipts/verify.ts';
import type { World } from '../fixtures/product/world.ts';

export interface ReceiptCheck {
  /** Bundles that were checked. */
  readonly receipts: number;
  readonly problems: readonly string[];
}

/** By the commands of the product; the check itself knows bundle and trust file only. */
export async function checkReceipts(world: World, opIds: readonly string[]): Promise<ReceiptCheck> {
  const trusted = await world.runHere(['receipts', 'export', '--trust', '--json']);
  if (trusted.code !== 0) return { receipts: 0, problems: [`no trust file: ${trusted.stderr}`] };
  const { trust } = trusted.json as { readonly trust: string };
  const problems: string[] = [];
  let receipts = 0;
  for (const opId of opIds) {
    const out = world.path(`receipts-${opId}`);
    const { code, json, stderr } = await world.runHere([
      ...['receipts', 'export', '--op', opId, '--out', out, '--json'],
    ]);
    if (code !== 0) {
      problems.push(`${opId} has no receipts: ${stderr.slice(0, 200)}`);
      continue;
    }
    for (const file of json.bundles as readonly string[]) {
      const { verdict } = await verifyBundle(readFileSync(file, 'utf8'), { trust });
      receipts += 1;
      if (verdict !== 'valid') problems.push(`a receipt of ${opId} is ${verdict}`);
    }
  }
  return { receipts, problems };
}
