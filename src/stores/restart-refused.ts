// Why a log is not begun anew.
import { isLogOrigin } from '../core/log-origin.ts';
import { type RestartRequest, StoreError } from './store.ts';

/** Throws `RESTART_REFUSED` unless the names are those of this log and of a new one. */
export function checkRestartNames({ oldOrigin, origin }: RestartRequest, known: string): void {
  if (oldOrigin !== known) {
    throw restartRefused(`the log of this store is \`${known}\`, not \`${oldOrigin}\``);
  }
  if (origin === known) throw restartRefused('the new log needs a name that was never used');
  if (!isLogOrigin(origin)) {
    throw restartRefused('the new name may hold no space, no plus sign, and 255 bytes at most');
  }
}

/** Whether an error says that a log may be read and not signed. */
export function isRefusal(error: unknown): error is StoreError {
  return error instanceof StoreError && refusals.has(error.code);
}

const refusals: ReadonlySet<string> = new Set([
  'LOG_BEHIND_CHECKPOINT',
  'LOG_FORKED',
  'GUARD_MISSING',
]);

/** Nothing is wrong with the log. */
export const notNeeded = (): StoreError =>
  restartRefused('this log can be signed: there is nothing to begin anew');

/** Somebody still works with the store. */
export const stillRunning = (count: number): StoreError =>
  new StoreError('STORE_BUSY', `${count} processes use this store: stop them first`);

function restartRefused(message: string): StoreError {
  return new StoreError('RESTART_REFUSED', message);
}
