// Passcodes of people: each has a lock of their own, and all share one limit of tries.
import { randomBytes } from 'node:crypto';
import {
  type PasscodeFailures,
  PasscodeGate,
  type PasscodeVerdict,
} from '../approvals/passcode-gate.ts';
import type { TryLimit } from '../approvals/try-limit.ts';
import { type PasscodeString, parsePasscodeString } from '../core/checks/passcode-string.ts';
import type { PersonRow } from '../core/person.ts';

export interface PagePasscodesOptions {
  /** Who the owner is, and the passcode that the configuration gives them. */
  readonly principal: string;
  readonly ownerPasscode: PasscodeString | undefined;
  /** Failures of one person, kept in the store. */
  readonly failuresOf: (handle: string) => PasscodeFailures;
  readonly limit: TryLimit;
  readonly nowMs: () => number;
}

/** Costs as much as a passcode that was made with `intentplane passcode`; nothing fits it. */
const decoyCost = { log2N: 16, r: 8, p: 2 } as const;

export class PagePasscodes {
  readonly #options: PagePasscodesOptions;
  readonly #decoy: PasscodeGate;

  constructor(options: PagePasscodesOptions) {
    this.#options = options;
    const { limit, nowMs, ownerPasscode } = options;
    const cost = ownerPasscode ?? decoyCost;
    const passcode = { ...cost, salt: randomBytes(16), key: randomBytes(32) };
    this.#decoy = new PasscodeGate({ passcode, failures: noFailures, limit, nowMs });
  }

  /** The one in the store comes first: a person may have set it since the file was written. */
  stringOf({ handle, passcode }: PersonRow): PasscodeString | undefined {
    const own = passcode === undefined ? undefined : parsePasscodeString(passcode);
    const { principal, ownerPasscode } = this.#options;
    return own ?? (handle === principal ? ownerPasscode : undefined);
  }

  check(person: PersonRow, text: string): Promise<PasscodeVerdict> {
    const passcode = this.stringOf(person);
    if (passcode === undefined) return this.#decoy.check(text);
    const { failuresOf, limit, nowMs } = this.#options;
    const failures = failuresOf(person.handle);
    return new PasscodeGate({ passcode, failures, limit, nowMs }).check(text);
  }

  /** The same for whoever signs in: unknown, wrong and locked are one answer and as much work. */
  async checkSignIn(person: PersonRow | undefined, text: string): Promise<PasscodeVerdict> {
    if (person === undefined) return this.#decoy.check(text);
    const verdict = await this.check(person, text);
    if (verdict.kind !== 'locked') return verdict;
    const other = await this.#decoy.check(text);
    return other.kind === 'busy' ? other : { kind: 'wrong' };
  }
}

const noFailures: PasscodeFailures = {
  read: () => Promise.resolve({ lockedUntilMs: 0 }),
  count: () => Promise.resolve(0),
  clear: () => Promise.resolve(),
};
