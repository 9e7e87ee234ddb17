// What the database reports, as codes of the store. An error nobody listed stops the process:
// after an I/O error the page cache cannot be trusted.
import { StoreError, type StoreErrorCode } from '../store.ts';

/** Primary result codes of SQLite. */
const primary = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
} as const;

interface Meaning {
  readonly code: StoreErrorCode;
  readonly fatal: boolean;
  readonly text: string;
}

const meanings: ReadonlyMap<number, Meaning> = new Map([
  [primary.busy, { code: 'STORE_BUSY', fatal: false, text: 'the store is locked' }],
  [primary.locked, { code: 'STORE_BUSY', fatal: false, text: 'the store is locked' }],
  [primary.readOnly, { code: 'STORE_NOT_WRITABLE', fatal: false, text: 'the store is read-only' }],
  [
    primary.full,
    { code: 'STORE_FULL', fatal: false, text: 'the disk of the store is full: free some space' },
  ],
  [primary.cannotOpen, { code: 'STORE_NOT_WRITABLE', fatal: false, text: 'no such store' }],
  [
    primary.constraint,
    { code: 'STORE_CONFLICT', fatal: false, text: 'a rule of the tables does not hold' },
  ],
]);

const broken: Meaning = {
  code: 'STORE_FAILED',
  fatal: true,
  text: 'the store failed: stop, check the disk and start again',
};

/** Extended result code of an error of the database; undefined for any other error. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** True when another connection holds the lock: trying again may help. */
export function isBusy(error: unknown): boolean {
  const code = (resultCode(error) ?? 0) & 0xff;
  return code === primary.busy || code === primary.locked;
}

/** The error as the contract has it; what is no error of the database stays what it is. */
export function toStoreError(error: unknown): unknown {
  const code = resultCode(error);
  if (code === undefined) return error;
  const { code: storeCode, fatal, text } = meanings.get(code & 0xff) ?? broken;
  const detail = (error as Error).message;
  return new StoreError(storeCode, `${text} (${detail}, code ${code})`, { fatal, cause: error });
}
