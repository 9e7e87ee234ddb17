// Reports that no decision stands behind: broken parts, and outcomes that are certain or unknown.
import type { Failure } from '../core/decision.ts';
import { type NextStep, type ReasonCode, reasonCodes } from '../core/reason-codes.ts';
import type { StoreError, StoreErrorCode } from '../stores/store.ts';
import type { Answer, AnswerReport } from './gateway.ts';

/** Ids of a call whose operation exists. */
interface Ids {
  readonly decisionId: string;
  readonly opId: string;
}

/** The report of one code; everything else is empty. */
export function reportOf(
  code: ReasonCode,
  fields: Partial<Omit<AnswerReport, 'codes' | 'stage'>> & { readonly failure?: Partial<Failure> },
): AnswerReport {
  const { failure, ...rest } = fields;
  const row = reasonCodes[code];
  return {
    decisionId: undefined,
    opId: undefined,
    status: 'denied',
    stage: row.stage,
    codes: [code],
    failures: [{ code, ...failure }],
    next: row.next satisfies readonly NextStep[],
    approval: undefined,
    unknownSinceMs: undefined,
    waitSeconds: undefined,
    reason: undefined,
    ...rest,
  };
}

export const internalReport = (): Answer => ({ kind: 'report', report: reportOf('INTERNAL', {}) });

const storeDetails: Readonly<Record<StoreErrorCode, string>> = {
  STORE_BUSY: 'store_busy',
  STORE_FULL: 'store_full',
  STORE_FAILED: 'store_failed',
  STORE_NEWER: 'store_newer',
  STORE_OLDER: 'store_older',
  STORE_UNREACHABLE: 'store_unreachable',
  STORE_UNCERTAIN: 'store_uncertain',
  STORE_NOT_WRITABLE: 'store_not_writable',
  STORE_CONFLICT: 'store_conflict',
  LOG_STATE_BAD: 'log_state_bad',
  LOG_BEHIND_CHECKPOINT: 'log_behind_checkpoint',
  LOG_FORKED: 'log_forked',
  GUARD_MISSING: 'guard_missing',
  LOG_KEY_FOREIGN: 'log_key_foreign',
  RESTART_REFUSED: 'restart_refused',
  ILLEGAL_MOVE: 'illegal_move',
};

/** Nothing is executed without its record. */
export const storeReport = (error: StoreError): Answer => ({
  kind: 'report',
  report: reportOf('RECEIPT_UNAVAILABLE', { failure: { detail: storeDetails[error.code] } }),
});

/** Nothing more is executed before a witness has seen what was. */
export const uncosignedReport = (): Answer => ({
  kind: 'report',
  report: reportOf('RECEIPT_UNAVAILABLE', { failure: { detail: 'witness_behind' } }),
});

export const rateLimitedReport = (waitS: number): Answer => ({
  kind: 'report',
  report: reportOf('RATE_LIMITED', { waitSeconds: waitS }),
});

/** Certainly no effect. */
export const failedReport = (ids: Ids, reason: string | undefined): Answer => ({
  kind: 'report',
  report: reportOf('EXECUTION_FAILED', {
    decisionId: ids.decisionId,
    opId: ids.opId,
    status: 'failed',
    reason,
  }),
});

/** Nobody knows whether the effect happened; the reservation stays and nothing is sent again. */
export const unknownReport = (
  ids: Ids,
  known: { readonly sinceMs: number; readonly reason: string | undefined },
): Answer => ({
  kind: 'report',
  report: reportOf('EXECUTION_UNKNOWN', {
    decisionId: ids.decisionId,
    opId: ids.opId,
    status: 'unknown',
    unknownSinceMs: known.sinceMs,
    reason: known.reason,
  }),
});
