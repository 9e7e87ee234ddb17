// After the story: every receipt is checked as an outsider would, and one changed byte must be found.
import { readEnvironment } from '../../config/environment.ts';
import { createBundle } from '../../receipts/create-bundle.ts';
import { formatTrustFile } from '../../receipts/trust-file.ts';
import { verifyBundle } from '../../receipts/verify.ts';
import { LogSigner } from '../../server/log-signer.ts';
import { openStore } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { readInclusionNodes } from '../../server/read-tree-nodes.ts';

export interface DemoReceipts {
  readonly size: number;
  /** Bundles that verify offline against the trust file. */
  readonly verified: number;
  readonly tamper_detected: boolean;
}

export async function checkDemoReceipts(
  configFile: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<DemoReceipts> {
  const { config } = prepare(configFile, { environment: { ...readEnvironment(), variables } });
  const { store, started } = await openStore(config);
  try {
    const signer = await LogSigner.open(config, store, started.origin);
    const trust = formatTrustFile(signer.key);
    const checkpoint = await signer.sign();
    const leaves = await store.readLeaves({ from: 0, count: checkpoint.size });
    const { size } = checkpoint;
    const bundles = await Promise.all(
      leaves.map(async (leaf) =>
        createBundle({
          seq: leaf.seq,
          leaf: leaf.bytes,
          disclosed: leaf.payload,
          size,
          checkpoint: checkpoint.note,
          readNode: await readInclusionNodes(store, { index: leaf.seq, size }),
        }),
      ),
    );
    const verdicts = await Promise.all(bundles.map((bundle) => verifyBundle(bundle, { trust })));
    return {
      size: checkpoint.size,
      verified: verdicts.filter((report) => report.verdict === 'valid').length,
      tamper_detected: await isTamperDetected(bundles.at(-1) ?? '', trust),
    };
  } finally {
    await store.close();
  }
}

/** One byte of the leaf is flipped, nothing else. */
async function isTamperDetected(bundle: string, trust: string): Promise<boolean> {
  const parsed = JSON.parse(bundle) as { leaf: string };
  const bytes = Buffer.from(parsed.leaf, 'base64');
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  const report = await verifyBundle(JSON.stringify({ ...parsed, leaf: bytes.toString('base64') }), {
    trust,
  });
  return report.verdict !== 'valid';
}
