// What faces (proxy, page, command line, library) may ask of the gateway.
import type { Failure, Level } from '../core/decision.ts';
import type { JsonObject, JsonValue } from '../core/json-value.ts';
import type { AnswerCode } from '../core/moves/plan-answer.ts';
import type {
  ApprovalState,
  ApprovalTerms,
  Assurance,
  OperationState,
  Vote,
} from '../core/operation.ts';
import type { NextStep, ReasonCode, Stage } from '../core/reason-codes.ts';

/** A guarded call as the agent made it. */
export interface ToolCall {
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** Parsed once by the strict front; undefined = no `arguments` key. */
  readonly args: JsonValue | undefined;
  /** The arguments' own text, for the receipt. */
  readonly rawText: string;
}

/** Who calls and how it can be reached. Nothing in here raises a level or fills a source. */
export interface Caller {
  readonly channel: 'mcp' | 'library';
  readonly client: string | undefined;
  /** Aborted before the decision is committed: dropped. After dispatch: ignored. */
  readonly signal: AbortSignal | undefined;
  readonly meta: JsonObject | undefined;
  readonly onProgress: ((progress: JsonObject) => void) | undefined;
  /** Whether this caller can show a form of ours to its person. */
  readonly form: boolean;
}

/** One line a person sees about a value. */
export interface ShownValue {
  readonly label: string;
  readonly path: string;
  readonly display: string;
  readonly source: string;
  readonly recordId?: string;
  readonly recordVersion?: string;
  readonly changedAtMs?: number;
  readonly warnings: readonly string[];
}

/** An open question to a person. */
export interface PendingApproval {
  readonly approvalId: string;
  readonly opHash: string;
  readonly level: 1 | 2;
  /** Page link for the person; undefined when no page runs. */
  readonly url: string | undefined;
  readonly expiresMs: number;
  readonly sentence: string;
  /** The same for the agent: a value that it only referred to is named by its record, not shown. */
  readonly summary: string;
  readonly values: readonly ShownValue[];
  /** Undeclared arguments as one JSON text: they are sent too. */
  readonly rest: string | undefined;
  /** Why a person is asked. */
  readonly reasons: readonly string[];
  /** Whether a form through the agent's client may answer it. */
  readonly how: 'page' | 'form' | 'both';
}

/** One object for everything that is not the server's own answer. */
export interface AnswerReport {
  /** Undefined when no decision was recorded: rate limit, broken store, broken gateway. */
  readonly decisionId: string | undefined;
  readonly opId: string | undefined;
  readonly status: 'denied' | 'pending' | 'failed' | 'unknown';
  readonly stage: Stage;
  readonly codes: readonly ReasonCode[];
  readonly failures: readonly Failure[];
  readonly next: readonly NextStep[];
  readonly approval: PendingApproval | undefined;
  /** Since when the outcome is unknown. */
  readonly unknownSinceMs: number | undefined;
  /** How long to wait, in seconds, where that is the next step. */
  readonly waitSeconds: number | undefined;
  /** One line from the target, when it said why (no values of other owners). */
  readonly reason: string | undefined;
}

/** The answer to a guarded call. */
export type Answer =
  /** `result` is the server's own, untouched; `report` is set when its tool error left the outcome unknown; `earlier` when an untold success is told now. */
  | {
      readonly kind: 'executed';
      readonly decisionId: string;
      readonly opId: string;
      readonly result: JsonObject;
      readonly report: AnswerReport | undefined;
      readonly earlier: { readonly opId: string; readonly atMs: number } | undefined;
    }
  | { readonly kind: 'report'; readonly report: AnswerReport }
  /** The caller cancelled before the decision was committed. */
  | { readonly kind: 'dropped' };

/** The answer to a call under a key of its caller. In brackets what an HTTP face makes of it. */
export type OnceAnswer =
  /** No key (400). */
  | { readonly kind: 'key_missing' }
  /** Not 1 to 128 printable ASCII characters (400). */
  | { readonly kind: 'key_malformed' }
  /** The key stands for another call (422). */
  | { readonly kind: 'other_call'; readonly opId: string }
  /** The first one is still under way (409). */
  | { readonly kind: 'in_flight'; readonly opId: string; readonly retryAfterSeconds: number }
  /** Sent, and nobody knows what came of it: the operation says it as soon as somebody does (202). */
  | { readonly kind: 'unknown'; readonly opId: string; readonly answer: Answer }
  /** Decided, refused, asked or executed; `isReplay` = it was answered before, and nothing was done now. */
  | { readonly kind: 'answered'; readonly isReplay: boolean; readonly answer: Answer };

/** A person's answer, from whichever face. All of them end here. */
export interface PersonAnswer {
  readonly approvalId: string;
  /** What the face showed; another stored hash = nothing changes. */
  readonly opHash: string;
  readonly verdict: 'approve' | 'reject';
  /** Handle of the person, as the face proved it. */
  readonly person: string;
  readonly assurance: Assurance;
  /** `elicitation`, `page`, `cli`, or the name of a plug-in. */
  readonly channel: string;
  readonly reason: string | undefined;
  /**
   * Answer of `navigator.credentials.get()` as JSON, over the hash of the operation. What it is worth
   * is judged here: a face that names a passkey as assurance and sends none is refused.
   */
  readonly assertion?: unknown;
}

export type AnswerResult =
  | { readonly ok: true; readonly state: ApprovalState }
  | {
      readonly ok: false;
      /** `PASSKEY_REFUSED`: the signature does not hold, or is not this person's, or not of this operation. */
      readonly code: AnswerCode | 'FACTOR_REFUSED' | 'PASSKEY_REFUSED';
      readonly state: ApprovalState | undefined;
    };

export interface GatewayStatus {
  readonly principal: string;
  readonly mandate: 'active' | 'suspended' | 'revoked' | 'superseded';
  readonly expiresMs: number;
  readonly budgets: readonly {
    readonly kind: 'amount' | 'calls';
    readonly limit: number;
    readonly left: number;
    /** ISO 4217; undefined = whatever unit the tools charge. */
    readonly currency: string | undefined;
    /** `30d`, `day:Europe/Berlin`; undefined = the life of the mandate. */
    readonly window: string | undefined;
    /** First instant after the period of a calendar window. */
    readonly endsMs: number | undefined;
  }[];
  readonly pending: readonly {
    readonly approvalId: string;
    readonly action: string;
    readonly url: string | undefined;
    readonly expiresMs: number;
    readonly level: Level;
  }[];
}

export interface Gateway {
  /** Decides, asks or executes. Never throws for anything an agent can send. */
  submit(call: ToolCall, caller: Caller): Promise<Answer>;
  /** Records a call of a name that is hidden or does not exist (`CONTRACT_UNKNOWN_ACTION`). */
  recordUnknownTool(name: string, caller: Caller): Promise<void>;
  /** The one choke point of approvals. */
  answerApproval(answer: PersonAnswer): Promise<AnswerResult>;
  cancelApproval(opId: string, reason: string): Promise<void>;
  /** Resolves with the state as soon as it is not REQUESTED, or with REQUESTED after `timeoutMs`. */
  waitForApproval(
    approvalId: string,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<ApprovalState | undefined>;
  readPending(approvalId: string): Promise<
    | {
        readonly approval: PendingApproval;
        readonly state: ApprovalState;
        readonly detail: ApprovalDetail;
      }
    | undefined
  >;
  listPending(): Promise<readonly PendingApproval[]>;
  /** What was approved again and again under this mandate, drafted as amendments of it. */
  listDrafts(): Promise<readonly ShownDraft[]>;
  /** The same report for a decision id of this mandate; undefined for others. */
  explain(decisionId: string): Promise<AnswerReport | undefined>;
  status(): Promise<GatewayStatus>;
  /** Names and masked values of the listable registries of this mandate's owner. */
  listTrusted(): Promise<
    readonly {
      readonly registry: string;
      readonly records: readonly { readonly id: string; readonly masked: string }[];
    }[]
  >;
}

/** The gateway as programs use it. */
export interface LibraryGateway extends Gateway {
  /** `submit` under a key of the caller: whatever happens on the way, the call is made once. Keys never expire. */
  submitOnce(key: string | undefined, call: ToolCall, caller: Caller): Promise<OnceAnswer>;
}

/** One thing that the history of the store says about an operation. */
export type HistoryNote =
  /** Nothing succeeded for this recipient before. */
  | { readonly kind: 'first_recipient' }
  /** The charged amount against the median of the last ones, in budget units. */
  | {
      readonly kind: 'amount_multiple';
      readonly multiple: number;
      readonly median: number;
      readonly currency: string | undefined;
      /** How many amounts the median is made of. */
      readonly of: number;
      readonly flagged: boolean;
    }
  /** Different from the last operation to the recipient. */
  | { readonly kind: 'field_changed'; readonly label: string }
  | {
      readonly kind: 'record_changed';
      readonly label: string;
      readonly path: string;
      readonly daysAgo: number;
    }
  /** Proposals under this mandate that were denied within the last hour. */
  | { readonly kind: 'recent_denials'; readonly count: number };

/** A drafted amendment as people see it. */
export interface ShownDraft {
  readonly draftId: string;
  readonly action: string;
  /** Where the recipient stands in the arguments. */
  readonly recipientPaths: readonly string[];
  /** As it was shown at the last of the approvals; undefined when that was erased. */
  readonly recipient: string | undefined;
  /** In budget units. */
  readonly ceiling: number;
  readonly currency: string | undefined;
  /** The requests that were approved, oldest first. */
  readonly basis: readonly string[];
  readonly createdMs: number;
  readonly expiresMs: number;
}

/** Everything the approval page shows of one operation. */
export interface ApprovalDetail {
  readonly action: string;
  readonly server: string;
  readonly tool: string;
  readonly principal: string;
  readonly agent: string;
  readonly opHash: string;
  /** Every argument, also the undeclared ones, in the order of the call. */
  readonly values: readonly ShownValue[];
  /** The undeclared arguments as one JSON text. */
  readonly rest: string | undefined;
  readonly reasons: readonly string[];
  /** Against what was done before. */
  readonly history: readonly HistoryNote[];
  readonly createdMs: number;
  /** Who has to approve, and who has. */
  readonly terms: ApprovalTerms;
  readonly votes: readonly Vote[];
  /** What became of it after the grant. */
  readonly operation: OperationState;
  /** What a person types the end of at level 2; undefined when there is no value. */
  readonly typed: { readonly label: string; readonly canonical: string } | undefined;
}
