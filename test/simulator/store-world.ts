// What the store of a process needs of the world it runs in, and how its calls may go wrong.
import { StoreError } from '../../src/stores/store.ts';
import {
  answerRequest,
  buryProcesses,
  cancelRequest,
  decideProposal,
  expireRequests,
  finishAttempt,
  joinMandate,
  reconcileOperation,
  resendOperation,
  resumeMandate,
} from '../../src/stores/store-methods.ts';
import type { RegisteredProcess, SimDatabase } from './sim-database.ts';
import type { StoreCall } from './store-call.ts';

/** The transactions of the contract; a planted fault replaces one of them. */
export interface StoreMethods {
  readonly answerRequest: typeof answerRequest;
  readonly buryProcesses: typeof buryProcesses;
  readonly cancelRequest: typeof cancelRequest;
  readonly decideProposal: typeof decideProposal;
  readonly expireRequests: typeof expireRequests;
  readonly finishAttempt: typeof finishAttempt;
  readonly joinMandate: typeof joinMandate;
  readonly reconcileOperation: typeof reconcileOperation;
  readonly resendOperation: typeof resendOperation;
  readonly resumeMandate: typeof resumeMandate;
}

export const storeMethods: StoreMethods = {
  answerRequest,
  buryProcesses,
  cancelRequest,
  decideProposal,
  expireRequests,
  finishAttempt,
  joinMandate,
  reconcileOperation,
  resendOperation,
  resumeMandate,
};

/** How a store that cannot do its work says so. */
export const storeErrors = {
  busy: (): StoreError => new StoreError('STORE_BUSY', 'the store is locked'),
  full: (): StoreError => new StoreError('STORE_FULL', 'the disk of the store is full'),
  uncertain: (): StoreError =>
    new StoreError('STORE_UNCERTAIN', 'the connection ended during a commit'),
  broken: (): StoreError => new StoreError('STORE_FAILED', 'fsync failed', { fatal: true }),
} as const;

/** How a call of the store may go wrong. */
export type StoreFault =
  | 'none'
  /** Nothing is written, and the process goes on. */
  | 'busy'
  | 'full'
  /** Nothing is written, and nothing can be trusted any more. */
  | 'fsync failed'
  /** The answer of the commit is lost: it may or may not be written. */
  | 'uncertain, written'
  | 'uncertain, lost'
  | 'crash before commit'
  | 'crash after commit';

/** What a store needs of the world it runs in. */
export interface StoreWorld {
  readonly database: SimDatabase;
  readonly methods: StoreMethods;
  readonly origin: string;
  nowMs(): number;
  schedule(what: string, run: () => void): void;
  pickFault(isWrite: boolean): StoreFault;
  /** Notes that something went wrong for this process. */
  failed(fault: StoreFault): void;
  /** The rows did not take what was planned on them. */
  refused(what: string, error: unknown): void;
  crash(why: string): void;
  isAlive(this: void, other: RegisteredProcess): boolean;
  /** A new entry of the history. */
  called(): StoreCall;
  committed(call: StoreCall): void;
  answered(call: StoreCall): void;
}
