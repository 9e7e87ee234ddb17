// The contract of everything that carries out an operation.

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
  readonly idempotent: boolean;
  /** One effect; must not retry inside. A throw counts as AMBIGUOUS. */
  execute(operation: CommittedOperation, attempt: Attempt): Promise<ConnectorOutcome>;
}
