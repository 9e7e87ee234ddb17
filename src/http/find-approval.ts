// One request of this person, in its state of now. What belongs to somebody else is as unknown as
// what never existed, and takes the same way to be refused.
import type { ApprovalState } from '../core/operation.ts';
import type { ApprovalDetail, PendingApproval } from '../gateway/gateway.ts';
import type { PageContext } from './page-context.ts';

export interface FoundApproval {
  readonly approval: PendingApproval;
  readonly detail: ApprovalDetail;
  readonly state: ApprovalState;
}

export async function findApproval(
  context: PageContext,
  approvalId: string,
): Promise<FoundApproval | undefined> {
  const found = await context.gateway.readPending(approvalId);
  if (found === undefined || found.detail.principal !== context.principal) return undefined;
  const { approval, detail } = found;
  const isOpen = found.state === 'REQUESTED' || found.state === 'GRANTED';
  const isOver = isOpen && context.clock().nowMs >= approval.expiresMs;
  return { approval, detail, state: isOver ? 'EXPIRED' : found.state };
}
