// Where people answer: the page when somebody can prove anything on it, opened before the first call can need it.
import type { ApprovalsConfig, Config } from '../config/config.ts';
import { principalAlone } from '../core/checks/quorum.ts';
import type { ApprovalTerms } from '../core/operation.ts';
import type { ApprovalSettings, LogLine } from '../gateway/gateway-parts.ts';
import type { ApprovalPage } from '../http/approval-page.ts';
import { passcodeFailures } from './passcode-failures.ts';
import type { Running } from './start-gateway.ts';

/** Open requests per mandate. */
const openMax = 5;

export interface ApprovalDesk {
  readonly settings: ApprovalSettings;
  open(running: Running): Promise<void>;
  close(): Promise<void>;
}

export function approvalDesk(config: Config, log: LogLine): ApprovalDesk {
  const { approvals, mandate } = config;
  let page: ApprovalPage | undefined;
  return {
    settings: {
      formAllowed: approvals.formAllowed,
      pageAnswers: () => page !== undefined,
      linkOf: (approvalId) => page?.linkOf(approvalId),
      expiresMs: approvals.expiresMs,
      terms: { 1: principalAlone, 2: levelTwo(approvals) },
      require: approvals.require,
      site: () => page?.site,
      openMax,
    },
    open: async ({ gateway, store, started }) => {
      const people = await store.readRecords({ kind: 'person' });
      const isNobodyThere = config.people.length === 0 && people.length === 0;
      if (approvals.passcode === undefined && isNobodyThere) return;
      const { startApprovalPage } = await import('../http/approval-page.ts');
      page = await startApprovalPage({
        gateway,
        records: store,
        passcode: approvals.passcode,
        failuresOf: (handle) => passcodeFailures(store, handle),
        secret: started.secret,
        require: approvals.require,
        dwellMs: approvals.dwellMs,
        principal: mandate.principal,
        port: approvals.listen.port,
        pageUrl: approvals.pageUrl,
        log,
        nowMs: Date.now,
      });
    },
    close: async () => {
      await page?.close();
    },
  };
}

/** Other people, or one person twice. */
function levelTwo({ quorum, solo }: ApprovalsConfig): ApprovalTerms {
  return { kind: 'confirm', ...quorum, soloWaitMs: solo?.waitMs };
}
