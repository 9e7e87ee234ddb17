// A call of a name that is hidden or exists nowhere: refused by the face, recorded here.

import { draftProposal } from './draft-proposal.ts';
import type { Caller } from './gateway.ts';
import type { GatewayState } from './submit-proposal.ts';

/** Never throws; a flood of such calls counts against the same rate limit as other refusals. */
export async function recordUnknownTool(
  { parts, session, limiter }: GatewayState,
  name: string,
  caller: Caller,
): Promise<void> {
  try {
    if (limiter.isExhausted()) {
      limiter.refuse();
      return;
    }
    const mandate = await session.current();
    const call = {
      server: '',
      tool: name,
      args: undefined,
      rawText: JSON.stringify({ tool: name }),
    };
    const unreadable = {
      kind: 'unreadable',
      faults: [{ code: 'CONTRACT_UNKNOWN_ACTION' }],
    } as const;
    const proposal = {
      contract: undefined,
      definition: { kind: 'unknown' },
      call: unreadable,
      resolved: undefined,
    } as const;
    const draft = draftProposal(parts, { call, caller, proposal, mandate });
    const facts = {
      rateLimited: false,
      call: unreadable,
      policy: {},
      channels: { 1: false, 2: false },
      eligible: { 1: false, 2: false },
      openApprovalsMax: 0,
    } as const;
    const plan = await parts.store.decide(facts, draft);
    if (plan.kind === 'decided') limiter.count(plan.decision);
  } catch (error) {
    parts.log('error', `a call of an unknown tool could not be recorded: ${String(error)}`);
  }
}
