// Stage authn: is the session's mandate usable at this instant, and is the caller within its rate?
import type { Failure } from '../decision.ts';
import type { Facts } from '../facts.ts';

/** Failures of the mandate at `live.nowMs`: not before ≤ now < expires. */
export function checkAuthn({ live, rateLimited }: Facts): readonly Failure[] {
  const { mandate, nowMs } = live;
  if (mandate === undefined) return [{ code: 'AUTHN_TOKEN_INVALID' }];
  if (mandate.status === 'revoked') return [{ code: 'AUTHN_MANDATE_REVOKED' }];
  if (mandate.status === 'suspended') return [{ code: 'AUTHN_MANDATE_SUSPENDED' }];
  if (nowMs < mandate.notBeforeMs) return [{ code: 'AUTHN_NOT_YET_VALID' }];
  if (nowMs >= mandate.expiresMs) return [{ code: 'AUTHN_TOKEN_EXPIRED' }];
  return rateLimited ? [{ code: 'RATE_LIMITED' }] : [];
}
