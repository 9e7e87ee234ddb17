// What a decision says. Only `decide` makes one.
import type { NextStep, ReasonCode, Stage } from './reason-codes.ts';

/** Where a resolved value comes from, as policies see it. */
export type Origin = 'system_of_record' | 'user_channel' | 'untrusted';

/** Approval level: 0 nobody, 1 the principal, 2 another person. */
export type Level = 0 | 1 | 2;

/** One thing that failed. `detail` is from a closed list per check; never a trusted value. */
export interface Failure {
  readonly code: ReasonCode;
  /** JSON path of the argument, e.g. `to[2].address`. */
  readonly path?: string;
  readonly detail?: string;
  /** What the agent should send instead (a form, a bound); never a record's content. */
  readonly expected?: string;
  /** The agent's own value, for one quoted echo. */
  readonly given?: string;
  readonly triedSources?: readonly string[];
  /** Names of the policy rules that decided. */
  readonly rules?: readonly string[];
  /** The operation that an answer is about (repeats). */
  readonly opId?: string;
  readonly next?: readonly NextStep[];
}

/** One resolved value of the operation. */
export interface ResolvedValue {
  readonly param: string;
  /** JSON path with indexes, e.g. `to[0]`. */
  readonly path: string;
  readonly canonical: string | number | boolean;
  readonly display: string;
  /** What is sent for it: the record's own spelling, or the agent's value as it came. */
  readonly send: string | number | boolean;
  readonly replaced: boolean;
  /** The agent named a record and never wrote the value: it is not told what stands there. */
  readonly byReference: boolean;
  readonly source: string;
  readonly origin: Origin;
  readonly recordId?: string;
  readonly recordVersion?: string;
  readonly recordChangedAtMs?: number;
  readonly warnings: readonly string[];
}

/** Why a level above 0 is asked although policy alone might not. */
export interface LevelReason {
  readonly kind: 'contract' | 'mandate' | 'text' | 'duplicate' | 'open' | 'tool_error' | 'policy';
  readonly path?: string;
  readonly detail?: string;
  readonly opId?: string;
}

/** Resolved values, level and rules of a proposal that was not refused. */
interface Granted {
  readonly values: readonly ResolvedValue[];
  readonly rules: readonly string[];
  readonly reasons: readonly LevelReason[];
}

/** Execute now; `consumes` names the granted operation that this call carries out. */
export interface Allow extends Granted {
  readonly kind: 'allow';
  readonly level: Level;
  readonly consumes?: string;
}

/** Ask a person; `joins` names an operation that waits already for the same call. */
export interface Ask extends Granted {
  readonly kind: 'ask';
  readonly level: 1 | 2;
  readonly joins?: string;
}

/** Refuse. All failures of the failing stage, in argument order. */
export interface Deny {
  readonly kind: 'deny';
  readonly stage: Stage;
  readonly failures: readonly [Failure, ...Failure[]];
  /** A success that its caller was never told: its stored answer is given instead. */
  readonly tells?: string;
}

export type Decision = Allow | Ask | Deny;
