// Every try of the owner's passcode goes through here: counted, bounded, off the main thread.
import { timingSafeEqual } from 'node:crypto';
import type { PasscodeString } from '../core/checks/passcode-string.ts';
import { hashPasscode } from './hash-passcode.ts';
import { readPasscode } from './passcode-rules.ts';

/** Failures of one person, kept where every process sees them. */
export interface PasscodeFailures {
  /** Until when answers are refused; a time that is over refuses nothing. */
  readonly read: () => Promise<{ readonly lockedUntilMs: number }>;
  /** Counts one failure; gives the time until which answers are refused. */
  readonly count: () => Promise<number>;
  readonly clear: () => Promise<void>;
}

export interface PasscodeGateOptions {
  readonly passcode: PasscodeString;
  readonly failures: PasscodeFailures;
  readonly nowMs: () => number;
}

export type PasscodeVerdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly untilMs: number }
  /** Too many tries at a time or in this minute; nothing was checked or counted. */
  | { readonly kind: 'busy'; readonly untilMs: number };

/** Hashes at a time; each needs 64 MiB. */
const hashesMax = 2;
/** Tries of everybody together. */
const triesMax = 20;
const windowMs = 60_000;

/** One gate per process; the lock behind it is shared by all of them. */
export class PasscodeGate {
  readonly #options: PasscodeGateOptions;
  #hashing = 0;
  #tries: readonly number[] = [];

  constructor(options: PasscodeGateOptions) {
    this.#options = options;
  }

  async check(text: string): Promise<PasscodeVerdict> {
    const { failures, nowMs } = this.#options;
    const refused = this.#admit(nowMs());
    if (refused !== undefined) return refused;
    try {
      const before = await failures.read();
      if (before.lockedUntilMs > nowMs()) return { kind: 'locked', untilMs: before.lockedUntilMs };
      if (!(await this.#isRight(text))) {
        await failures.count();
        return { kind: 'wrong' };
      }
      // Guesses run side by side: one that hits while others have locked the person does not count.
      const after = await failures.read();
      if (after.lockedUntilMs > nowMs()) return { kind: 'locked', untilMs: after.lockedUntilMs };
      await failures.clear();
      return { kind: 'right' };
    } finally {
      this.#hashing -= 1;
    }
  }

  /** Takes a place, or says when to come back. */
  #admit(nowMs: number): PasscodeVerdict | undefined {
    this.#tries = this.#tries.filter((atMs) => atMs > nowMs - windowMs && atMs <= nowMs);
    const [first] = this.#tries;
    if (first !== undefined && this.#tries.length >= triesMax) {
      return { kind: 'busy', untilMs: first + windowMs };
    }
    if (this.#hashing >= hashesMax) return { kind: 'busy', untilMs: nowMs + 1_000 };
    this.#tries = [...this.#tries, nowMs];
    this.#hashing += 1;
    return undefined;
  }

  async #isRight(text: string): Promise<boolean> {
    const passcode = readPasscode(text);
    if (!passcode.ok) return false;
    const key = await hashPasscode(passcode.value, this.#options.passcode);
    return timingSafeEqual(key, this.#options.passcode.key);
  }
}
