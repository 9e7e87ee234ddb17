// The checkpoints that exported receipts can be proven against: one that is signed now, and the
// newest one that witnesses cosigned.
import type { LogLine } from '../gateway/gateway-parts.ts';
import type { SignedCheckpoint, Store } from '../stores/store.ts';
import type { LogAnchors } from './log-anchors.ts';
import type { LogSigner } from './log-signer.ts';
import { WitnessRounds } from './witness-rounds.ts';

export interface SignedForExport {
  readonly signed: SignedCheckpoint;
  /** Undefined when no witness ever cosigned. */
  readonly cosigned: SignedCheckpoint | undefined;
}

/** Signs, and asks the witnesses at once. */
export async function signForExport(
  of: { readonly anchors: LogAnchors; readonly signer: LogSigner; readonly store: Store },
  log: LogLine,
): Promise<SignedForExport> {
  const { anchors, signer, store } = of;
  const signed = await signer.sign();
  if (anchors.links.length === 0) return { signed, cosigned: undefined };
  await askAtOnce(of, signed, log);
  const cosigned = await store.readCosigned();
  if (cosigned === undefined || cosigned.size < signed.size) {
    log('warn', 'no witness has cosigned the newest receipts yet: export them again later');
  }
  return { signed, cosigned };
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
