// Stage policy: the smallest level from the floor on at which the policy set permits.
import type { Failure, Level } from '../decision.ts';
import type { PolicyFact } from '../facts.ts';

/** The level found, the first verdict that is missing, or why no level permits. */
export type LevelSearch =
  | { readonly kind: 'permit'; readonly level: Level; readonly rules: readonly string[] }
  | { readonly kind: 'missing'; readonly level: Level }
  | { readonly kind: 'refused'; readonly failure: Failure };

const levels: readonly Level[] = [0, 1, 2];

/** An evaluation error at any level that is looked at denies at once. */
export function findLevel(
  policy: Readonly<Partial<Record<Level, PolicyFact>>>,
  floor: Level,
): LevelSearch {
  let last: PolicyFact = { effect: 'no_permit', rules: [] };
  for (const level of levels.slice(floor)) {
    const verdict = policy[level];
    if (verdict === undefined) return { kind: 'missing', level };
    if (verdict.effect === 'permit') return { kind: 'permit', level, rules: verdict.rules };
    last = verdict;
    if (verdict.effect === 'error') break;
  }
  return { kind: 'refused', failure: refusal(last) };
}

function refusal(verdict: PolicyFact): Failure {
  if (verdict.effect === 'error') return { code: 'POLICY_ERROR', rules: verdict.rules };
  if (verdict.effect === 'forbidden') return { code: 'POLICY_FORBIDDEN', rules: verdict.rules };
  return { code: 'POLICY_NO_PERMIT' };
}
