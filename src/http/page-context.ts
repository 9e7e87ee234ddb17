// What the page works with, and all it can reach: requests, people and sessions. No server, no
// policy, no key.
import type { AllowedModels } from '../approvals/passkey/enrolment.ts';
import type { Site } from '../approvals/passkey/site.ts';
import type { TryLimit } from '../approvals/try-limit.ts';
import type { Assurance } from '../core/operation.ts';
import type { Gateway, GatewayStatus } from '../gateway/gateway.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';
import type { Store } from '../stores/store.ts';
import type { CookieScope } from './cookies.ts';
import type { CsrfTokens } from './csrf-token.ts';
import type { PagePasscodes } from './page-passcodes.ts';
import type { Clock } from './time-words.ts';

export interface PageGateway
  extends Pick<Gateway, 'readPending' | 'listPending' | 'listDrafts' | 'answerApproval'> {
  /** False when nothing is suspended, or for anybody but the principal. */
  liftSuspension(person: string): Promise<boolean>;
  status(): Promise<Pick<GatewayStatus, 'mandate'>>;
}

/** Documents about people, in the store: every process of the gateway serves every session. */
export type PageRecords = Pick<Store, 'readRecords' | 'changeRecords' | 'useNonce'>;

export interface PageContext {
  readonly gateway: PageGateway;
  readonly records: PageRecords;
  readonly passcodes: PagePasscodes;
  /** Tries of everybody at everything that can be guessed. */
  readonly limit: TryLimit;
  readonly csrf: CsrfTokens;
  readonly cookies: CookieScope;
  /** Secret of the store: seals what a browser keeps for us. */
  readonly secret: Uint8Array;
  /** Where passkeys of this page are made and used. */
  readonly site: Site;
  /** Reached from other computers: nothing is shown to whoever is not signed in. */
  readonly isRemote: boolean;
  /** Principal of the mandate, who needs no session on this computer. */
  readonly principal: string;
  /** What counts as an answer, by level. */
  readonly require: Readonly<Record<1 | 2, readonly Assurance[]>>;
  /** How long a page of level 2 was open before it takes an approval. */
  readonly dwellMs: number;
  /** Authenticators that may be enrolled; any when left out. */
  readonly models?: AllowedModels;
  readonly clock: () => Clock;
  readonly log: LogLine;
  /** Files of the browser by path. */
  readonly assets: ReadonlyMap<string, { readonly type: string; readonly body: string }>;
  /** Longest time that a body may take to arrive. */
  readonly bodyTimeoutMs: number;
}
