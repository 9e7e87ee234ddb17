// Everything `decide` looks at, gathered beforehand and frozen. No I/O behind any field.
import type { Contract, ParamContract } from './contract.ts';
import type { Level } from './decision.ts';
import type { JsonValue } from './json-value.ts';
import type { OperationState } from './operation.ts';
import type { ReasonCode } from './reason-codes.ts';

/** A fault of the arguments found before values are looked up. */
export interface CallFault {
  readonly code: Extract<ReasonCode, `CONTRACT_${string}`>;
  readonly path?: string;
  readonly detail?: string;
  readonly expected?: string;
  readonly given?: string;
}

/** One record (or claim) whose trusted value could explain what the agent wrote. */
export interface Candidate {
  readonly canonical: string | number | boolean;
  readonly display: string;
  /** The record's own spelling: what is sent. */
  readonly own: string | number | boolean;
  /** Identity of the record; claims use their name. */
  readonly recordId: string;
  readonly version: string;
  readonly changedAtMs?: number;
  /** When somebody last confirmed the record; the age of its source where the record does not say. */
  readonly verifiedAtMs?: number;
  readonly stale: boolean;
}

/** What one source said about one value. */
export interface SourceFinding {
  readonly source: string;
  readonly status: 'ready' | 'unavailable';
  readonly origin: 'system_of_record' | 'user_channel';
  /** Records of this owner whose canonical value equals the agent's. */
  readonly byValue: readonly Candidate[];
  /** Records selected by `ref:` / `name:`, or `{ref}` / `{name}`. */
  readonly byReference: readonly Candidate[];
  /** A trusted value with the same skeleton and another canonical form exists. */
  readonly lookalike: boolean;
}

/** One value of a critical parameter as the agent wrote it, and what the sources know of it. */
export interface CriticalValue {
  readonly path: string;
  readonly given: JsonValue;
  /** Canonical form, or why there is none. */
  readonly normalised:
    | {
        readonly ok: true;
        readonly canonical: string | number | boolean;
        readonly display: string;
        readonly warnings: readonly string[];
      }
    | { readonly ok: false; readonly detail: string; readonly hint?: string };
  readonly findings: readonly SourceFinding[];
}

/** One value of a parameter that needs no source. */
export interface FreeValue {
  readonly path: string;
  readonly canonical: string | number | boolean;
  readonly display: string;
  readonly send: string | number | boolean;
}

/** One declared parameter that the call carries. */
export interface ParamFact {
  readonly param: ParamContract;
  readonly critical: readonly CriticalValue[];
  readonly free: readonly FreeValue[];
}

/** An outgoing text with entities that nothing trusted explains. */
export interface TextFact {
  readonly path: string;
  readonly onUnknown: 'ask' | 'deny';
  readonly unknown: readonly {
    readonly kind: string;
    readonly text: string;
    readonly certain: boolean;
  }[];
  readonly secret: boolean;
}

/** The proposal read against its contract. */
export type CallFact =
  | { readonly kind: 'unreadable'; readonly faults: readonly [CallFault, ...CallFault[]] }
  | {
      readonly kind: 'read';
      readonly contract: Contract;
      readonly params: readonly ParamFact[];
      readonly texts: readonly TextFact[];
      /** Amount charged to the amount budgets, in budget units; absent = the contract charges none. */
      readonly amount?: number;
      /** ISO 4217 code of that amount; absent = the contract names none. */
      readonly currency?: string;
    };

/** The mandate as the store has it now. */
export interface MandateFact {
  readonly id: string;
  readonly status: 'active' | 'suspended' | 'revoked';
  readonly notBeforeMs: number;
  readonly expiresMs: number;
  readonly scopes: readonly string[];
  readonly levelMin: Level;
}

/** One budget as it counts at this instant. All figures are integers of the budget's unit. */
export interface BudgetFact {
  readonly id: string;
  readonly kind: 'amount' | 'calls';
  readonly limit: number;
  readonly reserved: number;
  readonly spent: number;
  readonly frozen: boolean;
  /** Counts a window of time and not the whole life. */
  readonly windowed: boolean;
  /** ISO 4217; undefined = whatever unit the contracts charge. */
  readonly currency: string | undefined;
  /** `ancestor`: of a mandate above the one that acts. */
  readonly owner: 'own' | 'ancestor';
}

/** What the store knows of earlier operations with the same fingerprint. */
export type RepeatFact =
  | { readonly kind: 'none' }
  | { readonly kind: 'in_flight'; readonly opId: string }
  | {
      readonly kind: 'unknown';
      readonly opId: string /** A tool error, so a person may settle it by asking. */;
      readonly toolError: boolean;
    }
  | { readonly kind: 'untold_success'; readonly opId: string }
  | { readonly kind: 'open'; readonly opId: string; readonly level: 1 | 2 }
  | {
      readonly kind: 'granted';
      readonly opId: string;
      readonly level: 1 | 2 /** Names of what is no longer as approved. */;
      readonly changed: readonly string[];
    }
  | { readonly kind: 'rejected'; readonly opId: string }
  | { readonly kind: 'ended_untold'; readonly opId: string; readonly how: 'expired' | 'changed' }
  | { readonly kind: 'recent_success'; readonly opId: string };

/** The operation that has taken the once key of the call at hand. */
export interface OnceFact {
  readonly opId: string;
  readonly state: OperationState;
}

/** A Cedar verdict at one level. */
export interface PolicyFact {
  readonly effect: 'permit' | 'no_permit' | 'forbidden' | 'error';
  readonly rules: readonly string[];
  readonly detail?: string;
}

/** Facts that only the store can give; read inside the transaction that decides. */
export interface LiveFacts {
  /** Store time: the later of the clock and the last stored instant. */
  readonly nowMs: number;
  readonly mandate: MandateFact | undefined;
  /** The clock stands so far behind the last stored instant that no window can be counted. */
  readonly isClockBack: boolean;
  /** Mandates above it, nearest first; undefined = one of them is not there. */
  readonly ancestors: readonly (MandateFact | undefined)[];
  /** Own ones first, then those of the ancestors that count what is below them. */
  readonly budgets: readonly BudgetFact[];
  readonly repeat: RepeatFact;
  /** Absent when nobody took the key, or the contract has none. */
  readonly once?: OnceFact;
  readonly openApprovals: number;
}

/** Facts gathered before the transaction. */
export interface StaticFacts {
  readonly rateLimited: boolean;
  readonly call: CallFact;
  /** Verdicts by level; a level that was not asked yet is absent. */
  readonly policy: Readonly<Partial<Record<Level, PolicyFact>>>;
  /** Whether somebody can be reached who may answer at this level. */
  readonly channels: { readonly 1: boolean; readonly 2: boolean };
  /** Whether enough people who may answer at this level are there. */
  readonly eligible: { readonly 1: boolean; readonly 2: boolean };
  readonly openApprovalsMax: number;
}

/** The input of `decide`. */
export interface Facts extends StaticFacts {
  readonly live: LiveFacts;
}
