// A configuration as the rest of the product uses it: complete, checked, frozen.

import type { PasscodeString } from '../core/checks/passcode-string.ts';
import type { Contract, ValueReading } from '../core/contract.ts';
import type { Level } from '../core/decision.ts';
import type { BudgetDraft } from '../core/moves/plan-mandate.ts';
import type { RetentionRule } from '../core/retention.ts';
import type { KeyPath } from './key-path.ts';

/** A file, and where something stands in it. */
export interface ConfigPlace {
  readonly file: string;
  /** 1-based; absent when the place cannot be told. */
  readonly line?: number;
  /** Path of the key, e.g. `tools[2].params.amount.scale`. */
  readonly key?: string;
}

/** One problem of a file, with where it is and how to mend it. */
export interface ConfigProblem extends ConfigPlace {
  readonly message: string;
}

export interface ServerConfig {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly inheritEnv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly callTimeoutMs: number;
  readonly restart: 'on-crash' | 'never';
  readonly prefix: string | undefined;
  readonly pin: 'on' | 'off';
}

/** A tool that clients may see, in the order of the file. */
export interface ExposedToolConfig {
  readonly server: string;
  readonly tool: string;
  readonly kind: 'guarded' | 'passthrough';
}

/** Who owns a record: the principal of the file, everybody, or whom a field of the record names. */
export type OwnerRule =
  | { readonly kind: 'principal' }
  | { readonly kind: 'everyone' }
  | { readonly kind: 'field'; readonly field: string };

/** How the records of a registry are read. */
export interface RegistryReading {
  /** Reading of the record's own value. */
  readonly own: ValueReading;
  /** Field that is the record's own value; absent = the record is a plain value, or its `value` field. */
  readonly value: string | undefined;
  readonly fields: Readonly<Record<string, ValueReading>>;
  readonly alias: readonly string[];
  readonly owner: OwnerRule;
}

export interface RegistryConfig {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly format: 'json' | 'csv';
  readonly reading: RegistryReading;
  readonly listable: boolean;
  readonly maxAgeMs: number | undefined;
}

export interface MandateConfig {
  readonly principal: string;
  readonly agent: string;
  readonly tenant: string;
  readonly claims: Readonly<Record<string, readonly (string | number | boolean)[]>>;
  readonly budgets: readonly BudgetDraft[];
  readonly scopes: readonly string[];
  readonly expiresInMs: number;
  readonly levelMin: Level;
  readonly request: string | undefined;
}

export interface ApprovalsConfig {
  /** Undefined when no passcode may answer. */
  readonly passcode: PasscodeString | undefined;
  readonly listen: { readonly host: string; readonly port: number };
  /** 0–45,000. */
  readonly waitMs: number;
  /** Whether a form in the agent's client may answer level 1. */
  readonly formAllowed: boolean;
  readonly expiresMs: Readonly<Record<1 | 2, number>>;
}

export interface GatewayConfig {
  readonly name: string;
  /** Absolute folder of keys and store. */
  readonly data: string;
  /** Absolute path of the SQLite file, address of a PostgreSQL database, or `:memory:` for tests and benchmarks. */
  readonly store: string;
  readonly rateLimit: number;
  readonly ownTools: boolean;
  readonly log: {
    readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
    readonly format: 'json' | 'pretty';
  };
}

/** How the receipt log is anchored outside this gateway. */
export interface ReceiptLogConfig {
  readonly witnesses: readonly {
    readonly name: string;
    /** Without a slash at the end. */
    readonly url: string;
    /** Texts of verifier keys. */
    readonly keys: readonly string[];
  }[];
  /** How long receipts may wait for a witness before calls are refused. */
  readonly blockAfterMs: number | undefined;
  /** Time-stamping authority that is asked about checkpoints. */
  readonly timestampUrl: string | undefined;
  /** Whether a second key, ML-DSA-44, signs checkpoints. */
  readonly pq: boolean;
}

export interface Config {
  /** Absolute path of the file. */
  readonly file: string;
  readonly folder: string;
  readonly gateway: GatewayConfig;
  readonly mandate: MandateConfig;
  readonly registries: readonly RegistryConfig[];
  readonly servers: readonly ServerConfig[];
  readonly contracts: readonly Contract[];
  readonly tools: readonly ExposedToolConfig[];
  readonly policies: readonly { readonly name: string; readonly text: string }[];
  /** Absolute path of the 0.5.x receipt file. */
  readonly receiptMirror: string | undefined;
  readonly approvals: ApprovalsConfig;
  readonly keys: { readonly log: string };
  /** How long values are kept, before the defaults. */
  readonly retention: readonly RetentionRule[];
  readonly log: ReceiptLogConfig;
  /** SHA-256 (hex) of the file's text. Salted before it leaves the process. */
  readonly digest: string;
  /** What a start should say although nothing is wrong. */
  readonly warnings: readonly string[];
  /** Where a key stands, for problems that only show when the parts are loaded. */
  readonly placeOf: (path: KeyPath) => ConfigPlace;
}

/** The part of the environment that a configuration may use; read once, in this folder only. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
}

/** Whether a store is a PostgreSQL database. */
export function isPostgresUrl(store: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(store);
}
