// The two decisions over 100,000 fact sets: no difference.
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { decide, type Judgement } from '../../src/core/decide.ts';
import { verifies } from '../requirements/verifies.ts';
import { factSets } from './fact-sets.ts';
import { slowDecide } from './slow-decide.ts';

/** A decision in the words of the slow one. */
function inWords(judgement: Judgement): string {
  if (judgement.kind === 'incomplete') return `incomplete ${judgement.level}`;
  if (judgement.kind === 'allow') {
    return `allow ${judgement.level}${judgement.consumes === undefined ? '' : ` consumes ${judgement.consumes}`}`;
  }
  if (judgement.kind === 'ask')
    return `ask ${judgement.level}${judgement.joins === undefined ? '' : ` joins ${judgement.joins}`}`;
  const codes = judgement.failures.map((failure) => failure.code).join(',');
  return `deny ${judgement.stage} ${codes}${judgement.tells === undefined ? '' : ` tells ${judgement.tells}`}`;
}

describe('decide', () => {
  verifies(
    'DEC-05',
    'agrees with a second, slow decision on 100,000 fact sets and reaches every outcome',
    () => {
      const seen = new Map<string, number>();
      fc.assert(
        fc.property(factSets, (facts) => {
          const words = inWords(decide(facts));
          const outcome = words.split(' ').slice(0, 3).join(' ');
          seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
          expect(words).toBe(slowDecide(facts));
        }),
        { numRuns: 100_000, seed: 20_261_130 },
      );
      // A generator that never reaches a stage would prove nothing about it.
      for (const stage of [
        'authn',
        'contract',
        'provenance',
        'delegation',
        'budget',
        'policy',
        'approval',
        'execution',
      ]) {
        const count = [...seen]
          .filter(([outcome]) => outcome.startsWith(`deny ${stage}`))
          .reduce((sum, [, n]) => sum + n, 0);
        expect(count, `denied at ${stage}`).toBeGreaterThan(200);
      }
      expect(seen.get('allow 0') ?? 0).toBeGreaterThan(2_000);
      expect(seen.get('ask 1') ?? 0).toBeGreaterThan(500);
    },
    120_000,
  );
});
