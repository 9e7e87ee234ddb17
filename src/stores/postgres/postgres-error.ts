// What PostgreSQL and its connection report, as codes of the store, and what may be tried again.
import { StoreError, type StoreErrorCode } from '../store.ts';

/** The connection ended, or there is none: what was not committed never happened. */
export class LostConnectionError extends StoreError {
  constructor(cause: unknown) {
    super('STORE_UNREACHABLE', `no connection to PostgreSQL: ${reasonOf(cause)}`, { cause });
    this.name = 'LostConnectionError';
  }
}

/** The connection ended while it committed: nobody knows yet whether it did. */
export class UncertainCommitError extends StoreError {
  readonly batchId: string;
  constructor(batchId: string, cause: unknown) {
    super('STORE_UNCERTAIN', 'the connection ended during a commit: its end is not known yet', {
      cause,
    });
    this.name = 'UncertainCommitError';
    this.batchId = batchId;
  }
}

/** Rows were read before their lock was held: the transaction comes again. */
export class StaleReadError extends Error {
  override readonly name = 'StaleReadError';
}

/** SQLSTATE of an error of the server; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Server stopped, starting, out of connections, or it ended this session. */
const lostStates = /^(?:08|57P0|53300|25P03)/;

/** True when the session behind this error is gone or never was. */
export function isLostState(state: string): boolean {
  return lostStates.test(state);
}

/** True for an error after which the whole transaction may simply run again. */
export function mayRunAgain(error: unknown): boolean {
  if (error instanceof StaleReadError) return true;
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

/** True when waiting may help: a lock or a statement that took too long, or no connection. */
export function mayPass(error: unknown): boolean {
  if (error instanceof LostConnectionError) return true;
  const state = sqlState(error);
  return state === '55P03' || state === '57014';
}

interface Meaning {
  readonly states: RegExp;
  readonly code: StoreErrorCode;
  readonly text: string;
  readonly fatal?: boolean;
}

const meanings: readonly Meaning[] = [
  { states: /^(?:40|55P03|57014)/, code: 'STORE_BUSY', text: 'the store is locked' },
  {
    states: /^53100/,
    code: 'STORE_FULL',
    text: 'the disk of PostgreSQL is full: free some space',
  },
  { states: /^(?:53|57)/, code: 'STORE_UNREACHABLE', text: 'PostgreSQL cannot serve now' },
  {
    states: /^(?:25006|42501)/,
    code: 'STORE_NOT_WRITABLE',
    text: 'this role or server may not write',
  },
  { states: /^(?:28|3D)/, code: 'STORE_UNREACHABLE', text: 'PostgreSQL refuses the connection' },
  { states: /^23/, code: 'STORE_CONFLICT', text: 'a rule of the tables does not hold' },
  {
    states: /^22012/,
    code: 'STORE_CONFLICT',
    text: 'a row is not what the transaction was planned on',
  },
  { states: /^2[12]/, code: 'STORE_FAILED', text: 'a value cannot be stored' },
];

const broken: Omit<Meaning, 'states'> = {
  code: 'STORE_FAILED',
  fatal: true,
  text: 'PostgreSQL failed: stop, look at its log and start again',
};

/** The error as the contract has it; what is no error of the server stays what it is. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof StaleReadError) {
    return new StoreError('STORE_BUSY', 'the store is busy', { cause: error });
  }
  const state = sqlState(error);
  if (state === undefined) return error;
  const { code, text, fatal = false } = meanings.find((row) => row.states.test(state)) ?? broken;
  const detail = (error as Error).message;
  return new StoreError(code, `${text} (${detail}, SQLSTATE ${state})`, { fatal, cause: error });
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // Several addresses of one name: each has its own error.
  const [first] = cause instanceof AggregateError ? (cause.errors as readonly unknown[]) : [];
  return first instanceof Error ? first.message : cause.message;
}
