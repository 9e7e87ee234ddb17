// The gateway as its faces see it: every use case behind one object.
import { windowText } from '../core/checks/budget-window.ts';
import { draftAmendment, listDrafts } from './amendment-drafts.ts';
import { answerApproval } from './answer-approval.ts';
import { explainDecision } from './explain-decision.ts';
import type { GatewayStatus, LibraryGateway } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { readDetail, toPending } from './pending-approval.ts';
import { PeopleDirectory } from './people-directory.ts';
import { RateLimiter } from './rate-limiter.ts';
import { checkUnknown } from './reconcile-unknown.ts';
import { recordUnknownTool } from './record-unknown-tool.ts';
import { SessionMandate } from './session-mandate.ts';
import { submitOnce } from './submit-once.ts';
import { type GatewayState, submitProposal } from './submit-proposal.ts';
import { ApprovalWaiters } from './wait-for-approval.ts';

/** A gateway with what its process does for it. */
export interface AssembledGateway extends LibraryGateway {
  /** Lifts a suspension of the session's mandate; false when there is none, or for anybody but its principal. */
  liftSuspension(person: string): Promise<boolean>;
  /** Before the store is closed. */
  flush(): Promise<void>;
  /** Makes one look-up that is due, or that of this operation. False when there is none to make. */
  checkUnknown(opId?: string): Promise<boolean>;
}

/** A gateway on parts that are open already. */
export function assembleGateway(parts: GatewayParts): AssembledGateway {
  const session = new SessionMandate(parts);
  const limiter = new RateLimiter(parts);
  const waiters = new ApprovalWaiters(parts);
  const people = new PeopleDirectory(parts);
  const state: GatewayState = { parts, session, limiter, people };
  const onceState = { ...state, underWay: new Set<string>() };
  return {
    submit: (call, caller) => submitProposal(state, call, caller),
    submitOnce: (key, call, caller) => submitOnce(onceState, key, { call, caller }),
    recordUnknownTool: (name, caller) => recordUnknownTool(state, name, caller),
    answerApproval: async (answer) => {
      const result = await answerApproval(parts, answer);
      waiters.wake(answer.approvalId);
      if (result.ok && result.state === 'GRANTED') await draftAmendment(parts, answer.approvalId);
      return result;
    },
    cancelApproval: async (opId, reason) => {
      const ended = await parts.store.cancelApproval(opId, reason);
      if (ended !== undefined) waiters.wake(ended.approvalId);
    },
    liftSuspension: async (person) => {
      const { mandateId, principal } = await session.current();
      if (person !== principal) return false;
      return (await parts.store.resumeMandate(mandateId, person)) !== undefined;
    },
    waitForApproval: (approvalId, timeoutMs, signal) => waiters.wait(approvalId, timeoutMs, signal),
    readPending: async (approvalId) => {
      const found = await readDetail(parts.store, approvalId, {
        nowMs: parts.nowMs(),
        onChanged: (opId) => {
          parts.log('error', 'a stored operation is not what its hash says: it is not shown', {
            op: opId,
          });
        },
      });
      if (found === undefined) return undefined;
      const { stored, detail } = found;
      return { approval: toPending(parts, stored, false), state: stored.approval.state, detail };
    },
    listPending: async () => (await gatewayStatus(state)).open,
    listDrafts: async () => listDrafts(parts, await session.current()),
    explain: async (decisionId) =>
      explainDecision(parts, decisionId, (await session.current()).mandateId),
    status: async () => (await gatewayStatus(state)).status,
    listTrusted: async () => {
      const { tenant } = await session.current();
      return [...parts.registries.values()]
        .filter((registry) => registry.listable && registry.ready)
        .map((registry) => ({ registry: registry.name, records: registry.list(tenant) }));
    },
    flush: () => limiter.flush(),
    checkUnknown: (opId) => checkUnknown(parts, opId),
  };
}

/** Budgets left and open requests of the session's mandate. */
async function gatewayStatus({ parts, session }: GatewayState): Promise<{
  readonly status: GatewayStatus;
  readonly open: readonly ReturnType<typeof toPending>[];
}> {
  const { mandateId } = await session.current();
  const stored = await parts.store.readStatus(mandateId);
  if (stored === undefined) throw new Error('the session mandate is not in the store');
  const { mandate, budgets } = stored;
  const found = await Promise.all(
    stored.openApprovals.map((approval) => parts.store.readApproval(approval.approvalId)),
  );
  const open = found.flatMap((entry) =>
    entry === undefined ? [] : [{ entry, pending: toPending(parts, entry, false) }],
  );
  return {
    open: open.map(({ pending }) => pending),
    status: {
      principal: mandate.principal,
      mandate: mandate.status,
      expiresMs: mandate.expiresMs,
      budgets: budgets.map(({ kind, limit, reserved, spent, ...terms }) => ({
        kind,
        limit,
        left: Math.max(0, limit - reserved - spent),
        currency: terms.currency,
        window: terms.window.kind === 'life' ? undefined : windowText(terms.window),
        endsMs: terms.endsMs,
      })),
      pending: open.map(({ entry, pending }) => ({
        approvalId: pending.approvalId,
        action: entry.operation.row.action,
        url: pending.url,
        expiresMs: pending.expiresMs,
        level: pending.level,
      })),
    },
  };
}
