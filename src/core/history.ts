// What requests are compared with: earlier operations of the same action and recipient. Rows hold
// keyed hashes and amounts; the values themselves stay in the payloads of the leaves.
import type { ApprovalState } from './operation.ts';

/** What a call says about itself for later comparisons. */
export interface ComparedCall {
  /** HMAC under the store's secret over owner, action and recipient (base64url). */
  readonly recipientKey: string;
  /** Where the recipient stands in the arguments, e.g. `to[0]`. */
  readonly recipientPaths: readonly string[];
  /** Path without indexes (`items[].sku`) → keyed hash of everything that stands there. */
  readonly fields: Readonly<Record<string, string>>;
}

/** One operation as later ones are compared with it. */
export interface HistoryRow extends ComparedCall {
  readonly opId: string;
  /** What it was charged, in budget units; undefined = the contract charges none. */
  readonly amount: number | undefined;
  /** ISO 4217; undefined = the contract names none. */
  readonly currency: string | undefined;
  readonly atMs: number;
}

/** Name in `fields` of all undeclared arguments together. */
export const restField = '_rest';

/** Amounts that a median is made of. */
export const amountsMax = 20;
/** Earlier operations are counted up to here. */
export const earlierMax = 1_000;

/** Earlier operations of the same action and recipient that succeeded. */
export interface EarlierOperations {
  /** At most `earlierMax`. */
  readonly count: number;
  /** When the first of them was proposed. */
  readonly firstMs: number | undefined;
  /** Of the same currency, newest first, at most `amountsMax`. */
  readonly amounts: readonly number[];
  /** Of the newest one. */
  readonly lastFields: HistoryRow['fields'] | undefined;
}

/** What a request is compared with. */
export interface OperationHistory {
  /** Undefined for an action without a recipient, and when its values were erased. */
  readonly compared: { readonly own: HistoryRow; readonly earlier: EarlierOperations } | undefined;
  /** Proposals under its mandate that were denied within the last hour. */
  readonly recentDenials: number;
}

/** A proposal that was denied. */
export interface Denial {
  readonly mandateId: string;
  readonly atMs: number;
}

/** Denials are counted by the minute in as many rows, which are used again: no flood makes more. */
export const denialSlots = 60;

/** The minute of an instant, and the row that counts it. */
export function denialSlot(atMs: number): { readonly minute: number; readonly slot: number } {
  const minute = Math.floor(atMs / 60_000);
  return { minute, slot: minute % denialSlots };
}

/** A drafted change of a mandate: what was approved again and again. It allows nothing by itself. */
export interface AmendmentDraft {
  /** 128 random bits, lower-case hex. */
  readonly draftId: string;
  readonly mandateId: string;
  readonly mandateLine: string;
  readonly action: string;
  readonly recipientKey: string;
  readonly recipientPaths: readonly string[];
  /** Largest amount among the approvals, in budget units. */
  readonly ceiling: number;
  readonly currency: string | undefined;
  /** The requests that were approved, oldest first. */
  readonly basis: readonly string[];
  /** `dismissed`: not to be shown, and not drafted again. */
  readonly state: 'drafted' | 'dismissed';
  readonly createdMs: number;
  readonly expiresMs: number;
}

/** One request with how it was answered, for statistics. */
export interface ApprovalFigure {
  readonly approvalId: string;
  readonly opId: string;
  readonly action: string;
  readonly level: 1 | 2;
  readonly state: ApprovalState;
  readonly createdMs: number;
  readonly expiresMs: number;
  /** Every answer that counted, in order. */
  readonly answers: readonly { readonly approves: boolean; readonly atMs: number }[];
}

/** Requests since an instant, and how many operations there were. */
export interface ApprovalFigures {
  /** Operations that were asked about or sent; a refused proposal is none. */
  readonly operations: number;
  readonly requests: readonly ApprovalFigure[];
}
