// What a gateway is made of. Built by the composer; nothing in here reads a file or the environment.

import type { Site } from '../approvals/passkey/site.ts';
import type { Connector } from '../connectors/connector.ts';
import type { Registry } from '../connectors/registry.ts';
import type { Contract } from '../core/contract.ts';
import type { MandateDraft } from '../core/moves/plan-mandate.ts';
import type { ApprovalTerms, Assurance } from '../core/operation.ts';
import type { PolicyEngine } from '../policy/policy-engine.ts';
import type { Store } from '../stores/store.ts';
import type { ClaimIndex } from './claim-index.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** A person asked by a page or a form; who they are and where the page is. */
export interface ApprovalSettings {
  /** Whether a form in the agent's client may answer level 1. */
  readonly formAllowed: boolean;
  /** Whether the page can take an answer (a passcode is configured). */
  readonly pageAnswers: () => boolean;
  /** Link of one request; undefined while no page runs. */
  readonly linkOf: (approvalId: string) => string | undefined;
  /** Validity of a request by level, in milliseconds. */
  readonly expiresMs: Readonly<Record<1 | 2, number>>;
  /** Open requests per mandate. */
  readonly openMax: number;
  /** Who has to approve, by level. */
  readonly terms: Readonly<Record<1 | 2, ApprovalTerms>>;
  /** What counts as an answer, by level. */
  readonly require: Readonly<Record<1 | 2, readonly Assurance[]>>;
  /** Where passkeys of the page are made and used; absent or undefined: no passkey counts. */
  readonly site?: () => Site | undefined;
}

/** One line of the log; values never go in. */
export type LogLine = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, string | number | boolean | undefined>>,
) => void;

/** A copy of each receipt for the readers of the 0.5.x file; failing is an alarm, never a refusal. */
export type ReceiptMirror = (entry: MirrorEntry) => void;

/** What the 0.5.x receipt file holds about one decision or outcome. */
export interface MirrorEntry {
  readonly action: string;
  readonly opId: string;
  readonly opHash: string | undefined;
  readonly status: 'EXECUTING' | 'EXECUTED' | 'PENDING' | 'DENIED' | 'FAILED' | 'UNKNOWN';
  readonly stage: string;
  readonly reasons: readonly string[];
}

export interface GatewayParts {
  readonly store: Store;
  readonly policy: PolicyEngine;
  readonly registries: ReadonlyMap<string, Registry>;
  /** Contracts of each guarded tool by `server` + `\0` + `tool`, in the order of the file. */
  readonly contracts: ReadonlyMap<string, readonly Contract[]>;
  readonly claims: ClaimIndex;
  /** Canonical forms (e-mail, domain, URL, IBAN) of the literals of the request. */
  readonly requestTexts: ReadonlySet<string>;
  /** The user's own words, when the mandate carries them. */
  readonly request: string | undefined;
  readonly connector: Connector;
  /** The accepted definition of a tool and whether the server still announces it. */
  readonly definitionOf: (server: string, tool: string) => ToolDefinition;
  /** Resolves when the definition of a tool is checked against a list that is being read (at most 5 s); undefined when none is. */
  readonly listed: (server: string, tool: string) => Promise<unknown> | undefined;
  readonly mandateDraft: () => MandateDraft;
  readonly approvals: ApprovalSettings;
  /** Denied or asked proposals per minute before further ones are only counted. */
  readonly rateLimit: number;
  readonly attemptTimeoutMs: (server: string) => number;
  readonly origin: string;
  readonly secret: Uint8Array;
  readonly processId: string;
  readonly nowMs: () => number;
  readonly random: (size: number) => Uint8Array;
  readonly log: LogLine;
  readonly mirror: ReceiptMirror | undefined;
  /** Whether receipts wait longer for a witness than the owner allows: then nothing is dispatched. */
  readonly isUncosigned?: () => boolean;
  /** Called when the store can no longer be written: the process stops serving. */
  readonly onFatal: (error: unknown) => void;
}
