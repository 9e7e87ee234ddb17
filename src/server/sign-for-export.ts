// The checkpoint that exported receipts are proven against: one that witnesses cosigned and that has a
// timestamp, where it can be had.
import type { LogLine } from '../gateway/gateway-parts.ts';
import type { SignedCheckpoint, Store, TimestampedCheckpoint } from '../stores/store.ts';
import type { LogAnchors } from './log-anchors.ts';
import type { LogSigner } from './log-signer.ts';
import { TimestampError } from './timestamp-link.ts';
import { WitnessRounds } from './witness-rounds.ts';

/** A checkpoint, with the timestamp that was made of it. */
export interface ExportCheckpoint extends SignedCheckpoint {
  readonly token?: Uint8Array;
}

/** What can be proven against. */
export interface SignedForExport {
  /** A checkpoint that has leaf `seq` in it. */
  covering(seq: number): ExportCheckpoint;
}

/**
 * Signs, asks the witnesses at once and takes the newest checkpoint that one of them cosigned; then asks
 * for a timestamp of it.
 */
export async function signForExport(
  of: { readonly anchors: LogAnchors; readonly signer: LogSigner; readonly store: Store },
  log: LogLine,
): Promise<SignedForExport> {
  const { anchors, signer, store } = of;
  const signed = await signer.sign();
  if (anchors.links.length === 0) {
    const stamped = await stampAtOnce(of, signed, log);
    return { covering: (seq) => (stamped !== undefined && stamped.size > seq ? stamped : signed) };
  }
  await askAtOnce(of, signed, log);
  const cosigned = await store.readCosigned();
  const stamped = await stampAtOnce(of, cosigned ?? signed, log);
  return {
    covering: (seq) => {
      const isStamped = stamped?.size === cosigned?.size;
      if (cosigned !== undefined && cosigned.size > seq) {
        return isStamped && stamped !== undefined ? stamped : cosigned;
      }
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
