// What the page works with, and all it can reach: four methods of the gateway and a passcode gate.
import type { PasscodeGate } from '../approvals/passcode-gate.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';
import type { CsrfTokens } from './csrf-token.ts';
import type { Clock } from './time-words.ts';

export type PageGateway = Pick<
  Gateway,
  'readPending' | 'listPending' | 'listDrafts' | 'answerApproval'
>;

export interface PageContext {
  readonly gateway: PageGateway;
  readonly gate: PasscodeGate;
  readonly csrf: CsrfTokens;
  /** The person whose passcode it is; requests of others do not exist here. */
  readonly principal: string;
  readonly clock: () => Clock;
  readonly log: LogLine;
  /** Files of the browser by path. */
  readonly assets: ReadonlyMap<string, { readonly type: string; readonly body: string }>;
  /** Longest time that a body may take to arrive. */
  readonly bodyTimeoutMs: number;
}
