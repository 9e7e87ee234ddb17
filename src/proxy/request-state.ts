// The sealed state that a client of revision 2026-07-28 hands back with its answer: bound to one
// call, so that it cannot be moved to another one.
import { openText, sealText } from '../approvals/sealed-text.ts';

const label = 'intentplane/request-state/v1';

export interface RequestState {
  readonly principal: string;
  readonly server: string;
  readonly tool: string;
  /** Digest of method and params. */
  readonly digest: string;
  readonly opId: string;
  readonly approvalId: string;
  readonly opHash: string;
  readonly nonce: string;
  readonly issuedMs: number;
  readonly expiresMs: number;
}

/** `secret` never leaves the store. */
export function sealRequestState(state: RequestState, secret: Uint8Array): string {
  return sealText(JSON.stringify(state), { secret, label });
}

/** Undefined for anything that was not sealed with this secret. */
export function openRequestState(text: string, secret: Uint8Array): RequestState | undefined {
  const state = openText(text, { secret, label });
  return state === undefined ? undefined : (JSON.parse(state) as RequestState);
}
