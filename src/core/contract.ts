// The contract of one guarded action: what its parameters are and where critical values may come from.
import type { JsonValue } from './json-value.ts';

/** Types a parameter may have. `list` and `object` carry free JSON and are never critical. */
export type ParamType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'money'
  | 'date'
  | 'datetime'
  | 'list'
  | 'object';

/** One trusted source of a critical parameter; `name` is the text of the configuration. */
export type SourceRef =
  | { readonly kind: 'mandate'; readonly name: string; readonly claim: string }
  | {
      readonly kind: 'registry';
      readonly name: string;
      readonly registry: string;
      /** Field of the record; undefined = the record's own value. */
      readonly field?: string;
    }
  | { readonly kind: 'request'; readonly name: string }
  | { readonly kind: 'const'; readonly name: string; readonly value: string };

/** One step into the arguments: a key, or every element of a list. */
export type PathStep = { readonly kind: 'key'; readonly key: string } | { readonly kind: 'each' };

/** Options of a normaliser (values.ts tables name the ones each reads). */
export interface NormaliserSettings {
  readonly currency?: string;
  readonly zone?: string;
}

/** How a value becomes canonical: by its type, a named normaliser and, for numbers, a scale. */
export interface ValueReading {
  readonly type: ParamType;
  readonly normalize?: string;
  readonly settings: NormaliserSettings;
  /** Integer multiplier for policy and budget; 1 = as it is. */
  readonly scale: number;
}

/** One declared parameter. Bounds are inclusive; `lengthMax` counts UTF-16 units. */
export interface ParamContract extends ValueReading {
  readonly name: string;
  /** Where the value stands in the arguments; a plain parameter has one key step. */
  readonly path: readonly PathStep[];
  readonly critical: boolean;
  /** Ordered; the first that matches wins. Not empty when critical. */
  readonly sources: readonly SourceRef[];
  readonly each: boolean;
  readonly optional: boolean;
  readonly oneOf?: readonly JsonValue[];
  readonly pattern?: string;
  readonly min?: string;
  readonly max?: string;
  readonly lengthMax?: number;
  readonly itemsMin?: number;
  readonly itemsMax?: number;
  /** Name of the parameter that selects the record this value must come from. */
  readonly record?: string;
  readonly text: 'free' | 'entities';
  readonly onUnknown: 'ask' | 'deny';
  readonly multiline: boolean;
  readonly label?: string;
  readonly textAllow: readonly string[];
  readonly textSources: readonly string[];
  readonly textDomains: readonly string[];
  readonly textTemplates: readonly string[];
}

/** How a success of the tool looks (execution states, odd answers). */
export interface SuccessShape {
  /** JSON pointer into the structured result, and the value expected there. */
  readonly pointer?: string;
  readonly value?: JsonValue;
  /** re2js pattern over the text of the result. */
  readonly text?: string;
}

/** The argument in which the gateway writes its key, and for how long the target honours it. */
export interface IdempotencyTerms {
  readonly argument: string;
  readonly lifetimeMs: number;
}

/** An answer of a look-up that has one meaning. Everything given must hold. */
export interface LookupMatch {
  /** JSON pointer into the structured result; without `values` it only must be there. */
  readonly pointer?: string;
  readonly values?: readonly JsonValue[];
  /** re2js pattern over the text of the result. */
  readonly text?: string;
  /** Whether the tool answers this as an error. */
  readonly isError: boolean;
}

/** The read-only tool that says what became of an operation. */
export interface LookupRule {
  readonly server: string;
  readonly tool: string;
  /** Texts may hold `${key}`, `${op_id}` and `${param.NAME}`. */
  readonly arguments: Readonly<Record<string, string | number | boolean>>;
  readonly succeeded: LookupMatch;
  readonly failed?: LookupMatch;
  readonly absent?: LookupMatch;
  /** JSON pointer to the amount, in the tool's own unit. */
  readonly amount?: string;
  /** JSON pointer to the target's own name of what happened. */
  readonly reference?: string;
  /** JSON pointer to the key that the target kept. */
  readonly key?: string;
  /** Milliseconds after the deadline of the last attempt; before, `absent` means nothing. */
  readonly absenceFinalAfterMs?: number;
}

/** The contract of one guarded tool, or of one act of a tool that runs several. */
export interface Contract {
  readonly action: string;
  readonly server: string;
  readonly tool: string;
  /** Literal argument values that select this contract; empty = always. */
  readonly when: Readonly<Record<string, JsonValue>>;
  readonly params: readonly ParamContract[];
  /** Parameter charged to the amount budget. */
  readonly budgetParam?: string;
  readonly undeclared: 'entities' | 'free' | 'refuse';
  readonly onUnknown: 'ask' | 'deny';
  readonly effect: 'write' | 'read';
  readonly levelFloor: 0 | 1 | 2;
  readonly scope: string;
  readonly volatile: readonly string[];
  /** Milliseconds after a success in which an identical call asks; 0 = off. */
  readonly duplicateWindowMs: number;
  readonly toolError: 'unknown' | 'failed';
  readonly success?: SuccessShape;
  /** JSON pointer into the structured result → parameter whose value must stand there. */
  readonly expect: Readonly<Record<string, string>>;
  readonly confirm: 'any' | 'page';
  /** Absent: the target honours no key, and nothing is ever sent twice. */
  readonly idempotency?: IdempotencyTerms;
  /** Absent: only a person can say what became of an operation. */
  readonly reconcile?: LookupRule;
  /** Parameters whose values together can succeed once, for ever. */
  readonly once?: readonly string[];
  /** Template of the one-line sentence shown to a person; `{name}` = display value. */
  readonly sentence?: string;
  /** Replaces the server's own description of the tool. */
  readonly description?: string;
  /** SHA-256 (hex) over everything above and the normaliser versions. */
  readonly digest: string;
}
