// Stage authn: is the session's mandate usable at this instant, and is the caller within its rate?
import type { Failure } from '../decision.ts';
import type { Facts, MandateFact } from '../facts.ts';

/** Mandates of one chain, the acting one included. */
export const chainMax = 6;

/** Failures of the mandate at `live.nowMs`: not before ≤ now < expires. */
export function checkAuthn({ live, rateLimited }: Facts): readonly Failure[] {
  const { mandate, nowMs } = live;
  if (mandate === undefined) return [{ code: 'AUTHN_TOKEN_INVALID' }];
  if (mandate.status === 'revoked') return [{ code: 'AUTHN_MANDATE_REVOKED' }];
  if (mandate.status === 'suspended') return [{ code: 'AUTHN_MANDATE_SUSPENDED' }];
  if (nowMs < mandate.notBeforeMs) return [{ code: 'AUTHN_NOT_YET_VALID' }];
  if (nowMs >= mandate.expiresMs) return [{ code: 'AUTHN_TOKEN_EXPIRED' }];
  if (isBroken(live.ancestors, nowMs)) return [{ code: 'AUTHN_CHAIN_BROKEN' }];
  return rateLimited ? [{ code: 'RATE_LIMITED' }] : [];
}

/** What is delegated lives no longer than what it was delegated from. */
function isBroken(ancestors: readonly (MandateFact | undefined)[], nowMs: number): boolean {
  if (ancestors.length >= chainMax) return true;
  return ancestors.some(
    (each) => each?.status !== 'active' || nowMs < each.notBeforeMs || nowMs >= each.expiresMs,
  );
}
