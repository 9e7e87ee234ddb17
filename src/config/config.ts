// A configuration as the rest of the product uses it: complete, checked, frozen.

import type { PasscodeString } from '../core/checks/passcode-string.ts';
import type { Contract, ValueReading } from '../core/contract.ts';
import type { Level } from '../core/decision.ts';
import type { BudgetDraft } from '../core/moves/plan-mandate.ts';
import type { Assurance } from '../core/operation.ts';
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

/** One `[[people]]`. */
export interface PersonConfig {
  readonly id: string;
  readonly name: string;
  readonly email: string | undefined;
  readonly roles: readonly string[];
  readonly passcode: PasscodeString | undefined;
  /** The string that `passcode` was read from. */
  readonly passcodeText: string | undefined;
  readonly oidcSubject: string | undefined;
  readonly awayUntilMs: number | undefined;
}

/** Where a request is told of, and how much of it. */
export type NotifyConfig = {
  /** `summary`: action, asker, expiry and link; `full`: the values too. */
  readonly detail: 'summary' | 'full';
} & (
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string }
  | { readonly kind: 'slack'; readonly url: string }
  | {
      readonly kind: 'mail';
      /** `smtp://` or `smtps://`, with user and password where the server wants them. */
      readonly url: string;
      readonly from: string;
      /** Undefined: the addresses of those who may answer. */
      readonly to: readonly string[] | undefined;
    }
);

/** Who has to approve at level 2 unless a pack or a policy says more. */
export interface QuorumConfig {
  readonly count: number;
  readonly roles: readonly string[];
  readonly exclude: readonly string[];
  readonly includeUser: boolean;
}

/** Sign-in at an OpenID Connect provider. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Asked for and demanded. */
  readonly acr: string | undefined;
  /** Methods of which one must have been used. */
  readonly amr: readonly string[];
}

export interface ApprovalsConfig {
  /** Passcode of the owner, the principal of the mandate; undefined when no passcode may answer. */
  readonly passcode: PasscodeString | undefined;
  /** The string of the owner's passcode, also when no passcode may answer: commands ask for it all the same. */
  readonly passcodeText: string | undefined;
  readonly listen: { readonly host: string; readonly port: number };
  /** Public address of the page behind a TLS proxy, without a path; undefined = this computer only. */
  readonly pageUrl: string | undefined;
  /** 0–45,000. */
  readonly waitMs: number;
  /** Whether a form in the agent's client may answer level 1. */
  readonly formAllowed: boolean;
  /** What counts as an answer, by level. */
  readonly require: Readonly<Record<1 | 2, readonly Assurance[]>>;
  readonly expiresMs: Readonly<Record<1 | 2, number>>;
  /** How long a level 2 page must have been open before it takes an approval. */
  readonly dwellMs: number;
  readonly notify: readonly NotifyConfig[];
  /** `./file.mjs:factory`, with the absolute path of the file. */
  readonly channel: { readonly file: string; readonly factory: string } | undefined;
  readonly quorum: QuorumConfig;
  /** Undefined: never alone. */
  readonly solo: { readonly waitMs: number } | undefined;
  readonly oidc: OidcConfig | undefined;
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
  readonly people: readonly PersonConfig[];
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
