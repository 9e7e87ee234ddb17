// Every try of a person's passcode goes through here: counted, bounded, off the main thread.
import { timingSafeEqual } from 'node:crypto';
import type { PasscodeString } from '../core/checks/passcode-string.ts';
import { hashPasscode } from './hash-passcode.ts';
import { readPasscode } from './passcode-rules.ts';
import { TryLimit } from './try-limit.ts';

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
  /** Shared by the gates of several people; absent: one of its own. */
  readonly limit?: TryLimit;
}

export type PasscodeVerdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly untilMs: number }
  /** Too many tries at a time or in this minute; nothing was checked or counted. */
  | { readonly kind: 'busy'; readonly untilMs: number };

/** One gate per process and person; the lock behind it is shared by all of them. */
export class PasscodeGate {
  readonly #options: PasscodeGateOptions;
  readonly #limit: TryLimit;

  constructor(options: PasscodeGateOptions) {
    this.#options = options;
    this.#limit = options.limit ?? new TryLimit();
  }

  async check(text: string): Promise<PasscodeVerdict> {
    const { failures, nowMs } = this.#options;
    const busyUntilMs = this.#limit.enter(nowMs());
    if (busyUntilMs !== undefined) return { kind: 'busy', untilMs: busyUntilMs };
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
      this.#limit.leave();
    }
  }

  async #isRight(text: string): Promise<boolean> {
    const passcode = readPasscode(text);
    if (!passcode.ok) return false;
    const key = await hashPasscode(passcode.value, this.#options.passcode);
    return timingSafeEqual(key, this.#options.passcode.key);
  }
}
