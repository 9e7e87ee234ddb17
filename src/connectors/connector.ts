// The contract of everything that carries out an operation.

import type { LookupFinding } from '../core/checks/judge-lookup.ts';
import type { Contract } from '../core/contract.ts';
import type { JsonObject } from '../core/json-value.ts';
import type { OutcomeClass } from '../core/operation.ts';

/** A resolved operation as it was committed. Frozen; holds nothing the agent wrote but free values. */
export interface CommittedOperation {
  readonly opId: string;
  readonly action: string;
  readonly server: string;
  readonly tool: string;
  /** Exact JSON text of the arguments to send. */
  readonly call: string;
}

/** What the target behind one contract promises. */
export interface TargetPromises {
  /** For how long it honours a key; undefined = it does not. */
  readonly keyLifetimeMs: number | undefined;
  /** Whether it can be asked what became of an operation. */
  readonly canReconcile: boolean;
  /** How long after a call's deadline it may still show up; undefined = for ever. */
  readonly absenceFinalAfterMs: number | undefined;
}

/** A question about one operation. */
export interface Lookup {
  readonly contract: Contract;
  readonly key: string;
  readonly firstSentMs: number;
  /** The answer is waited for this long. */
  readonly timeoutMs: number;
}

/** Circumstances of one attempt. */
export interface Attempt {
  /** Idempotency key, the same for all attempts of the operation. */
  readonly key: string;
  readonly attempt: number;
  readonly deadlineMs: number;
  readonly meta: JsonObject | undefined;
  readonly onProgress: ((progress: JsonObject) => void) | undefined;
}

/** What the target said, classified (execution states). */
export interface ConnectorOutcome {
  readonly class: OutcomeClass;
  /** Key that the target says it acted on; another operation's makes the answer worthless. */
  readonly key?: string;
  /** The tool result or error object, untouched; absent when nothing came back. */
  readonly result?: JsonObject;
  /** JSON-RPC error relayed as such; absent for results. */
  readonly error?: { readonly code: number; readonly message: string };
  /** One line for logs and answers: no values. */
  readonly reason?: string;
}

export interface Connector {
  readonly name: string;
  readonly version: string;
  /** Whether any target of it honours a key. */
  readonly idempotent: boolean;
  /** The promises of the target behind a contract; absent = it promises nothing and cannot be asked. */
  promises?(contract: Contract): TargetPromises;
  /** One effect; must not retry inside. A throw counts as AMBIGUOUS. */
  execute(operation: CommittedOperation, attempt: Attempt): Promise<ConnectorOutcome>;
  /** Looks and changes nothing. A throw counts as unclear. */
  reconcile?(operation: CommittedOperation, lookup: Lookup): Promise<LookupFinding>;
}
