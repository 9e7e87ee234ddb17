// Shows each new checkpoint to the witnesses, at most once a minute each, and keeps what they sign.
import { consistencyPath } from '../core/merkle.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';
import { formatAddCheckpoint } from '../receipts/add-checkpoint.ts';
import { readConsistencyNodes } from '../receipts/proof-nodes.ts';
import { type SignedCheckpoint, type Store, StoreError } from '../stores/store.ts';
import { compareWithWitness, type OwnLog } from './compare-with-witness.ts';
import { FailureNotice } from './failure-notice.ts';
import { WitnessError, type WitnessLink } from './witness-link.ts';

/** How often one witness is asked: once a minute. */
const askEveryMs = 60_000;
/** A size that changes under our hands, because another process submits too, is followed this often. */
const triesMax = 3;

export interface WitnessRoundsOptions {
  readonly links: readonly WitnessLink[];
  readonly log: OwnLog & { readonly store: Store };
  /** How long receipts may wait for a witness; undefined = for ever. */
  readonly blockAfterMs: number | undefined;
  readonly nowMs: () => number;
  readonly report: LogLine;
  /** The log is behind or beside what was signed with its key. */
  readonly onFatal: (error: unknown) => void;
}

interface WitnessState {
  readonly link: WitnessLink;
  /** Size that it cosigned last, as far as is known. */
  size: number;
  nextMs: number;
  readonly failure: FailureNotice;
  round: Promise<void> | undefined;
}

export class WitnessRounds {
  readonly #options: WitnessRoundsOptions;
  readonly #states: readonly WitnessState[];
  #newest: SignedCheckpoint | undefined;
  /** Largest size that any witness cosigned. */
  #cosignedSize = 0;
  /** Since when receipts wait; undefined when none does. */
  #waitingSinceMs: number | undefined;

  private constructor(options: WitnessRoundsOptions) {
    this.#options = options;
    this.#states = options.links.map((link) => ({
      link,
      size: 0,
      nextMs: 0,
      failure: new FailureNotice(options.log.store, options.report),
      round: undefined,
    }));
  }

  /** Goes on from what the store knows. */
  static async open(options: WitnessRoundsOptions): Promise<WitnessRounds> {
    const rounds = new WitnessRounds(options);
    const { store } = options.log;
    const cosigned = await store.readCosigned();
    const { size } = await store.readTree();
    rounds.#cosignedSize = cosigned?.size ?? 0;
    for (const state of rounds.#states) state.size = rounds.#cosignedSize;
    if (size > rounds.#cosignedSize) {
      rounds.#waitingSinceMs = cosigned?.cosignedMs ?? (await firstLeafMs(store));
    }
    return rounds;
  }

  /** Whether receipts wait longer for a witness than is allowed: nothing more may be dispatched. */
  get isBehind(): boolean {
    const { blockAfterMs, nowMs } = this.#options;
    if (blockAfterMs === undefined || this.#waitingSinceMs === undefined) return false;
    return nowMs() - this.#waitingSinceMs > blockAfterMs;
  }

  /** Begins the rounds that are due, and returns at once. `signed` is the newest checkpoint. */
  offer(signed: SignedCheckpoint): void {
    this.#newest = signed;
    const nowMs = this.#options.nowMs();
    if (signed.size > this.#cosignedSize) this.#waitingSinceMs ??= nowMs;
    for (const state of this.#states) {
      const isDue = nowMs >= state.nextMs && state.size < signed.size;
      if (!isDue || state.round !== undefined) continue;
      state.nextMs = nowMs + askEveryMs;
      state.round = this.#runRound(state, signed).finally(() => {
        state.round = undefined;
      });
    }
  }

  /** Resolves when no round is on its way. */
  async settle(): Promise<void> {
    await Promise.all(this.#states.map(({ round }) => round));
  }

  async #runRound(state: WitnessState, signed: SignedCheckpoint): Promise<void> {
    const { onFatal } = this.#options;
    const { name } = state.link.address;
    try {
      await this.#submit(state, signed);
      state.failure.answers(`witness \`${name}\` cosigns again`);
    } catch (error) {
      // Nothing more is written to a log that is the wrong one.
      if (error instanceof StoreError && error.fatal) return onFatal(error);
      const why = error instanceof Error ? error.message : String(error);
      await state.failure.fails(`witness \`${name}\` ${why}`, {
        kind: 'witness_failed',
        server: name,
      });
    }
  }

  async #submit(state: WitnessState, signed: SignedCheckpoint): Promise<void> {
    const { log, nowMs } = this.#options;
    for (let tries = 0; tries < triesMax; tries += 1) {
      if (state.size > signed.size) return this.#checkAhead(state);
      const startedMs = nowMs();
      const body = await submission(log.store, state.size, signed);
      const reply = await state.link.submit(body, signed.note);
      if (reply.kind === 'cosigned') {
        await log.store.cosign({ size: signed.size, lines: reply.lines, atMs: startedMs });
        return this.#noteCosigned(state, signed.size, startedMs);
      }
      // Only our own signature under another history is a reason to stop.
      if (reply.kind === 'inconsistent') {
        await compareWithWitness(state.link, log);
        throw new WitnessError('says that the log does not extend what it saw');
      }
      state.size = reply.size;
    }
    throw new WitnessError('has another size each time it is asked');
  }

  /** Another process of this log was faster, or this log is an old copy. */
  async #checkAhead(state: WitnessState): Promise<void> {
    const { log, nowMs } = this.#options;
    const askedMs = nowMs();
    const claimed = state.size;
    const size = await compareWithWitness(state.link, log);
    this.#noteCosigned(state, size, askedMs);
    if (size < claimed) {
      throw new WitnessError(
        `says that it saw ${claimed} receipts of this log, and does not show it`,
      );
    }
  }

  #noteCosigned(state: WitnessState, size: number, startedMs: number): void {
    state.size = size;
    if (size <= this.#cosignedSize) return;
    this.#cosignedSize = size;
    // What came after the round began waits since then at the earliest.
    this.#waitingSinceMs = (this.#newest?.size ?? 0) > size ? startedMs : undefined;
  }
}

async function submission(
  store: Store,
  oldSize: number,
  { size, note }: SignedCheckpoint,
): Promise<string> {
  const readNode = await readConsistencyNodes({ oldSize, size }, (level, index) =>
    store.readNode(level, index),
  );
  const checkpoint = ownLines(note);
  return formatAddCheckpoint({
    oldSize,
    path: consistencyPath(oldSize, size, readNode),
    checkpoint,
  });
}

/** Signature lines that a witness is shown: those of the log stand first. */
const linesShownMax = 4;

/** The note without most lines of other witnesses, so that a submission stays small. */
function ownLines(note: string): string {
  const split = note.lastIndexOf('\n\n') + 2;
  const lines = note.slice(split).split('\n').slice(0, -1);
  return `${note.slice(0, split)}${lines.slice(0, linesShownMax).join('\n')}\n`;
}

/** When the log began. */
async function firstLeafMs(store: Store): Promise<number> {
  const [first] = await store.readLeaves({ from: 0, count: 1 });
  const leaf = JSON.parse(new TextDecoder().decode(first?.bytes)) as { readonly ts: number };
  return leaf.ts;
}
