// The page where people read a resolved operation and answer it.
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { PasscodeFailures } from '../approvals/passcode-gate.ts';
import type { AllowedModels } from '../approvals/passkey/enrolment.ts';
import type { Site } from '../approvals/passkey/site.ts';
import { TryLimit } from '../approvals/try-limit.ts';
import type { PasscodeString } from '../core/checks/passcode-string.ts';
import type { Assurance } from '../core/operation.ts';
import { hmacSha256 } from '../core/sha256.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';
import { createPageServer } from './create-page-server.ts';
import { CsrfTokens } from './csrf-token.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';
import type { PageContext, PageGateway, PageRecords } from './page-context.ts';
import { PagePasscodes } from './page-passcodes.ts';
import type { PageAddress } from './route-request.ts';

export interface ApprovalPageOptions {
  readonly gateway: PageGateway;
  /** People, passkeys, sessions: the store, or what of it the page may use. */
  readonly records: PageRecords;
  /** The owner's passcode, parsed; undefined when only people in the store have one. */
  readonly passcode: PasscodeString | undefined;
  /** Failures of one person, kept in the store. */
  readonly failuresOf: (handle: string) => PasscodeFailures;
  /** Secret of the store: what one process of this gateway shows, another one takes the answer to. */
  readonly secret: Uint8Array;
  /** What counts as an answer, by level. */
  readonly require: Readonly<Record<1 | 2, readonly Assurance[]>>;
  /** How long a page of level 2 was open before it takes an approval. */
  readonly dwellMs: number;
  /** Authenticators that may be enrolled; any when left out. */
  readonly models?: AllowedModels;
  /** The owner: principal of the mandate. */
  readonly principal: string;
  /** `https://` address under which the operator's TLS proxy serves the page; absent: this computer only. */
  readonly pageUrl?: string | undefined;
  /** Wanted port; 0 or a taken one: any free port. */
  readonly port: number;
  readonly log: LogLine;
  readonly nowMs: () => number;
  /** Time zone of the page; absent: the one of this computer. */
  readonly zone?: string;
  /** Longest times that headers and body may take; absent: 5 s and 10 s. */
  readonly timeouts?: { readonly headersMs: number; readonly bodyMs: number };
}

export interface ApprovalPage {
  readonly port: number;
  /** Where passkeys of this page are made and used. */
  readonly site: Site;
  /** Where one request is answered. */
  linkOf(approvalId: string): string;
  close(): Promise<void>;
}

const timeoutsDefault = { headersMs: 5_000, bodyMs: 10_000 };

/** Listens on the two loopback addresses and nowhere else. */
export async function startApprovalPage(options: ApprovalPageOptions): Promise<ApprovalPage> {
  const timeouts = options.timeouts ?? timeoutsDefault;
  const { pageUrl } = options;
  let address: PageAddress = addressOf(options.port, pageUrl);
  const context = await pageContext(options, {
    bodyTimeoutMs: timeouts.bodyMs,
    address: () => address,
  });
  const makeServer = createPageServer({ context, address: () => address, timeouts });
  const { servers, port, reason } = await listenOnLoopback(makeServer, options.port);
  address = addressOf(port, pageUrl);
  if (reason !== undefined) {
    options.log(
      'warn',
      `port ${options.port} cannot be used for the approval page: using another`,
      {
        reason,
        port,
      },
    );
  }
  return {
    port,
    site: siteOf(address),
    linkOf: (approvalId) => `${address.origin}/a/${approvalId}`,
    close: async () => {
      await Promise.all(servers.map(closeServer));
    },
  };
}

/** Names and hosts of passkeys (WebAuthn, relying party): a host without its port. */
function siteOf({ origin }: PageAddress): Site {
  return { rpId: new URL(origin).hostname, origin };
}

/** Cookies cross ports: their name says of which gateway they are. */
const instanceOf = (secret: Uint8Array): string =>
  Buffer.from(hmacSha256(secret, 'intentplane/cookie-name/v1')).subarray(0, 8).toString('hex');

async function pageContext(
  options: ApprovalPageOptions,
  here: { readonly bodyTimeoutMs: number; readonly address: () => PageAddress },
): Promise<PageContext> {
  const { gateway, records, secret, principal, log, nowMs } = options;
  const zone = options.zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const limit = new TryLimit();
  return {
    gateway: {
      readPending: (approvalId) => gateway.readPending(approvalId),
      listPending: () => gateway.listPending(),
      listDrafts: () => gateway.listDrafts(),
      answerApproval: (answer) => gateway.answerApproval(answer),
      liftSuspension: (person) => gateway.liftSuspension(person),
      status: () => gateway.status(),
    },
    records,
    passcodes: new PagePasscodes({ ...options, ownerPasscode: options.passcode, limit }),
    limit,
    csrf: new CsrfTokens(hmacSha256(secret, 'intentplane/page-csrf-key/v1'), nowMs),
    cookies: {
      instance: instanceOf(secret),
      isSecure: options.pageUrl?.startsWith('https://') === true,
    },
    secret,
    get site() {
      return siteOf(here.address());
    },
    isRemote: options.pageUrl !== undefined,
    principal,
    require: options.require,
    dwellMs: options.dwellMs,
    ...(options.models === undefined ? {} : { models: options.models }),
    clock: () => ({ nowMs: nowMs(), zone }),
    log,
    assets: await readAssets(),
    bodyTimeoutMs: here.bodyTimeoutMs,
  };
}

const scripts = ['page.js', 'answer.js', 'sign-in.js', 'enrol.js', 'lift.js', 'send.js'];

async function readAssets(): Promise<PageContext['assets']> {
  const read = (name: string): Promise<string> =>
    readFile(new URL(`./page/${name}`, import.meta.url), 'utf8');
  const type = (name: string): string => (name.endsWith('.css') ? 'text/css' : 'text/javascript');
  const names = ['page.css', ...scripts];
  const bodies = await Promise.all(names.map(read));
  return new Map(
    names.map((name, at) => [
      `/${name}`,
      { type: `${type(name)}; charset=utf-8`, body: bodies[at] ?? '' },
    ]),
  );
}

/** `localhost` and not an address: what is tied to a site needs a name. Behind a proxy its name alone. */
function addressOf(port: number, pageUrl: string | undefined): PageAddress {
  const { origin, host } = new URL(pageUrl ?? `http://localhost:${port}`);
  if (pageUrl !== undefined) return { origin, hosts: new Set([host]), addressHosts: new Set() };
  const addressHosts = [`http://127.0.0.1:${port}`, `http://[::1]:${port}`].map(
    (url) => new URL(url).host,
  );
  return {
    origin,
    hosts: new Set([host, ...addressHosts]),
    addressHosts: new Set(addressHosts),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
