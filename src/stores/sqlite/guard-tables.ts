// What must hold across all processes of one store: used nonces, locks after wrong passcodes, and
// work that only one of them does.
import type { DatabaseSync } from 'node:sqlite';
import {
  lockAfterFailure,
  noPasscodeLock,
  type PasscodeLock,
} from '../../core/moves/passcode-lock.ts';
import { Statement } from './statement.ts';

export class NonceTable {
  readonly #forget: Statement;
  readonly #use: Statement;

  constructor(database: DatabaseSync) {
    this.#forget = new Statement(database, 'DELETE FROM nonce WHERE expires_ms <= ?');
    this.#use = new Statement(
      database,
      'INSERT INTO nonce (nonce, expires_ms) VALUES (?, ?) ON CONFLICT (nonce) DO NOTHING',
    );
  }

  /** False for a nonce that was used or whose time is over; those need not be kept. */
  use(nonce: string, expiresMs: number, nowMs: number): boolean {
    this.#forget.run(nowMs);
    return nowMs < expiresMs && this.#use.run(nonce, expiresMs) === 1;
  }
}

export class PasscodeTable {
  readonly #read: Statement;
  readonly #put: Statement;
  readonly #clear: Statement;

  constructor(database: DatabaseSync) {
    this.#read = new Statement(
      database,
      'SELECT failures, locked_until_ms FROM passcode_lock WHERE person = ?',
    );
    this.#put = new Statement(
      database,
      `INSERT INTO passcode_lock (person, failures, locked_until_ms) VALUES (?1, ?2, ?3)
       ON CONFLICT (person) DO UPDATE SET failures = ?2, locked_until_ms = ?3`,
    );
    this.#clear = new Statement(database, 'DELETE FROM passcode_lock WHERE person = ?');
  }

  read(person: string): PasscodeLock {
    const row = this.#read.get(person);
    if (row === undefined) return noPasscodeLock;
    return { failures: row[0] as number, lockedUntilMs: row[1] as number };
  }

  /** Until when the person is locked out by one more failure. */
  countFailure(person: string, nowMs: number): number {
    const { failures, lockedUntilMs } = lockAfterFailure(this.read(person), nowMs);
    this.#put.change(person, failures, lockedUntilMs);
    return lockedUntilMs;
  }

  clear(person: string): void {
    this.#clear.run(person);
  }
}

export class ChoreTable {
  readonly #claim: Statement;

  constructor(database: DatabaseSync) {
    this.#claim = new Statement(
      database,
      `INSERT INTO chore (name, done_ms) VALUES (?1, ?2)
       ON CONFLICT (name) DO UPDATE SET done_ms = ?2 WHERE done_ms <= ?2 - ?3`,
    );
  }

  /** False when it was done less than that long ago. */
  claim(name: string, everyMs: number, nowMs: number): boolean {
    return this.#claim.run(name, nowMs, everyMs) === 1;
  }
}
