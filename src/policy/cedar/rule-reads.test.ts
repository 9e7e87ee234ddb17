import type { Expr } from '@cedar-policy/cedar-wasm/nodejs';
import { describe, expect, it } from 'vitest';
import { withCedar } from './cedar-instance.ts';
import { type RuleReads, ruleReads } from './rule-reads.ts';

function readsOf(condition: string): RuleReads {
  const text = `permit(principal, action, resource) when { ${condition} };`;
  const answer = withCedar((cedar) => cedar.policyToJson(text));
  if (answer.type === 'failure') throw new Error(JSON.stringify(answer.errors));
  return ruleReads(answer.json.conditions.map((clause) => clause.body));
}

/** Attributes as `params.amount`, and as `params.*` when read as a whole. */
function pathsOf(condition: string): readonly string[] {
  const reads = readsOf(condition);
  const below = [...reads.attributes].flatMap(([attribute, names]) =>
    [...names].map((name) => `${attribute}.${name}`),
  );
  return [...below, ...[...reads.wholeAttributes].map((attribute) => `${attribute}.*`)].sort();
}

describe('ruleReads', () => {
  it.each([
    ['true', []],
    ['context.params.amount > 1', ['params.amount']],
    ['context["params"]["a b"] == context.origin.x', ['origin.x', 'params.a b']],
    ['context.params has a && context has b', ['b.*', 'params.a']],
    ['context has params.a.c', ['params.a']],
    ['context.params == {a: context.now}', ['now.*', 'params.*']],
    [
      '!(if context.a then context.b.c else [context.d].contains(-context.e.f))',
      ['a.*', 'b.c', 'd.*', 'e.f'],
    ],
    ['ip(context.x).isInRange(ip(context.y)) && context.z like "*"', ['x.*', 'y.*', 'z.*']],
    ['context.p is Principal in context.q', ['p.*', 'q.*']],
    ['{Var: context.a, Value: context.b}.Var == {}', ['a.*', 'b.*']],
  ])('%s', (condition, paths) => {
    expect(pathsOf(condition)).toEqual(paths);
    expect(readsOf(condition).wholeContext).toBe(false);
  });

  it.each(['context == context', '[context].isEmpty()', '(if true then context else context).a'])(
    'sees the whole context in %s',
    (condition) => {
      expect(readsOf(condition).wholeContext).toBe(true);
    },
  );

  it.each([
    ['principal.scopes.contains("x")', true],
    ['principal has scopes', true],
    ['(if true then principal else principal).scopes == []', true],
    ['resource == resource && principal in [principal] && action == action', false],
    ['context.scopes == context.params.scopes', false],
  ])('%s reads scopes: %s', (condition, scopes) => {
    expect(readsOf(condition).scopes).toBe(scopes);
  });

  it('counts the deepest nesting', () => {
    expect(readsOf('1 == 1').depth).toBe(2);
    expect(readsOf(`${'true || '.repeat(9)} 1 == 1`).depth).toBeGreaterThanOrEqual(10);
    expect(readsOf(`${'!context.a || '.repeat(9)} context.b`).depth).toBeGreaterThanOrEqual(10);
  });

  it.each([{ future: { operand: 1 } }, { future: 'x' }, {}, null])(
    'takes %j, which it does not know, for a read of everything',
    (expr) => {
      const reads = ruleReads([expr as unknown as Expr]);
      expect(reads.wholeContext).toBe(true);
      expect(reads.scopes).toBe(true);
    },
  );
});
