// The checkpoints that exported receipts can be proven against: one that is signed now, the newest one
// that witnesses cosigned, and the newest one that has a timestamp.
import type { LogLine } from '../gateway/gateway-parts.ts';
import type { SignedCheckpoint, Store, TimestampedCheckpoint } from '../stores/store.ts';
import type { LogAnchors } from './log-anchors.ts';
import type { LogSigner } from './log-signer.ts';
import { TimestampError } from './timestamp-link.ts';
import { WitnessRounds } from './witness-rounds.ts';

export interface SignedForExport {
  readonly signed: SignedCheckpoint;
  /** Undefined when no witness ever cosigned. */
  readonly cosigned: SignedCheckpoint | undefined;
  /** Undefined when none has a timestamp. */
  readonly stamped: TimestampedCheckpoint | undefined;
}

/** Signs, asks the witnesses at once, and then for a timestamp of what they cosigned. */
export async function signForExport(
  of: { readonly anchors: LogAnchors; readonly signer: LogSigner; readonly store: Store },
  log: LogLine,
): Promise<SignedForExport> {
  const { anchors, signer, store } = of;
  const signed = await signer.sign();
  if (anchors.links.length === 0) {
    return { signed, cosigned: undefined, stamped: await stampAtOnce(of, signed, log) };
  }
  await askAtOnce(of, signed, log);
  const cosigned = await store.readCosigned();
  if (cosigned === undefined || cosigned.size < signed.size) {
    log('warn', 'no witness has cosigned the newest receipts yet: export them again later');
  }
  return { signed, cosigned, stamped: await stampAtOnce(of, cosigned ?? signed, log) };
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

/** The newest checkpoint with a timestamp: that of `signed`, unless none could be had. */
async function stampAtOnce(
  { anchors, store }: Parameters<typeof signForExport>[0],
  { size, note }: SignedCheckpoint,
  log: LogLine,
): Promise<TimestampedCheckpoint | undefined> {
  const { timestamps } = anchors;
  if (timestamps === undefined) return undefined;
  const last = await store.readTimestamped();
  if (last !== undefined && last.size >= size) return last;
  try {
    const token = await timestamps.stamp(note);
    await store.timestamp({ size, token, atMs: Date.now() });
  } catch (error) {
    if (!(error instanceof TimestampError)) throw error;
    log('warn', `time-stamping authority \`${timestamps.url}\` ${error.message}`);
  }
  return store.readTimestamped();
}
