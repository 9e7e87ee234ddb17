import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type {
  PolicyActionShape,
  PolicyContext,
  PolicyEngine,
  PolicyQuestion,
  PolicyVerdict,
} from '../policy-engine.ts';
import { withCedar } from './cedar-instance.ts';
import { loadCedarPolicy } from './load-cedar-policy.ts';

const pay: PolicyActionShape = {
  action: 'bank.pay',
  server: 'bank',
  params: [
    { name: 'amount', type: 'long', optional: false },
    { name: 'recipient', type: 'string', optional: false },
    { name: 'urgent', type: 'boolean', optional: false },
    { name: 'note', type: 'string', optional: true },
  ],
};
const mail: PolicyActionShape = {
  action: 'mail.send',
  server: 'mail',
  params: [
    { name: 'to', type: 'string-set', optional: false },
    { name: 'ids', type: 'long-set', optional: false },
  ],
};

function load(text: string, actions: readonly PolicyActionShape[] = [pay, mail]): PolicyEngine {
  const loaded = loadCedarPolicy({ files: [{ name: 'p.cedar', text }], actions });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

const payContext: PolicyContext = {
  params: { amount: 1_000, recipient: 'DE89', urgent: false, note: 'hello', _rest: '{}' },
  origin: {
    amount: 'untrusted',
    recipient: 'system_of_record',
    urgent: 'untrusted',
    note: 'untrusted',
    _rest: 'untrusted',
  },
  mandate: { id: 'm-1', agent: 'a-1' },
  budget: { left: 5_000, callsLeft: 3 },
  nowMs: Date.parse('2026-11-30T09:20:00Z'),
  channel: 'mcp-stdio',
};
const payQuestion: PolicyQuestion = {
  principal: 'emma',
  scopes: ['bank.pay', 'mail.send'],
  action: 'bank.pay',
  resource: 'bank',
  context: payContext,
  level: 0,
};
const mailQuestion: PolicyQuestion = {
  ...payQuestion,
  action: 'mail.send',
  resource: 'mail',
  context: {
    ...payContext,
    params: { to: ['a@b.example', 'c@d.example'], ids: [1, 2], _rest: '{}' },
    origin: { to: 'user_channel', ids: 'untrusted', _rest: 'untrusted' },
  },
};

const levels = [0, 1, 2] as const;
const effects = (engine: PolicyEngine, question: PolicyQuestion): readonly string[] =>
  levels.map((level) => engine.evaluate({ ...question, level }).effect);

describe('evaluate: combining rules', () => {
  it('denies by default, naming no rule', () => {
    const engine = load('@id("mail") permit(principal, action == Action::"mail.send", resource);');
    expect(engine.evaluate(payQuestion)).toEqual({ effect: 'no_permit', rules: [] });
    expect(engine.evaluate(mailQuestion)).toEqual({ effect: 'permit', rules: ['mail'] });
  });

  it('denies when conditions do not hold', () => {
    const engine = load('permit(principal, action, resource) when { context.channel == "x" };');
    expect(engine.evaluate(payQuestion)).toEqual({ effect: 'no_permit', rules: [] });
  });

  it('lets forbid override permit, naming the forbid only', () => {
    const engine = load(`
      @id("all") permit(principal, action, resource);
      @id("big") forbid(principal, action == Action::"bank.pay", resource)
        when { context.params.amount > 999 };`);
    expect(engine.evaluate(payQuestion)).toEqual({ effect: 'forbidden', rules: ['big'] });
    const small = { ...payContext, params: { ...payContext.params, amount: 999 } };
    expect(engine.evaluate({ ...payQuestion, context: small })).toEqual({
      effect: 'permit',
      rules: ['all'],
    });
  });

  it('names every determining rule once, sorted', () => {
    const engine = load(`
      @id("b") permit(principal, action, resource);
      @id("a") permit(principal, action, resource) when { context.approval_level >= 0 };
      @id("a") permit(principal, action, resource) when { context.approval_level <= 2 };`);
    expect(engine.evaluate(payQuestion).rules).toEqual(['a', 'b']);
  });

  verifies('C15', 'names a rule by its own annotation, else by file and line', () => {
    const engine = load(`
// @id("in-a-comment")
permit(principal, action, resource);
@id("forbid-urgent")
@reason("x")
forbid(principal, action == Action::"bank.pay", resource)
  when { context.params.urgent };
@id("") permit(principal, action, resource);
@id permit(principal, action, resource);`);
    expect(engine.evaluate(payQuestion).rules).toEqual(['p.cedar:3', 'p.cedar:8', 'p.cedar:9']);
    const urgent = { ...payContext, params: { ...payContext.params, urgent: true } };
    expect(engine.evaluate({ ...payQuestion, context: urgent }).rules).toEqual(['forbid-urgent']);
  });

  it('keeps names apart from attributes of every object', () => {
    const engine = load('@id("__proto__") permit(principal, action, resource);');
    expect(engine.evaluate(payQuestion).rules).toEqual(['__proto__']);
  });
});

describe('evaluate: levels', () => {
  it('answers each level by itself', () => {
    const engine = load(`
      @id("step") permit(principal, action == Action::"bank.pay", resource)
        when { context.params.amount <= 500 || context.approval_level >= 1 };
      @id("cap") forbid(principal, action == Action::"bank.pay", resource)
        when { context.params.amount > 5000 };`);
    const amount = (value: number): PolicyQuestion => ({
      ...payQuestion,
      context: { ...payContext, params: { ...payContext.params, amount: value } },
    });
    expect(effects(engine, amount(500))).toEqual(['permit', 'permit', 'permit']);
    expect(effects(engine, amount(501))).toEqual(['no_permit', 'permit', 'permit']);
    expect(effects(engine, amount(5_001))).toEqual(['forbidden', 'forbidden', 'forbidden']);
  });

  it('takes a set that permits at a lower level only', () => {
    const engine = load(
      'permit(principal, action, resource) when { context.approval_level == 1 };',
    );
    expect(effects(engine, payQuestion)).toEqual(['no_permit', 'permit', 'no_permit']);
  });
});

describe('evaluate: errors', () => {
  const overflow = '@id("sum") permit(principal, action == Action::"bank.pay", resource) when ';

  it('denies when a rule fails, whatever the others say', () => {
    const engine = load(`
      @id("all") permit(principal, action, resource);
      ${overflow} { context.params.amount * 9223372036854775807 > 0 };`);
    const verdict = engine.evaluate(payQuestion);
    expect(verdict).toMatchObject({ effect: 'error', rules: ['sum'] });
    expect(verdict.detail).toContain('overflow');
    expect(engine.evaluate(mailQuestion).effect).toBe('permit');
  });

  it('denies when a forbid fails beside another one that applies', () => {
    const engine = load(`
      @id("never") forbid(principal, action, resource);
      ${overflow} { context.params.amount * 9223372036854775807 > 0 };`);
    expect(engine.evaluate(payQuestion)).toMatchObject({ effect: 'error', rules: ['sum'] });
  });

  it.each([
    ['an unknown action', { action: 'bank.steal' }, 'no contract has this action'],
    ['another server', { resource: 'mail' }, 'the action has no such server'],
    ['an action of every object', { action: 'toString' }, 'no contract has this action'],
    ['half a character', { principal: '\uD800' }, 'the principal is not a text'],
    ['half a character in a scope', { scopes: ['\uDC00'] }, 'a scope is not a text'],
    ['no level', { level: 3 }, 'the level is not 0, 1 or 2'],
  ])('denies %s', (_name, part, detail) => {
    const engine = load('permit(principal, action, resource) when { context.approval_level < 9 };');
    const question = { ...payQuestion, ...part } as PolicyQuestion;
    expect(engine.evaluate(question)).toEqual({ effect: 'error', rules: [], detail });
  });
});

describe('evaluate: values of a wrong type', () => {
  const readsAll = load(`
    permit(principal, action, resource) when { context == context || principal has scopes };`);

  it.each([
    [{ params: {} }, 'the parameter `_rest` is missing'],
    [{ params: { ...payContext.params, amount: 1.5 } }, 'the parameter `amount` is not a long'],
    [{ params: { ...payContext.params, amount: 2 ** 53 } }, 'the parameter `amount` is not a long'],
    [{ params: { ...payContext.params, amount: '1' } }, 'the parameter `amount` is not a long'],
    [
      { params: { ...payContext.params, urgent: 'false' } },
      'the parameter `urgent` is not a boolean',
    ],
    [{ params: { ...payContext.params, note: '\uD800' } }, 'the parameter `note` is not a string'],
    [{ params: { ...payContext.params, note: null } }, 'the parameter `note` is not a string'],
    [{ origin: {} }, 'the origin of `_rest` is missing'],
    [{ origin: { ...payContext.origin, note: 'trusted' } }, 'the origin of `note` is unknown'],
    [{ mandate: undefined }, '`context.mandate` is read by a rule and was not supplied'],
    [{ mandate: { id: 7 } }, '`context.mandate.id` has a wrong type'],
    [{ budget: undefined }, '`context.budget` is read by a rule and was not supplied'],
    [{ budget: { left: 0.5 } }, '`context.budget.left` has a wrong type'],
    [{ nowMs: undefined }, '`context.now` is read by a rule and was not supplied'],
    [{ nowMs: -1 }, '`now` is not an instant'],
    [{ nowMs: Number.NaN }, '`now` is not an instant'],
    [{ nowMs: 253_402_300_800_000 }, '`now` is not an instant'],
    [{ channel: undefined }, '`context.channel` is read by a rule and was not supplied'],
    [{ channel: '\uDFFF' }, '`channel` is not a text'],
  ])('denies %j', (part, detail) => {
    const context = { ...payContext, ...part } as PolicyContext;
    expect(readsAll.evaluate({ ...payQuestion, context })).toEqual({
      effect: 'error',
      rules: [],
      detail,
    });
  });

  it.each([
    [{ to: 'a@b.example', ids: [] }, 'the parameter `to` is not a string-set'],
    [{ to: ['a', 1], ids: [] }, 'the parameter `to` is not a string-set'],
    [{ to: [], ids: [1.5] }, 'the parameter `ids` is not a long-set'],
  ])('denies the list %j', (params, detail) => {
    const context = { ...mailQuestion.context, params: { ...params, _rest: '{}' } };
    expect(readsAll.evaluate({ ...mailQuestion, context: context as PolicyContext })).toMatchObject(
      { effect: 'error', detail },
    );
  });

  it('permits the same questions with right values', () => {
    expect(effects(readsAll, payQuestion)).toEqual(['permit', 'permit', 'permit']);
    expect(effects(readsAll, mailQuestion)).toEqual(['permit', 'permit', 'permit']);
  });

  it('takes no value from the prototype of the parameters', () => {
    const shape: PolicyActionShape = {
      ...mail,
      params: [{ name: 'constructor', type: 'string', optional: true }],
    };
    const engine = load(
      'permit(principal, action, resource) unless { context.params has constructor };',
      [shape],
    );
    const context = { ...mailQuestion.context, params: { _rest: '{}' } };
    expect(engine.evaluate({ ...mailQuestion, context }).effect).toBe('permit');
  });

  it('needs nothing that no rule reads', () => {
    const engine = load('permit(principal, action, resource) when { context.channel == "c" };');
    const context = { params: {}, origin: {}, channel: 'c' };
    expect(engine.evaluate({ ...payQuestion, context }).effect).toBe('permit');
  });
});

describe('evaluate: what a rule sees', () => {
  it.each([
    'principal == Principal::"emma" && resource == Resource::"bank"',
    'principal.scopes.contains("bank.pay") && !principal.scopes.contains("x")',
    'principal.scopes == ["mail.send", "bank.pay"]',
    'context.params == context.params && context.origin == context.origin',
    'context.params has note && context.params.note like "h*o"',
    'context has params.note && context.params["note"] == "hello"',
    'context.origin.recipient == "system_of_record" && context.origin._rest == "untrusted"',
    'context.mandate.id == "m-1" && !(context.mandate has purpose)',
    'context.mandate has agent && context.mandate.agent == "a-1"',
    'context.budget has left && context.budget.left == 5000',
    'context.budget has calls_left && context.budget.calls_left == 3',
    'context.now == datetime("2026-11-30T09:20:00Z")',
    'context.now.toTime() < duration("9h30m") && context.channel == "mcp-stdio"',
    '(if context.params.urgent then context.origin else context.origin).amount == "untrusted"',
    '{a: context.params}.a.amount == 1000 && [context.params.amount, 2].contains(2)',
    'principal is Principal && principal in [Principal::"emma"] && action in [action]',
    'context == context && -context.params.amount + 1 < 0 && !([1].isEmpty())',
  ])('%s', (condition) => {
    const rule = `permit(principal, action == Action::"bank.pay", resource) when { ${condition} };`;
    expect(load(rule).evaluate(payQuestion)).toEqual({ effect: 'permit', rules: ['p.cedar:1'] });
  });

  it('compares the parameters as a whole', () => {
    const engine = load(`permit(principal, action == Action::"mail.send", resource) when {
      context.params == {to: ["c@d.example", "a@b.example"], ids: [2, 1], _rest: "{}"} };`);
    expect(engine.evaluate(mailQuestion).effect).toBe('permit');
    const params = { ...mailQuestion.context.params, _rest: '{"bcc": 1}' };
    const context = { ...mailQuestion.context, params };
    expect(engine.evaluate({ ...mailQuestion, context }).effect).toBe('no_permit');
  });

  it('compares lists as sets', () => {
    const engine = load(`permit(principal, action == Action::"mail.send", resource) when {
      context.params.to == ["c@d.example", "a@b.example"] && context.params.ids.contains(2) };`);
    expect(engine.evaluate(mailQuestion).effect).toBe('permit');
  });

  it('leaves an absent optional parameter absent', () => {
    const engine = load(
      'permit(principal, action == Action::"bank.pay", resource) unless { context.params has note };',
    );
    const { note: _note, ...params } = payContext.params;
    expect(engine.evaluate(payQuestion).effect).toBe('no_permit');
    const context = { ...payContext, params };
    expect(engine.evaluate({ ...payQuestion, context }).effect).toBe('permit');
  });

  it('answers for each server that shares an action', () => {
    const engine = load('permit(principal, action, resource == Resource::"bank-2");', [
      pay,
      { ...pay, server: 'bank-2' },
    ]);
    expect(engine.evaluate(payQuestion).effect).toBe('no_permit');
    expect(engine.evaluate({ ...payQuestion, resource: 'bank-2' }).effect).toBe('permit');
  });
});

interface RuleParts {
  readonly effect: string;
  readonly action: string;
  readonly kind: string;
  readonly condition: string;
}

describe('evaluate: sending less changes no answer', () => {
  const rule: fc.Arbitrary<RuleParts> = fc.record({
    effect: fc.constantFrom('permit', 'forbid'),
    action: fc.constantFrom(
      'action',
      'action == Action::"bank.pay"',
      'action == Action::"mail.send"',
      'action in [Action::"bank.pay", Action::"mail.send"]',
    ),
    kind: fc.constantFrom('when', 'unless'),
    condition: fc.constantFrom(
      'context.params has amount && context.params.amount > 500',
      'context.params has amount && context.params.amount * 9223372036854775807 > 0',
      'context.params has note && context.origin has note && context.origin.note == "untrusted"',
      'context.params has to && context.params.to.contains("a@b.example")',
      'context.approval_level >= 1',
      'context.approval_level * 4611686018427387904 > 1',
      'context.budget has left && context.budget.left > 10',
      'context.params._rest == "{}"',
      'context == context && context.channel == "mcp-stdio"',
      'principal.scopes.contains("bank.pay")',
      'context.now > datetime("2026-01-01")',
    ),
  });
  const textOf = (rules: readonly RuleParts[]): string =>
    rules
      .map(
        ({ effect, action, kind, condition }, index) =>
          `@id("r${index}") ${effect}(principal, ${action}, resource) ${kind} { ${condition} };`,
      )
      .join('\n');

  it('than one set with every rule and the whole context', () => {
    const question = fc.record({
      base: fc.constantFrom(payQuestion, mailQuestion),
      level: fc.constantFrom(...levels),
      scopes: fc.constantFrom([], ['bank.pay']),
    });
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 6 }), question, (rules, asked) => {
        const loaded = loadCedarPolicy({
          files: [{ name: 'p', text: textOf(rules) }],
          actions: [pay, mail],
        });
        // A rule that can never match is refused at load; the others decide.
        if (!loaded.ok) return;
        const whole = { ...asked.base, level: asked.level, scopes: asked.scopes };
        const { detail: _detail, ...verdict } = loaded.value.evaluate(whole);
        expect(verdict).toEqual(askCedarPlainly(textOf(rules), whole));
      }),
      { numRuns: 60 },
    );
  });
});

/** The whole set and the whole context, without preparation: what Cedar itself answers. */
function askCedarPlainly(text: string, question: PolicyQuestion): PolicyVerdict {
  const { params, origin, mandate, budget, nowMs, channel } = question.context;
  const uid = { type: 'Principal', id: question.principal };
  const policies = Object.fromEntries(text.split('\n').map((rule, index) => [`r${index}`, rule]));
  const call = {
    principal: uid,
    action: { type: 'Action', id: question.action },
    resource: { type: 'Resource', id: question.resource },
    context: JSON.parse(
      JSON.stringify({
        params,
        origin,
        mandate,
        budget: { left: budget?.left, calls_left: budget?.callsLeft },
        now: { __extn: { fn: 'datetime', arg: new Date(nowMs ?? 0).toISOString() } },
        channel,
        approval_level: question.level,
      }),
    ),
    policies: { staticPolicies: policies },
    entities: [{ uid, attrs: { scopes: [...question.scopes] }, parents: [] }],
  };
  const answer = withCedar((cedar) => cedar.isAuthorized(call));
  if (answer.type === 'failure') throw new Error(JSON.stringify(answer.errors));
  const { decision, diagnostics } = answer.response;
  if (diagnostics.errors.length > 0) {
    return { effect: 'error', rules: diagnostics.errors.map((each) => each.policyId).sort() };
  }
  const rules = diagnostics.reason.toSorted();
  if (decision === 'allow') return { effect: 'permit', rules };
  return { effect: rules.length > 0 ? 'forbidden' : 'no_permit', rules };
}

describe('evaluate: many rules for every action', () => {
  it('answers from one set for all actions', () => {
    const actions = Array.from({ length: 50 }, (_, index) => ({
      ...mail,
      action: `mail.${index}`,
    }));
    const everywhere = actions.map(
      (_, index) =>
        `@id("g${index}") permit(principal, action, resource) when { context.params.ids.contains(${index}) };`,
    );
    const engine = load(
      [...everywhere, '@id("own") forbid(principal, action == Action::"mail.7", resource);'].join(
        '\n',
      ),
      actions,
    );
    const about = (action: string): PolicyVerdict => engine.evaluate({ ...mailQuestion, action });
    expect(about('mail.6')).toEqual({ effect: 'permit', rules: ['g1', 'g2'] });
    expect(about('mail.7')).toEqual({ effect: 'forbidden', rules: ['own'] });
  });
});

describe('evaluate: a question that was asked before', () => {
  it('has its own answer, also after many others', () => {
    const engine = load(
      'permit(principal, action == Action::"bank.pay", resource) when { context.params.amount < 300 };',
    );
    const about = (amount: number): string => {
      const context = { ...payContext, params: { ...payContext.params, amount } };
      return engine.evaluate({ ...payQuestion, context }).effect;
    };
    for (let round = 0; round < 2; round += 1) {
      for (let amount = 0; amount < 600; amount += 1) {
        expect(about(amount)).toBe(amount < 300 ? 'permit' : 'no_permit');
        expect(about(amount)).toBe(amount < 300 ? 'permit' : 'no_permit');
      }
    }
  });

  it('is another one when anything that a rule reads differs', () => {
    const engine = load(`
      @id("level") permit(principal, action, resource) when { context.approval_level >= 1 };
      @id("scope") permit(principal, action, resource) when { principal.scopes.contains("vip") };
      @id("who") permit(principal == Principal::"root", action, resource);`);
    const rules = (change: Partial<PolicyQuestion>): readonly string[] =>
      engine.evaluate({ ...payQuestion, ...change }).rules;
    expect(rules({})).toEqual([]);
    expect(rules({ level: 1 })).toEqual(['level']);
    expect(rules({ scopes: ['vip'] })).toEqual(['scope']);
    expect(rules({ principal: 'root' })).toEqual(['who']);
    expect(rules({})).toEqual([]);
    expect(rules({ ...mailQuestion })).toEqual([]);
    expect(rules({ ...mailQuestion, level: 2 })).toEqual(['level']);
  });
});

describe('evaluate: anything at all', () => {
  const engine = load(`
    permit(principal, action, resource) when { context == context && principal has scopes };`);
  const known = ['permit', 'no_permit', 'forbidden', 'error'];
  const key = fc.constantFrom('amount', 'to', 'note', '_rest', '__proto__', 'toJSON', '__entity');
  const value = fc.oneof(fc.anything(), fc.string({ unit: 'binary' }), fc.double(), fc.bigInt());
  const bag = fc.dictionary(key, value);

  it('is answered, never with an exception', () => {
    fc.assert(
      fc.property(fc.anything(), (question) => {
        expect(engine.evaluate(question as PolicyQuestion).effect).toBe('error');
      }),
    );
  });

  it('is answered when the form is right and the values are not', () => {
    const context = fc.record({
      params: fc.oneof(fc.constant(payContext.params), bag),
      origin: fc.oneof(fc.constant(payContext.origin), bag),
      mandate: fc.oneof(fc.constant(payContext.mandate), value),
      budget: fc.oneof(fc.constant(payContext.budget), value),
      nowMs: fc.oneof(fc.constant(payContext.nowMs), value),
      channel: fc.oneof(fc.constant('c'), value),
    });
    const question = fc.record({
      principal: fc.oneof(fc.string({ unit: 'binary' }), value),
      scopes: fc.oneof(fc.array(fc.string({ unit: 'binary' })), value),
      action: fc.constantFrom('bank.pay', 'mail.send', '__proto__'),
      resource: fc.constantFrom('bank', 'mail', 'x'),
      context,
      level: fc.oneof(fc.constantFrom(...levels), value),
    });
    fc.assert(
      fc.property(question, (asked) => {
        expect(known).toContain(engine.evaluate(asked as PolicyQuestion).effect);
      }),
      { numRuns: 500 },
    );
    expect(engine.evaluate(payQuestion).effect).toBe('permit');
  });
});

describe('evaluate: out of stack', () => {
  it('recovers', () => {
    const engine = load('@id("all") permit(principal, action, resource);');
    let triesLeft = 300;
    const descend = (): void => {
      try {
        descend();
      } catch {
        // The stack is full here; each level above has a little more room.
      }
      if (triesLeft === 0) return;
      triesLeft -= 1;
      // A new question each time: a repeated one would not reach the engine.
      engine.evaluate({ ...payQuestion, principal: `p${triesLeft}` });
    };
    descend();
    expect(triesLeft).toBe(0);
    expect(engine.evaluate(payQuestion)).toEqual({ effect: 'permit', rules: ['all'] });
  });
});
