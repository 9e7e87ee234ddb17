import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import type { Contract, ParamContract } from '../core/contract.ts';

const files = { 'v.json': '{}' };
const registry =
  '[registries.vendors]\nfile = "v.json"\n[registries."my.people"]\nfile = "v.json"\n';
/** One tool; its own lines, then its parameters. */
const tool = (lines: string, params = ''): string =>
  `${base}${registry}[[tools]]\nserver = "bank"\ntool = "pay"\n${lines}\n${params}`;
/** Problems below `tools[0]`, without their lines. */
const faults = (lines: string, params = ''): readonly string[] =>
  problemsOf(tool(lines, params), { files }).map((problem) =>
    problem.replace(/^\d+ tools\[0\][.]?/, ''),
  );
const paramFaults = (lines: string): readonly string[] =>
  faults('', `[tools.params.x]\n${lines}`).map((fault) => fault.replace(/^params\.x[.]?/, ''));
const contractOf = (lines: string, params = ''): Contract =>
  configOf(tool(lines, params), { files }).contracts[0] as Contract;
const paramOf = (lines: string, name = 'x'): ParamContract =>
  contractOf('', `[tools.params.${name}]\n${lines}`).params[0] as ParamContract;

describe('[[tools]]', () => {
  it('has defaults that protect', () => {
    expect(contractOf('')).toEqual({
      action: 'bank.pay',
      server: 'bank',
      tool: 'pay',
      when: {},
      params: [],
      undeclared: 'entities',
      onUnknown: 'ask',
      effect: 'write',
      levelFloor: 0,
      scope: 'bank.pay',
      volatile: [],
      duplicateWindowMs: 120_000,
      toolError: 'unknown',
      expect: {},
      confirm: 'any',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('has every setting', () => {
    const lines = `action = "payment.transfer"
budget_param = "x"
when = { method = "pay", n = 1 }
success = { pointer = "/ok", value = 1, text = "done" }
expect = { "/amount" = "x" }
volatile = ["trace"]
tool_error = "failed"
duplicate_window = 0
description = "Pays."
effect = "read"
undeclared = "refuse"
on_unknown = "deny"
level_floor = 1
scope = "pay"
confirm = "page"
sentence = "pay {x}"`;
    expect(contractOf(lines, '[tools.params.x]\ntype = "number"')).toMatchObject({
      action: 'payment.transfer',
      scope: 'pay',
      budgetParam: 'x',
      when: { method: 'pay', n: 1 },
      success: { pointer: '/ok', value: 1, text: 'done' },
      expect: { '/amount': 'x' },
      volatile: ['trace'],
      toolError: 'failed',
      duplicateWindowMs: 0,
      description: 'Pays.',
      effect: 'read',
      undeclared: 'refuse',
      onUnknown: 'deny',
      levelFloor: 1,
      confirm: 'page',
      sentence: 'pay {x}',
    });
  });

  it('changes its digest with everything that decides', () => {
    const digests = [
      contractOf(''),
      contractOf('level_floor = 1'),
      contractOf('', '[tools.params.x]'),
      contractOf('', '[tools.params.x]\nscale = 10\ntype = "number"'),
    ].map((contract) => contract.digest);
    expect(new Set(digests).size).toBe(4);
    expect(contractOf('').digest).toBe(digests[0]);
  });

  verifies('CFG-09', 'refuses names that nothing else has', () => {
    expect(problemsOf(tool('').replace('server = "bank"', 'server = "bonk"'), { files })).toEqual([
      '11 tools[0].server: there is no server `bonk`: add it to [[servers]]; did you mean `bank`?',
    ]);
    expect(faults('budget_param = "amuont"', '[tools.params.amount]\ntype = "number"')).toEqual([
      'budget_param: `amuont` is not a declared parameter; did you mean `amount`?',
    ]);
    expect(
      faults('sentence = "pay {amuont} to {to}"', '[tools.params.amount]\n[tools.params.to]'),
    ).toEqual(['sentence: `amuont` is not a declared parameter; did you mean `amount`?']);
    expect(faults('expect = { "/a" = "b", "c" = "x" }', '[tools.params.x]')).toEqual([
      'expect./a: `b` is not a declared parameter; did you mean `x`?'.replace('./a', '."/a"'),
      'expect.c: `c` is no JSON pointer: begin it with /',
    ]);
  });

  verifies('CFG-09', 'refuses a budget parameter that is not one number', () => {
    const one = 'must be one number: give it the type number, integer or money';
    const charged = (params: string): readonly string[] => faults('budget_param = "x"', params);
    expect(charged('[tools.params.x]')).toEqual([`budget_param: \`x\` ${one}`]);
    expect(charged('[tools.params.x]\ntype = "number"\neach = true')).toEqual([
      `budget_param: \`x\` ${one}`,
    ]);
    expect(charged('[tools.params.x]\ntype = "number"\npath = "items[].amount"')).toEqual([
      `budget_param: \`x\` ${one}`,
    ]);
    for (const type of [
      'type = "number"',
      'type = "integer"',
      'type = "money"\ncurrency = "EUR"',
    ]) {
      expect(charged(`[tools.params.x]\n${type}`), type).toEqual([]);
    }
  });

  verifies('CFG-09', 'refuses rules about answers that could never hold', () => {
    expect(faults('success = {}')).toEqual([
      'success: says nothing: add `pointer` and `value`, or `text`',
    ]);
    expect(faults('success = { value = 1, text = "a" }')).toEqual([
      'success.value: stands nowhere: add `pointer`',
    ]);
    expect(faults('success = { pointer = "ok" }')).toEqual([
      'success.pointer: `ok` is no JSON pointer: begin it with /',
    ]);
    expect(faults('success = { text = "(" }')).toEqual([
      'success.text: is no valid pattern (RE2 syntax)',
    ]);
    expect(faults('level_floor = 3')).toEqual(['level_floor: must be 0, 1 or 2']);
    expect(faults('confirm = "form"')).toEqual(['confirm: must be "page"']);
  });

  verifies('CFG-09', 'does not let what decides vary between calls that count as the same', () => {
    const params =
      '[tools.params.to]\ncritical = true\nsources = ["request"]\n[tools.params.x]\ntype = "number"';
    expect(faults('volatile = ["trace", "to", "x"]\nbudget_param = "x"', params)).toEqual([
      'volatile[1]: `to` is critical or charged: calls that differ in it are different',
      'volatile[2]: `x` is critical or charged: calls that differ in it are different',
    ]);
    expect(faults('volatile = ["x"]', params)).toEqual([]);
  });

  it('declares at most 64 parameters', () => {
    const params = (count: number): string =>
      Array.from({ length: count }, (_unused, n) => `[tools.params.p${n}]`).join('\n');
    expect(faults('', params(64))).toEqual([]);
    expect(faults('', params(65))).toEqual(['params: declares more than 64 parameters']);
  });
});

describe('[tools.params.NAME]', () => {
  it('is a free text of one line unless it says more', () => {
    expect(paramOf('', 'body')).toEqual({
      name: 'body',
      path: [{ kind: 'key', key: 'body' }],
      type: 'string',
      critical: false,
      sources: [],
      each: false,
      settings: {},
      scale: 1,
      optional: false,
      multiline: true,
      text: 'entities',
      onUnknown: 'ask',
      textAllow: [],
      textSources: [],
      textDomains: [],
      textTemplates: [],
    });
  });

  it('holds one line where its name, or that of its argument, promises it', () => {
    expect(paramOf('', 'subject').multiline).toBe(false);
    expect(paramOf('path = "message.subject"').multiline).toBe(false);
    expect(paramOf('path = "message.text"').multiline).toBe(true);
    expect(paramOf('critical = true\nsources = ["request"]').multiline).toBe(false);
    expect(paramOf('multiline = true', 'subject').multiline).toBe(true);
  });

  it('has every setting', () => {
    const text = `optional = true
enum = ["a", "b"]
pattern = "[ab]"
max_length = 5
label = "X"
text = "free"
on_unknown = "deny"
text_allow = ["v[0-9]+"]
text_sources = ["vendors", "registry:my.people"]
text_domains = ["example.com"]
text_templates = ["Dear {name}"]`;
    expect(paramOf(text)).toMatchObject({
      optional: true,
      oneOf: ['a', 'b'],
      pattern: '[ab]',
      lengthMax: 5,
      label: 'X',
      text: 'free',
      onUnknown: 'deny',
      textAllow: ['v[0-9]+'],
      textSources: ['vendors', 'my.people'],
      textDomains: ['example.com'],
      textTemplates: ['Dear {name}'],
    });
    expect(paramOf('type = "number"\nscale = 100\nmin = 0.01\nmax = "10"')).toMatchObject({
      scale: 100,
      min: '0.01',
      max: '10',
    });
    expect(paramOf('each = true\nmin_items = 0\nmax_items = 3')).toMatchObject({
      itemsMin: 0,
      itemsMax: 3,
    });
    expect(paramOf('type = "datetime"\nzone = "Europe/Berlin"').settings).toEqual({
      zone: 'Europe/Berlin',
    });
  });

  it('takes the text rule of its tool where it has none of its own', () => {
    const contract = contractOf(
      'text = "free"\non_unknown = "deny"',
      '[tools.params.a]\n[tools.params.b]\ntext = "entities"\non_unknown = "ask"',
    );
    expect(contract.params.map(({ text, onUnknown }) => [text, onUnknown])).toEqual([
      ['free', 'deny'],
      ['entities', 'ask'],
    ]);
  });

  it('reads paths, and takes a name with dots for one key', () => {
    expect(paramOf('path = "to[].address"').path).toEqual([
      { kind: 'key', key: 'to' },
      { kind: 'each' },
      { kind: 'key', key: 'address' },
    ]);
    expect(paramOf('', '"a.b"').path).toEqual([{ kind: 'key', key: 'a.b' }]);
    for (const path of ['a..b', '.a', 'a.', '[]', 'a[0]', 'a[].[]', 'a][']) {
      const [first] = paramFaults(`path = "${path}"`);
      expect(first, path).toBe(
        `path: \`${path}\` is no path: write keys with dots, such as to[].address`,
      );
    }
  });

  verifies(
    'CFG-09',
    'refuses a critical value without a source, and sources without a critical value',
    () => {
      expect(paramFaults('critical = true')).toEqual([
        'sources: `x` is critical and has no source: name one, such as "registry:<name>"',
      ]);
      expect(paramFaults('sources = ["request"]')).toEqual([
        'sources: `x` has sources and is not critical: add critical = true',
      ]);
      expect(paramFaults('critical = true\nsources = ["request"]\ntype = "object"')).toEqual([
        'type: a critical object cannot be compared: declare its values with `path` or `each`',
      ]);
    },
  );

  verifies('CFG-09', 'refuses sources that are none', () => {
    const source = (text: string): readonly string[] =>
      paramFaults(`critical = true\nsources = ["${text}"]`);
    const forms =
      'write mandate:<claim>, registry:<name>, registry:<name>.<field>, request or const:<value>';
    expect(source('registry:vendrs')).toEqual([
      'sources[0]: the source `registry:vendrs` names no registry: add [registries.vendrs]; did you mean `vendors`?',
    ]);
    expect(source('registry:vendors.')).toEqual([
      `sources[0]: the source \`registry:vendors.\` names no field: ${forms}`,
    ]);
    for (const text of [
      'vendors',
      'file:x',
      'registry:',
      'mandate:',
      'const:',
      'Registry:vendors',
      '',
      'request:x',
    ]) {
      expect(source(text), text).toEqual([
        `sources[0]: the source \`${text}\` is unknown: ${forms}`,
      ]);
    }
    for (const text of ['session', 'session:x', 'derived:x', 'handle:a.b']) {
      expect(source(text), text).toEqual([
        `sources[0]: the source \`${text}\` is not available in this version`,
      ]);
    }
  });

  verifies('CFG-09', 'refuses a constant that is no value of the parameter', () => {
    const constant = (text: string, lines: string): readonly string[] =>
      paramFaults(`critical = true\nsources = ["const:${text}"]\n${lines}`);
    expect(constant('abc', 'type = "integer"')).toEqual([
      'sources[0]: `abc` is no integer (a number)',
    ]);
    expect(constant('yes', 'type = "boolean"')).toEqual([
      'sources[0]: `yes` is no boolean (true or false)',
    ]);
    expect(constant('x', 'normalize = "email"')[0]).toMatch(/^sources\[0\]: `x` is no email \(/);
    expect(constant('0.005', 'type = "number"\nscale = 100')).toEqual([
      'sources[0]: `0.005` is no number (range)',
    ]);
    expect(constant('44', 'type = "integer"')).toEqual([]);
  });

  it('reads every source', () => {
    const sources = [
      'mandate:a.b',
      'registry:vendors',
      'registry:vendors.iban',
      'request',
      'const:a:b',
    ];
    const people = ['registry:my.people', 'registry:my.people.mail'];
    const text = [...sources, ...people].map((source) => `"${source}"`).join(', ');
    expect(paramOf(`critical = true\nsources = [${text}]`).sources).toEqual([
      { kind: 'mandate', name: 'mandate:a.b', claim: 'a.b' },
      { kind: 'registry', name: 'registry:vendors', registry: 'vendors' },
      { kind: 'registry', name: 'registry:vendors.iban', registry: 'vendors', field: 'iban' },
      { kind: 'request', name: 'request' },
      { kind: 'const', name: 'const:a:b', value: 'a:b' },
      { kind: 'registry', name: 'registry:my.people', registry: 'my.people' },
      { kind: 'registry', name: 'registry:my.people.mail', registry: 'my.people', field: 'mail' },
    ]);
  });

  verifies('CFG-09', 'refuses normalisers that are none, or not of this type', () => {
    expect(paramFaults('normalize = "ibn"')).toEqual([
      'normalize: there is no normaliser `ibn` (known: iban, iban-lenient, email, email-exact, lower, exact, domain, url, url-origin, url-domain, money, date, instant); did you mean `iban`?',
    ]);
    expect(paramFaults('type = "number"\nnormalize = "lower"')).toEqual([
      'normalize: a number is not normalised as `lower`: remove the key',
    ]);
    expect(paramFaults('type = "date"\nnormalize = "date"')).toEqual([]);
  });

  verifies('CFG-09', 'refuses units that do not fit the type', () => {
    expect(paramFaults('scale = 100')).toEqual([
      'scale: a string has no scale: give the parameter the type number, or remove the key',
    ]);
    expect(paramFaults('type = "money"')).toEqual([
      'currency: money needs its currency: add one, such as currency = "EUR"',
    ]);
    expect(paramFaults('type = "money"\ncurrency = "EURO"')).toEqual([
      'currency: `EURO` is no ISO 4217 currency: write its three capitals',
    ]);
    expect(paramFaults('type = "number"\ncurrency = "EUR"')).toEqual([
      'currency: a number has no currency: give the parameter the type money',
    ]);
    expect(paramFaults('zone = "Europe/Berlin"')).toEqual([
      'zone: a string has no zone: give the parameter the type datetime',
    ]);
    expect(paramFaults('type = "datetime"\nzone = "W. Europe Standard Time"')).toEqual([
      'zone: `W. Europe Standard Time` is no IANA zone: write its exact name, such as Europe/Berlin',
    ]);
    expect(paramFaults('type = "datetime"\nzone = "europe/berlin"')).toHaveLength(1);
    expect(paramFaults('type = "datetime"\nzone = "UTC"')).toEqual([]);
  });

  verifies('CFG-09', 'refuses bounds that bound nothing', () => {
    expect(paramFaults('min = 1')).toEqual(['min: cannot bound a string: it has no size']);
    expect(paramFaults('type = "number"\nmax_length = 3')).toEqual([
      'max_length: cannot bound a number: use min, max or enum',
    ]);
    expect(paramFaults('type = "boolean"\npattern = "t"')).toEqual([
      'pattern: cannot bound a boolean: use min, max or enum',
    ]);
    expect(paramFaults('type = "object"\nenum = ["a"]')).toEqual([
      'enum: cannot bound a object: declare its values',
    ]);
    expect(paramFaults('max_items = 3')).toEqual([
      'max_items: counts the items of no list: add each = true',
    ]);
    expect(paramFaults('type = "list"\nmax_items = 3')).toEqual([]);
    expect(paramFaults('path = "a[].b"\nmin_items = 0')).toEqual([]);
    expect(
      paramFaults('critical = true\nsources = ["request"]\nenum = ["a"]\npattern = "a"'),
    ).toEqual([
      'enum: bounds a critical value, which must equal a trusted one: check it in the policy',
      'pattern: bounds a critical value, which must equal a trusted one: check it in the policy',
    ]);
  });

  verifies('CFG-09', 'refuses bounds that nothing fits', () => {
    expect(paramFaults('type = "number"\nmin = 5\nmax = 4')).toEqual([
      'min: is larger than max: nothing fits',
    ]);
    expect(paramFaults('type = "number"\nmin = 5\nmax = 5')).toEqual([]);
    expect(paramFaults('each = true\nmin_items = 3\nmax_items = 2')).toEqual([
      'min_items: is larger than max_items: nothing fits',
    ]);
    expect(paramFaults('type = "number"\nscale = 100\nmax = 0.005')).toEqual([
      'max: is not whole after multiplying by 100',
    ]);
    expect(paramFaults('type = "money"\ncurrency = "JPY"\nmax = 0.5')).toEqual([
      'max: is not whole after multiplying by 1',
    ]);
    expect(paramFaults('type = "number"\nenum = ["1"]')).toEqual([
      'enum: holds a value that is no number and could never be sent',
    ]);
    expect(paramFaults('enum = ["a", 1]')).toHaveLength(1);
    expect(paramFaults('type = "boolean"\nenum = [true]')).toEqual([]);
    expect(paramFaults('type = "number"\nmin = "1,5"')).toEqual([
      'min: must be a decimal such as 10 or "0.01"',
    ]);
  });

  verifies(
    'CFG-09',
    'refuses patterns, domains and registries of the text rule that are none',
    () => {
      expect(paramFaults('pattern = "("')).toEqual(['pattern: is no valid pattern (RE2 syntax)']);
      expect(paramFaults('text_allow = ["a", "(?=b)"]')).toEqual([
        'text_allow[1]: `(?=b)` is no valid pattern (RE2 syntax)',
      ]);
      expect(paramFaults('text_domains = ["example.com", "https://x"]')).toEqual([
        'text_domains[1]: `https://x` is no domain: write it like example.com',
      ]);
      expect(paramFaults('text_sources = ["nobody"]')).toEqual([
        'text_sources[0]: `nobody` names no registry: add [registries.nobody]',
      ]);
    },
  );

  it('refuses the name of the undeclared arguments', () => {
    expect(faults('', '[tools.params._rest]')).toEqual([
      'params._rest: `_rest` is the name of the undeclared arguments: choose another',
    ]);
  });
});

describe('record', () => {
  const trusted = (name: string, sources: string, more = ''): string =>
    `[tools.params.${name}]\ncritical = true\nsources = [${sources}]\n${more}\n`;
  const invoice = trusted('invoice', '"registry:vendors"');
  const iban = (more: string, sources = '"registry:vendors.iban"'): string =>
    trusted('iban', sources, more);

  it('binds a value to the record of another one', () => {
    expect(faults('', invoice + iban('record = "invoice"'))).toEqual([]);
  });

  verifies('CFG-09', 'refuses a binding that no record could fill', () => {
    const fault = (params: string): readonly string[] =>
      faults('', params).map((each) => each.replace('params.iban.record: ', ''));
    expect(fault(iban('record = "invoise"') + invoice)).toEqual([
      '`invoise` is not a declared parameter; did you mean `invoice`?',
    ]);
    expect(fault(`${invoice}[tools.params.iban]\nrecord = "invoice"`)).toEqual([
      '`iban` is not critical: only a trusted value comes from a record',
    ]);
    expect(fault(iban('record = "iban"'))).toEqual([
      '`iban` is bound to a record itself: name the parameter that selects it',
    ]);
    expect(fault(`[tools.params.invoice]\n${iban('record = "invoice"')}`)).toEqual([
      '`invoice` selects no record: it must be one critical value',
    ]);
    expect(
      fault(trusted('invoice', '"registry:vendors"', 'each = true') + iban('record = "invoice"')),
    ).toEqual(['`invoice` selects no record: it must be one critical value']);
    const foreign =
      '`iban` has a source that no record of `invoice` can fill: name the same registry';
    expect(
      fault(invoice + iban('record = "invoice"', '"registry:vendors.iban", "registry:my.people"')),
    ).toEqual([foreign]);
    expect(
      fault(invoice + iban('record = "invoice"', '"registry:vendors.iban", "request"')),
    ).toEqual([foreign]);
  });
});

describe('overlapping parameters', () => {
  verifies('CFG-09', 'are refused: one value would be judged and another sent', () => {
    const params = (a: string, b: string): readonly string[] =>
      faults('', `[tools.params.a]\n${a}\n[tools.params.b]\n${b}`);
    expect(params('path = "x"', 'path = "x"')).toEqual([
      'params.a: `x` is inside the parameter `b`: declare only one of them',
      'params.b: `x` is inside the parameter `a`: declare only one of them',
    ]);
    expect(params('path = "x"\ntype = "object"', 'path = "x.iban"')).toEqual([
      'params.b: `x.iban` is inside the parameter `a`: declare only one of them',
    ]);
    expect(params('path = "to[].a"', 'path = "to[].b"')).toEqual([]);
    expect(params('path = "to[]"', 'path = "to"\neach = true')).toHaveLength(2);
  });
});

describe('several entries', () => {
  const entry = (lines: string, name = 'pay'): string =>
    `[[tools]]\nserver = "bank"\ntool = "${name}"\n${lines}\n`;
  const several = (...entries: readonly string[]): readonly string[] =>
    problemsOf(base + entries.join('')).map((problem) => problem.replace(/^\d+ /, ''));

  verifies(['CFG-09', 'DEC-10'], 'of one tool need `when`, each its own', () => {
    const twice = '`bank.pay` is declared twice: give each entry its own `when`, or remove one';
    expect(several(entry(''), entry(''))).toEqual([`tools[1].tool: ${twice}`]);
    expect(several(entry(''), entry('when = { m = "a" }\naction = "a"'))).toEqual([
      `tools[1].tool: ${twice}`,
    ]);
    expect(several(entry('when = { m = "a" }\naction = "a"'), entry(''))).toEqual([
      `tools[1].tool: ${twice}`,
    ]);
    const a = entry('when = { m = "a" }\naction = "a"');
    expect(several(a, entry('when = { m = "b" }\naction = "b"'))).toEqual([]);
    const never = '`bank.pay` above takes the same calls';
    expect(several(a, entry('when = { m = "a" }\naction = "b"'))).toEqual([
      `tools[1].when: selects nothing: an entry of ${never}`,
    ]);
    expect(several(a, entry('when = { n = 1, m = "a" }\naction = "b"'))).toEqual([
      `tools[1].when: selects nothing: an entry of ${never}`,
    ]);
    expect(several(entry('when = { n = 1, m = "a" }\naction = "b"'), a)).toEqual([]);
  });

  verifies('CFG-09', 'of one action need equal contracts', () => {
    const one = entry('action = "x"\n[tools.params.a]\n[tools.params.b]');
    const turned = entry(
      'action = "x"\ndescription = "other"\n[tools.params.b]\n[tools.params.a]',
      'mail',
    );
    expect(several(one, turned)).toEqual([]);
    const fault =
      'tools[1].action: the action `x` has another contract in tools[0]: make them equal, or give one another `action`';
    expect(several(one, entry('action = "x"\n[tools.params.a]', 'mail'))).toEqual([fault]);
    expect(several(entry('action = "x"'), entry('action = "x"\nlevel_floor = 1', 'mail'))).toEqual([
      fault,
    ]);
    expect(several(entry('action = "x"'), entry('action = "x"\nscope = "y"', 'mail'))).toEqual([
      fault,
    ]);
  });
});
