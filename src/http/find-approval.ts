// One request as this reader may see it, in its state of now. What is not theirs is as unknown as
// what never existed, and takes the same way to be refused.
import { mayApprove, mayReject, type QuorumQuestion } from '../core/checks/quorum.ts';
import type { ApprovalState } from '../core/operation.ts';
import type { PersonRow } from '../core/person.ts';
import type { ApprovalDetail, PendingApproval } from '../gateway/gateway.ts';
import type { PageContext } from './page-context.ts';
import { peopleOf, personOfHandle } from './page-people.ts';
import type { PageSession } from './session.ts';

export interface FoundApproval {
  readonly approval: PendingApproval;
  readonly detail: ApprovalDetail;
  readonly state: ApprovalState;
  readonly question: QuorumQuestion;
  /** Who would answer: whoever is signed in, else the principal. */
  readonly person: PersonRow | undefined;
  readonly mayApprove: boolean;
  readonly mayReject: boolean;
}

export async function findApproval(
  context: PageContext,
  approvalId: string,
  session: PageSession | undefined,
): Promise<FoundApproval | undefined> {
  const found = await context.gateway.readPending(approvalId);
  if (found === undefined) return undefined;
  const { approval, detail } = found;
  const people = session?.people ?? (await peopleOf(context));
  const question = { terms: detail.terms, principal: detail.principal, people };
  const person = session?.person ?? personOfHandle(people, context, context.principal);
  const may = { approve: false, reject: false };
  if (person !== undefined) {
    may.approve = mayApprove(person, question);
    may.reject = mayReject(person, question);
  }
  // On this computer the link alone lets anybody read what waits for its owner.
  const isReadable = !context.isRemote && detail.principal === context.principal;
  const isTheirs = session !== undefined && may.reject;
  if (!isReadable && !isTheirs) return undefined;
  const isOpen = found.state === 'REQUESTED' || found.state === 'GRANTED';
  const isOver = isOpen && context.clock().nowMs >= approval.expiresMs;
  const state = isOver ? 'EXPIRED' : found.state;
  return {
    approval,
    detail,
    state,
    question,
    person,
    mayApprove: may.approve,
    mayReject: may.reject,
  };
}
