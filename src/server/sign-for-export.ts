// The checkpoint that exported receipts are proven against: one that witnesses cosigned, where it can be had.
import type { LogLine } from '../gateway/gateway-parts.ts';
import type { SignedCheckpoint, Store } from '../stores/store.ts';
import type { LogAnchors } from './log-anchors.ts';
import type { LogSigner } from './log-signer.ts';
import { WitnessRounds } from './witness-rounds.ts';

/** What can be proven against. */
export interface SignedForExport {
  /** A checkpoint that has leaf `seq` in it. */
  covering(seq: number): SignedCheckpoint;
}

/** Signs, asks the witnesses at once, and takes the newest checkpoint that one of them cosigned. */
export async function signForExport(
  of: { readonly anchors: LogAnchors; readonly signer: LogSigner; readonly store: Store },
  log: LogLine,
): Promise<SignedForExport> {
  const { anchors, signer, store } = of;
  const signed = await signer.sign();
  if (anchors.links.length === 0) return { covering: () => signed };
  await askAtOnce(of, signed, log);
  const cosigned = await store.readCosigned();
  return {
    covering: (seq) => {
      if (cosigned !== undefined && cosigned.size > seq) return cosigned;
      log('warn', 'no witness has cosigned these receipts yet: export them again later');
      return signed;
    },
  };
}

async function askAtOnce(
  { anchors, signer, store }: Parameters<typeof signForExport>[0],
  signed: SignedCheckpoint,
  log: LogLine,
): Promise<void> {
  const { links, algorithms } = anchors;
  let fatal: unknown;
  const rounds = await WitnessRounds.open({
    links,
    log: { store, keys: signer.keys, origin: signer.key.name, algorithms },
    blockAfterMs: undefined,
    nowMs: Date.now,
    report: log,
    onFatal: (error) => {
      fatal = error;
    },
  });
  rounds.offer(signed);
  await rounds.settle();
  if (fatal !== undefined) throw fatal;
}
