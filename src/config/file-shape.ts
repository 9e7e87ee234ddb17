// What a file holds whose tables have the right shape. What the keys mean stands in the schemas.
import type { NormaliserSettings, ParamType } from '../core/contract.ts';
import type { Assurance } from '../core/operation.ts';

type Scalar = string | number | boolean;

export interface FileShape {
  readonly $schema?: string;
  readonly gateway?: GatewayShape;
  readonly mandate?: MandateShape;
  readonly registries?: Readonly<Record<string, RegistryShape>>;
  readonly servers: readonly ServerShape[];
  readonly tools?: readonly ToolShape[];
  readonly policy: PolicyShape;
  readonly defaults?: DefaultsShape;
  readonly people?: readonly PersonShape[];
  readonly approvals?: ApprovalsShape;
  readonly http?: HttpShape;
  readonly keys?: KeysShape;
  readonly log?: ReceiptLogShape;
}

export interface GatewayShape {
  readonly name?: string;
  readonly data?: string;
  readonly store?: string;
  readonly rate_limit?: number;
  readonly own_tools?: boolean;
  readonly mode?: 'enforce';
  readonly log?: LogShape;
}

interface LogShape {
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly format?: 'json' | 'pretty';
}

export interface MandateShape {
  readonly principal?: string;
  readonly agent?: string;
  readonly budget?: number;
  readonly calls?: number;
  readonly period_budget?: number;
  readonly period?: string;
  readonly zone?: string;
  readonly currency?: string;
  readonly scopes?: readonly string[];
  readonly claims?: Readonly<Record<string, Scalar | readonly Scalar[]>>;
  /** Milliseconds. */
  readonly expires_in?: number;
  readonly request?: string;
  readonly request_file?: string;
}

export interface RegistryShape {
  readonly file: string;
  readonly normalize?: string;
  readonly value?: string;
  readonly fields?: Readonly<Record<string, FieldShape>>;
  readonly alias?: readonly string[];
  readonly owner?: string;
  readonly listable?: boolean;
  /** Milliseconds. */
  readonly max_age?: number;
}

interface FieldShape {
  readonly normalize?: string;
}

export interface ServerShape {
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly inherit_env?: readonly string[];
  readonly cwd?: string;
  /** Milliseconds. */
  readonly timeout?: number;
  /** Milliseconds. */
  readonly call_timeout?: number;
  readonly restart?: 'on-crash' | 'never';
  readonly prefix?: string;
  readonly era?: 'legacy';
  readonly pin?: 'on' | 'off';
}

interface PolicyShape {
  readonly file?: string;
  readonly files?: readonly string[];
}

interface DefaultsShape {
  readonly passthrough?: readonly string[];
  readonly receipts?: string;
}

export interface PersonShape {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
  readonly roles?: readonly string[];
  readonly passcode?: string;
  readonly oidc_subject?: string;
  /** Milliseconds since 1970. */
  readonly away_until?: number;
}

export interface ApprovalsShape {
  readonly passcode?: string;
  readonly listen?: string;
  readonly page_url?: string;
  /** Seconds. */
  readonly wait?: number;
  readonly require?: RequireShape;
  /** Milliseconds, of both levels or by level. */
  readonly expires_in?: number | { readonly '1'?: number; readonly '2'?: number };
  /** Milliseconds. */
  readonly dwell?: number;
  readonly notify?: readonly NotifyShape[];
  readonly quorum?: QuorumShape;
  readonly self_approval?: SelfApprovalShape;
  readonly channel?: string;
}

export interface RequireShape {
  readonly '1'?: readonly Assurance[];
  readonly '2'?: readonly Exclude<Assurance, 'elicitation'>[];
}

export interface NotifyShape {
  readonly kind: 'webhook' | 'slack' | 'mail';
  readonly url: string;
  readonly secret?: string;
  readonly from?: string;
  readonly to?: readonly string[];
  readonly detail?: 'summary' | 'full';
}

export interface QuorumShape {
  readonly count?: number;
  readonly roles?: readonly string[];
  readonly exclude?: readonly string[];
  readonly include_user?: boolean;
}

export type SelfApprovalShape =
  | 'never'
  | 'solo'
  | {
      readonly mode: 'solo';
      /** Milliseconds. */
      readonly wait?: number;
    };

export interface HttpShape {
  readonly oidc?: OidcShape;
}

export interface OidcShape {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret?: string;
  readonly acr?: string;
  readonly amr?: readonly string[];
}

export interface ReceiptLogShape {
  readonly witnesses?: readonly {
    readonly name: string;
    readonly url: string;
    readonly keys: readonly string[];
  }[];
  /** Milliseconds. */
  readonly witness_block_after?: number;
  readonly timestamp_url?: string;
  readonly pq?: boolean;
  readonly retention?: readonly RetentionShape[];
}

interface KeysShape {
  readonly log?: string;
}

interface RetentionShape {
  readonly action?: string;
  readonly types?: readonly string[];
  /** Milliseconds. */
  readonly keep: number;
}

export interface ToolShape {
  readonly server: string;
  readonly tool: string;
  readonly action?: string;
  readonly budget_param?: string;
  readonly params?: Readonly<Record<string, ParamShape>>;
  readonly when?: Readonly<Record<string, Scalar>>;
  readonly success?: SuccessShape;
  readonly expect?: Readonly<Record<string, string>>;
  readonly volatile?: readonly string[];
  readonly idempotency?: IdempotencyShape;
  readonly reconcile?: ReconcileShape;
  readonly once?: readonly string[];
  readonly tool_error?: 'unknown' | 'failed';
  /** Milliseconds. */
  readonly duplicate_window?: number;
  readonly description?: string;
  readonly effect?: 'write' | 'read';
  readonly text?: 'free' | 'entities';
  readonly undeclared?: 'entities' | 'free' | 'refuse';
  readonly on_unknown?: 'ask' | 'deny';
  readonly level_floor?: 0 | 1 | 2;
  readonly scope?: string;
  readonly confirm?: 'page';
  readonly sentence?: string;
}

export interface IdempotencyShape {
  readonly argument: string;
  /** Milliseconds. */
  readonly lifetime: number;
}

export interface ReconcileShape {
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, Scalar>>;
  readonly succeeded: LookupMatchShape;
  readonly failed?: LookupMatchShape;
  readonly absent?: LookupMatchShape;
  readonly amount?: string;
  readonly reference?: string;
  readonly key?: string;
  /** Milliseconds. */
  readonly absence_final_after?: number;
}

export interface LookupMatchShape {
  readonly pointer?: string;
  readonly value?: Scalar | readonly Scalar[];
  readonly text?: string;
  readonly is_error?: boolean;
}

export interface SuccessShape {
  readonly pointer?: string;
  readonly value?: Scalar;
  readonly text?: string;
}

export interface ParamShape extends NormaliserSettings {
  readonly type?: ParamType;
  readonly critical?: boolean;
  readonly sources?: readonly string[];
  readonly each?: boolean;
  readonly path?: string;
  readonly normalize?: string;
  readonly scale?: number;
  readonly optional?: boolean;
  readonly enum?: readonly Scalar[];
  readonly pattern?: string;
  /** Decimal text. */
  readonly min?: string;
  /** Decimal text. */
  readonly max?: string;
  readonly max_length?: number;
  readonly min_items?: number;
  readonly max_items?: number;
  readonly record?: string;
  readonly text?: 'free' | 'entities';
  readonly on_unknown?: 'ask' | 'deny';
  readonly multiline?: boolean;
  readonly label?: string;
  readonly text_allow?: readonly string[];
  readonly text_sources?: readonly string[];
  readonly text_domains?: readonly string[];
  readonly text_templates?: readonly string[];
}
