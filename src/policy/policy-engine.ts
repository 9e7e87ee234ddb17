// The contract of a policy engine: what a policy may see, what it answers, how a set is loaded.
// Stages are ordered in core/decide.ts; an engine only answers one question at one level.
import type { Result } from '../core/result.ts';

/** How a parameter reaches a policy; scaled numbers are `long`, `each` lists are sets. */
export type PolicyParamType = 'string' | 'long' | 'boolean' | 'string-set' | 'long-set';

/** The parameter that holds all undeclared arguments of a call as one JSON text. */
export const restParam = '_rest';

/** One parameter of a contract as a policy sees it. */
export interface PolicyParamShape {
  readonly name: string;
  readonly type: PolicyParamType;
  /** An optional parameter may be absent; a policy must test `has` before it reads it. */
  readonly optional: boolean;
}

/** One action with the server it acts on; two servers may share an action with equal parameters. */
export interface PolicyActionShape {
  readonly action: string;
  /** Becomes the resource of the policy request. */
  readonly server: string;
  /** The declared parameters. `_rest` is supplied for every action and need not be listed. */
  readonly params: readonly PolicyParamShape[];
}

/** Where a value came from: the words that policies compare with. */
type PolicyOrigin = 'system_of_record' | 'user_channel' | 'untrusted';

/** A resolved value as a policy sees it. Numbers are safe integers; lists are compared as sets. */
export type PolicyValue = string | number | boolean | readonly string[] | readonly number[];

/**
 * What policies may read about one operation. Attributes that `PolicyEngine.reads` does not name
 * may be left out; a read attribute that is missing makes the verdict `error`.
 */
export interface PolicyContext {
  readonly params: Readonly<Record<string, PolicyValue>>;
  /** One entry per parameter that is present, `_rest` included (always `untrusted`). */
  readonly origin: Readonly<Record<string, PolicyOrigin>>;
  readonly mandate?: PolicyMandate;
  readonly budget?: PolicyBudget;
  /** Milliseconds since 1970; a policy sees a Cedar `datetime`. */
  readonly nowMs?: number;
  /** How the proposal arrived, e.g. `mcp-stdio`. */
  readonly channel?: string;
}

/** `context.mandate`: the mandate under which the operation runs. */
interface PolicyMandate {
  readonly id: string;
  readonly agent?: string;
  readonly purpose?: string;
}

/** `context.budget`, as read for the decision; only the reservation guarantees the limit. */
interface PolicyBudget {
  /** Amount left in minor units, of the amount budget that leaves least; absent without one. */
  readonly left?: number;
  /** Calls left; absent without a call budget. */
  readonly callsLeft?: number;
}

/** 0 nobody is asked, 1 the principal confirms, 2 a second person confirms. */
type PolicyLevel = 0 | 1 | 2;

export interface PolicyQuestion {
  readonly principal: string;
  /** Action names the mandate holds. */
  readonly scopes: readonly string[];
  readonly action: string;
  readonly resource: string;
  readonly context: PolicyContext;
  readonly level: PolicyLevel;
}

/**
 * `forbidden`: a forbid rule applied. `no_permit`: no rule permits. `error`: any rule failed to
 * evaluate, whatever the others said; it denies.
 */
type PolicyEffect = 'permit' | 'no_permit' | 'forbidden' | 'error';

export interface PolicyVerdict {
  readonly effect: PolicyEffect;
  /** Names of the determining rules, or of the failing ones when the effect is `error`; sorted. */
  readonly rules: readonly string[];
  /** Why the evaluation failed: for the receipt and the log, not for the agent. */
  readonly detail?: string;
}

/** A loaded policy set. `evaluate` is synchronous and never throws. */
export interface PolicyEngine {
  readonly policySetSha256: string;
  readonly schemaSha256: string;
  readonly engineVersion: string;
  /**
   * Names of what the rules read: attributes of `context` (`budget`, `now`), names below them (a
   * parameter, `_rest`), and `scopes`. A record compared as a whole brings `_rest` with it.
   */
  readonly reads: ReadonlySet<string>;
  evaluate(question: PolicyQuestion): PolicyVerdict;
}

/** Something that keeps a policy set from loading. */
export interface PolicyProblem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** Names the thing and the fix. */
  readonly message: string;
}

interface PolicyInput {
  /** In the order in which they are joined. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly actions: readonly PolicyActionShape[];
}

/** Parses, validates and prepares a set, or reports every problem at once. */
export type LoadPolicy = (input: PolicyInput) => Result<PolicyEngine, readonly PolicyProblem[]>;
