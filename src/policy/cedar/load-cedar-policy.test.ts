import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { PolicyActionShape, PolicyEngine } from '../policy-engine.ts';
import { loadCedarPolicy } from './load-cedar-policy.ts';
import { schemaText } from './policy-schema.ts';

const pay: PolicyActionShape = {
  action: 'bank.pay',
  server: 'bank',
  params: [
    { name: 'amount', type: 'long', optional: false },
    { name: 'to', type: 'string', optional: false },
    { name: 'note', type: 'string', optional: true },
  ],
};
const mail: PolicyActionShape = {
  action: 'mail.send',
  server: 'mail',
  params: [{ name: 'to', type: 'string-set', optional: false }],
};
const actions = [pay, mail];

/** Every problem as a person reads it. */
function problems(text: string, shapes: readonly PolicyActionShape[] = actions): readonly string[] {
  const loaded = loadCedarPolicy({ files: [{ name: 'p.cedar', text }], actions: shapes });
  if (loaded.ok) return [];
  return loaded.error.map(({ file, line, column, message }) =>
    line === undefined ? `${file}: ${message}` : `${file}:${line}:${column}: ${message}`,
  );
}

function load(text: string, shapes: readonly PolicyActionShape[] = actions): PolicyEngine {
  const loaded = loadCedarPolicy({ files: [{ name: 'p.cedar', text }], actions: shapes });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

const onPay = 'permit(principal, action == Action::"bank.pay", resource)';
const onAll = 'permit(principal, action, resource)';

describe('loadCedarPolicy: what does not parse', () => {
  verifies('C47', 'names line, column and what was expected', () => {
    expect(problems(`${onAll};\n\n  permit(principal, action, resource) when { 1 < };`)).toEqual([
      'p.cedar:3:50: cannot be parsed: unexpected token `}`; expected `!`, `(`, `-`, `[`, `{`, `false`, identifier, `if`, number, `?principal`, `?resource`, string literal, or `true`',
    ]);
  });

  it('counts columns in characters, not in bytes', () => {
    const [problem] = problems(`${onAll} when { "é€" == };`);
    expect(problem).toMatch(/^p\.cedar:1:52: cannot be parsed: unexpected token `\}`/u);
  });

  it('tells every rule that does not parse', () => {
    const found = problems(`permit(principal);\n${onAll};\nallow(principal, action, resource);`);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^p\.cedar:1:17: cannot be parsed: .*missing the `action`/u);
    expect(found[1]).toMatch(/^p\.cedar:3:1: cannot be parsed: .*allow/u);
  });

  it.each([
    [onAll, 'p.cedar:1:36: cannot be parsed: unexpected end of input; expected `;` or identifier'],
    [
      `${onAll} when { "abc };`,
      'p.cedar:1:44: cannot be parsed: invalid token; try checking that all strings are closed properly',
    ],
    [
      `${onAll} when { foo(1) };`,
      'p.cedar:1:44: cannot be parsed: `foo` is not a valid function; did you mean `ip`?',
    ],
    [
      `// c\n${onAll} when { "\uD800" == "" };`,
      'p.cedar:2:1: the rule is not valid Unicode; save the file as UTF-8',
    ],
    [
      'permit(principal == ?principal, action, resource);',
      'p.cedar:1:21: the rule holds the slot `?principal`; templates are not supported, write out whom it means',
    ],
  ])('explains %s', (text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });

  it('refuses a rule that would break the evaluator, and loads the next set', () => {
    const deep = 'the rule nests more than 128 levels; split it, or use a set: […].contains(…)';
    const chain = 'context.approval_level == 1 || '.repeat(200);
    expect(problems(`${onAll} when { ${chain} true };`)).toEqual([`p.cedar:1:1: ${deep}`]);
    const nested = `${'('.repeat(2_000)}true${')'.repeat(2_000)}`;
    expect(problems(`${onAll} when { ${nested} };`)).toEqual([`p.cedar:1:1: ${deep}`]);
    expect(problems(`${onAll};`)).toEqual([]);
  });

  it('evaluates the deepest rule it takes', () => {
    const chain = 'context.approval_level == 9 || '.repeat(125);
    const engine = load(`${onAll} when { ${chain} context.approval_level == 2 };`);
    expect(ask(engine, 2).effect).toBe('permit');
    expect(ask(engine, 0).effect).toBe('no_permit');
  });
});

describe('loadCedarPolicy: an empty set', () => {
  verifies('C47', 'is refused', () => {
    expect(problems('// permit(principal, action, resource);\n')).toEqual([
      'p.cedar:1:1: holds no rule, so everything would be denied; write at least one `permit`',
    ]);
  });

  it('is refused without any file', () => {
    const loaded = loadCedarPolicy({ files: [], actions });
    expect(loaded).toEqual({
      ok: false,
      error: [{ file: 'policy', message: 'no policy file is named; name at least one' }],
    });
  });

  it('may have an empty file among others', () => {
    const files = [
      { name: 'a.cedar', text: '' },
      { name: 'b.cedar', text: `${onAll};` },
    ];
    expect(loadCedarPolicy({ files, actions }).ok).toBe(true);
  });
});

describe('loadCedarPolicy: what no contract supplies', () => {
  it.each([
    [
      `@id("r") ${onPay} when { context.params.amont > 3 };`,
      'p.cedar:1:75: rule `r` reads `context.params.amont`, which no contract supplies; the parameters are `_rest`, `amount`, `note`, `to`',
    ],
    [
      `@id("r") ${onPay} when { context.origin.amont == "untrusted" };`,
      'p.cedar:1:75: rule `r` reads `context.origin.amont`, which no contract supplies; the parameters are `_rest`, `amount`, `note`, `to`',
    ],
    [
      `@id("r") ${onPay} when { context.params["a b"] == "" };`,
      'p.cedar:1:75: rule `r` reads `context.params["a b"]`, which no contract supplies; the parameters are `_rest`, `amount`, `note`, `to`',
    ],
    [
      `@id("r") ${onAll} when { context.payee_sanctioned };`,
      'p.cedar:1:53: rule `r` reads `context.payee_sanctioned`, which nothing supplies; `context` has `params`, `origin`, `approval_level`, `mandate`, `budget`, `now`, `channel`',
    ],
    [
      `@id("r") ${onAll} when { context.mandate.owner == "" };`,
      'p.cedar:1:53: rule `r` reads `context.mandate.owner`, which nothing supplies; `context.mandate` has `id`, `agent`, `purpose`',
    ],
    [
      `@id("r") ${onAll} when { principal.role == "x" };`,
      'p.cedar:1:53: rule `r` reads `role` of an entity; entities have no attribute but `principal.scopes`',
    ],
    [
      '@id("r") permit(principal, action == Action::"bank.pya", resource);',
      'p.cedar:1:38: rule `r` names the action `bank.pya`, which no guarded tool has; the actions are `bank.pay`, `mail.send`',
    ],
    [
      `@id("r") ${onAll} when { action == Action::"x" };`,
      'p.cedar:1:63: rule `r` names the action `x`, which no guarded tool has; the actions are `bank.pay`, `mail.send`',
    ],
    [
      '@id("r") permit(principal, action, resource == Resource::"bnk");',
      'p.cedar:1:48: rule `r` names the server `bnk`, which has no guarded tool; the servers are `bank`, `mail`',
    ],
    [
      '@id("r") permit(principal in Group::"staff", action, resource);',
      'p.cedar:1:30: rule `r` names the entity type `Group`; there are only `Principal`, `Action`, `Resource`',
    ],
  ])('explains %s', (text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });

  it('finds a misspelt parameter that is only tested with has, on its line', () => {
    const rule = 'forbid(principal, action, resource) unless {\n  context.params has amont };';
    expect(problems(`@id("r")\n${rule}`)).toEqual([
      'p.cedar:3:22: rule `r` reads `context.params.amont`, which no contract supplies; the parameters are `_rest`, `amount`, `note`, `to`',
    ]);
    expect(problems('forbid(principal, action, resource) when { context has fact };')).toEqual([
      'p.cedar:1:56: rule `p.cedar:1` reads `context.fact`, which nothing supplies; `context` has `params`, `origin`, `approval_level`, `mandate`, `budget`, `now`, `channel`',
    ]);
  });

  it('leaves an attribute below a plain value to the type check', () => {
    expect(problems(`@id("r") ${onAll} when { context.channel.name == "x" };`)).toEqual([
      expect.stringMatching(/^p\.cedar:1:53: rule `r` is not valid: unexpected type: .* String$/u),
    ]);
  });

  it('says which action lacks a parameter that another one has', () => {
    expect(problems(`@id("r") ${onAll} when { context.params.amount > 3 };`)).toEqual([
      "p.cedar:1:53: rule `r` reads `context.params.amount`, which `mail.send` does not have; name the actions in the rule's head, or write `context.params has amount && …`",
    ]);
    const tested = 'context.params has amount && context.params.amount > 3';
    expect(problems(`${onAll} when { ${tested} };`)).toEqual([]);
  });

  it('asks for a test before an optional parameter is read', () => {
    expect(problems(`@id("r") ${onPay} when { context.params.note == "x" };`)).toEqual([
      'p.cedar:1:75: rule `r` reads `context.params.note`, which may be absent; write `context.params has note && …`',
    ]);
    const tested = 'context.params has note && context.params.note == "x"';
    expect(problems(`${onPay} when { ${tested} };`)).toEqual([]);
  });

  it('says what is there when nothing is configured', () => {
    expect(problems(`@id("r") ${onPay};`, [])).toEqual([
      'p.cedar:1:38: rule `r` names the action `bank.pay`, which no guarded tool has; there are no actions',
    ]);
  });

  it('shortens a long list of names', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ ...mail, action: `a.${index}` }));
    expect(problems(`${onPay};`, many)[0]).toContain('`a.10`, `a.11`, `a.12`, `a.13`');
    expect(problems(`${onPay};`, many)[0]).toMatch(/ and 8 more$/u);
  });
});

describe('loadCedarPolicy: strict types', () => {
  it.each([
    [
      `@id("r") ${onPay} when { context.params.amount > "3" };`,
      'p.cedar:1:99: rule `r` is not valid: unexpected type: expected Long but saw String; `amount` is Long',
    ],
    [
      `@id("r") ${onPay} when { context.params.to == 3 };`,
      'p.cedar:1:75: rule `r` is not valid: the types Long and String are not compatible; both operands to a `==` expression must have compatible types. Types must be exactly equal to be compatible; `to` is String',
    ],
    [
      `@id("r") ${onAll} when { decimal("1.2x") == decimal("1.0") };`,
      /^p\.cedar:1:53: rule `r` is not valid: .*failed to parse as a decimal value: `"1\.2x"`/u,
    ],
  ])('explains %s', (text, problem) => {
    expect(problems(text)).toEqual([
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    ]);
  });
});

describe('loadCedarPolicy: a rule that can never match', () => {
  verifies('C47', 'is refused when its conditions are always false', () => {
    expect(problems(`@id("r") ${onAll} when { context.approval_level > 3 && false };`)).toEqual([
      'p.cedar:1:1: rule `r` can never match: it is false for every call that the contracts allow; correct or remove it',
    ]);
  });

  it('is refused when its head fits no action', () => {
    expect(problems('permit(principal == Resource::"bank", action, resource);')).toEqual([
      'p.cedar:1:1: rule `p.cedar:1` can never match: it is false for every call that the contracts allow; correct or remove it',
    ]);
  });

  it.each([
    'resource == Resource::"mail"',
    'resource in Resource::"mail"',
    'resource is Resource in Resource::"mail"',
  ])('is refused when the server does not have the action: %s', (resource) => {
    expect(problems(`permit(principal, action == Action::"bank.pay", ${resource});`)).toEqual([
      'p.cedar:1:1: rule `p.cedar:1` can never match: its actions belong to `bank`, not to `mail`; correct the server',
    ]);
    const own = resource.replace('mail', 'bank');
    expect(problems(`permit(principal, action == Action::"bank.pay", ${own});`)).toEqual([]);
    expect(problems(`permit(principal, action, ${resource});`)).toEqual([]);
  });
});

describe('loadCedarPolicy: contracts', () => {
  it.each(['__entity', '__extn', '__expr', '__proto__'])('refuses a parameter %s', (name) => {
    const shape = { ...mail, params: [{ name, type: 'string', optional: false }] } as const;
    expect(problems(`${onAll};`, [shape])).toEqual([
      `contracts: action \`mail.send\`: the parameter name \`${name}\` is reserved; rename it`,
    ]);
  });

  it('refuses one parameter twice, and a name that is no Unicode', () => {
    const shape = { ...mail, server: '\uD800', params: [...mail.params, ...mail.params] };
    expect(problems(`${onAll};`, [shape])).toEqual([
      'contracts: action `mail.send`: the parameter `to` is declared twice; remove one',
      'contracts: action `mail.send`: a name is not valid Unicode; rename it',
    ]);
  });

  verifies('C34', 'lets two servers share an action with equal parameters only', () => {
    const turned = { ...pay, server: 'bank-2', params: pay.params.toReversed() };
    expect(problems(`${onAll};`, [pay, turned])).toEqual([]);
    expect(problems(`${onAll};`, [pay, { ...mail, action: 'bank.pay' }])).toEqual([
      'contracts: action `bank.pay` is declared with different parameters; make them equal or rename one action',
    ]);
  });

  it('still tells what does not parse', () => {
    const shape = { ...mail, params: [...mail.params, ...mail.params] };
    expect(problems('nonsense;', [shape])).toHaveLength(2);
  });
});

describe('loadCedarPolicy: several files', () => {
  const files = [
    { name: 'b.cedar', text: `${onPay} when { context.params.x == 1 };\n${onPay} when {;` },
    { name: 'a.cedar', text: `${onAll};\n${onAll} when { context.y };` },
  ];

  it('tells all problems together, in the order of files and lines', () => {
    const loaded = loadCedarPolicy({ files, actions });
    expect(loaded.ok).toBe(false);
    if (loaded.ok) return;
    expect(loaded.error.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'b.cedar:1',
      'b.cedar:2',
      'a.cedar:2',
    ]);
  });

  it('gives a set the digest of its joined texts, and one file its own digest', () => {
    const texts = [`${onPay};`, `${onAll};`];
    const named = texts.map((text, index) => ({ name: `${index}`, text }));
    const both = loadCedarPolicy({ files: named, actions });
    expect(both.ok && both.value.policySetSha256).toBe(sha256Hex(texts.join('\n')));
    expect(load(`${onAll};`).policySetSha256).toBe(sha256Hex(`${onAll};`));
  });

  it('says which schema and which engine it was validated with', () => {
    const engine = load(`${onAll};`);
    expect(engine.schemaSha256).toBe(sha256Hex(schemaText(actions)));
    expect(engine.engineVersion).toBe('4.13.0');
  });
});

describe('loadCedarPolicy: what the rules read', () => {
  it.each([
    [`${onAll};`, []],
    [`${onPay} when { context.params.amount > 1 };`, ['amount', 'params']],
    [`${onAll} when { context.params._rest == "{}" };`, ['_rest', 'params']],
    [`${onAll} when { context.budget has left };`, ['budget', 'left']],
    [`${onAll} when { principal.scopes.contains("x") };`, ['scopes']],
    [`${onAll} when { context.params == context.params };`, ['_rest', 'params']],
    [`${onAll} when { context.origin == context.origin };`, ['_rest', 'origin']],
    [
      `${onAll} when { context == context };`,
      ['_rest', 'approval_level', 'budget', 'channel', 'mandate', 'now', 'origin', 'params'],
    ],
  ])('%s', (text, reads) => {
    expect([...load(text).reads].sort()).toEqual(reads);
  });
});

function ask(engine: PolicyEngine, level: 0 | 1 | 2): ReturnType<PolicyEngine['evaluate']> {
  return engine.evaluate({
    principal: 'emma',
    scopes: [],
    action: 'mail.send',
    resource: 'mail',
    context: { params: { to: [], _rest: '{}' }, origin: {} },
    level,
  });
}
