// The local page where the owner reads a resolved operation and answers with a passcode.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { type PasscodeFailures, PasscodeGate } from '../approvals/passcode-gate.ts';
import type { PasscodeString } from '../core/checks/passcode-string.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';
import { createPageServer } from './create-page-server.ts';
import { CsrfTokens } from './csrf-token.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';
import type { PageContext, PageGateway } from './page-context.ts';
import type { PageAddress } from './route-request.ts';

export interface ApprovalPageOptions {
  readonly gateway: PageGateway;
  /** The owner's passcode, parsed. */
  readonly passcode: PasscodeString;
  /** Failures of the owner, kept in the store. */
  readonly failures: PasscodeFailures;
  /** The owner: principal of the mandate. */
  readonly principal: string;
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
  /** Where one request is answered. */
  linkOf(approvalId: string): string;
  close(): Promise<void>;
}

const timeoutsDefault = { headersMs: 5_000, bodyMs: 10_000 };

/** Listens on the two loopback addresses and nowhere else. */
export async function startApprovalPage(options: ApprovalPageOptions): Promise<ApprovalPage> {
  const timeouts = options.timeouts ?? timeoutsDefault;
  const context = await pageContext(options, timeouts.bodyMs);
  let address: PageAddress = addressOf(options.port);
  const makeServer = createPageServer({ context, address: () => address, timeouts });
  const { servers, port, reason } = await listenOnLoopback(makeServer, options.port);
  address = addressOf(port);
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
    linkOf: (approvalId) => `${address.origin}/a/${approvalId}`,
    close: async () => {
      await Promise.all(servers.map(closeServer));
    },
  };
}

async function pageContext(
  options: ApprovalPageOptions,
  bodyTimeoutMs: number,
): Promise<PageContext> {
  const { gateway, passcode, failures, principal, log, nowMs } = options;
  const zone = options.zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const read = (name: string): Promise<string> =>
    readFile(new URL(`./page/${name}`, import.meta.url), 'utf8');
  const [css, js] = await Promise.all([read('page.css'), read('page.js')]);
  return {
    gateway: {
      readPending: (approvalId) => gateway.readPending(approvalId),
      listPending: () => gateway.listPending(),
      listDrafts: () => gateway.listDrafts(),
      answerApproval: (answer) => gateway.answerApproval(answer),
    },
    gate: new PasscodeGate({ passcode, failures, nowMs }),
    csrf: new CsrfTokens(randomBytes(32), nowMs),
    principal,
    clock: () => ({ nowMs: nowMs(), zone }),
    log,
    assets: new Map([
      ['/page.css', { type: 'text/css; charset=utf-8', body: css }],
      ['/page.js', { type: 'text/javascript; charset=utf-8', body: js }],
    ]),
    bodyTimeoutMs,
  };
}

/** `localhost` and not an address: what is tied to a site needs a name. */
function addressOf(port: number): PageAddress {
  const { origin, host } = new URL(`http://localhost:${port}`);
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
