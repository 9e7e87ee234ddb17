import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const params = `
[tools.params.amount]
type = "number"
[tools.params.invoice]
[tools.params.tags]
each = true
[tools.params.note]
optional = true
[tools.params.data]
type = "object"
`;
const find = `reconcile = { tool = "bank.find", arguments = { k = "\${key}" }, succeeded = { pointer = "/ok" } }`;
const tool = (lines: string, more = ''): string =>
  `${base}[[tools]]\nserver = "bank"\ntool = "pay"\n${lines}\n${params}\n${more}`;
const faults = (lines: string, more = ''): readonly string[] =>
  problemsOf(tool(lines, more)).map((problem) => problem.replace(/^\d+ tools\[0\][.]?/, ''));

describe('idempotency, reconcile and once', () => {
  it('become part of the contract', () => {
    const lines = `budget_param = "amount"
once = ["invoice"]
idempotency = { argument = "idempotency_key", lifetime = "24h" }
[tools.reconcile]
tool = "bank.find"
arguments = { id = "\${key}", n = 1, invoice = "\${param.invoice}" }
succeeded = { pointer = "/status", value = ["booked", "pending"] }
failed = { pointer = "/status", value = "rejected" }
absent = { text = "not found", is_error = true }
amount = "/amount"
reference = "/id"
key = "/key"
absence_final_after = "5m"`;
    expect(configOf(tool(lines)).contracts[0]).toMatchObject({
      once: ['invoice'],
      idempotency: { argument: 'idempotency_key', lifetimeMs: 86_400_000 },
      reconcile: {
        server: 'bank',
        tool: 'find',
        arguments: { id: `\${key}`, n: 1, invoice: `\${param.invoice}` },
        succeeded: { pointer: '/status', values: ['booked', 'pending'], isError: false },
        failed: { pointer: '/status', values: ['rejected'], isError: false },
        absent: { text: 'not found', isError: true },
        amount: '/amount',
        reference: '/id',
        key: '/key',
        absenceFinalAfterMs: 300_000,
      },
    });
  });

  verifies('CFG-21', 'idempotency: every mistake is named with its fix', () => {
    const argument = (rest: string): readonly string[] =>
      faults(`idempotency = { argument = "key"${rest} }`);
    expect(argument('')).toEqual(['idempotency.lifetime: must be a time such as 30s, 15m or 12h']);
    expect(argument(', lifetime = "a day"')).toEqual([
      'idempotency.lifetime: must be a time such as 30s, 15m or 12h',
    ]);
    expect(argument(', lifetime = 0')).toEqual(['idempotency.lifetime: must be longer than 0']);
    expect(argument(', lifetime = "1h", life = 1')).toEqual([
      expect.stringContaining('idempotency.life: unknown key `life`'),
    ]);
    expect(faults('idempotency = { argument = "invoice", lifetime = "1h" }')).toEqual([
      'idempotency.argument: `invoice` is declared for this tool: the gateway writes it, so declare it nowhere else',
    ]);
    expect(
      faults('when = { key = "x" }\nidempotency = { argument = "key", lifetime = "1h" }'),
    ).toHaveLength(1);
  });

  verifies('CFG-21', 'once: only plain parameters that every call has', () => {
    expect(faults('once = []')).toEqual(['once: must have at least 1 items']);
    expect(faults('once = ["invoise"]')).toEqual([
      'once[0]: `invoise` is not a declared parameter; did you mean `invoice`?',
    ]);
    expect(faults('once = ["invoice", "tags", "data", "note"]')).toEqual([
      'once[1]: `tags` is not one value: name a plain parameter',
      'once[2]: `data` is not one value: name a plain parameter',
      'once[3]: `note` is optional: a call without it could not be told apart',
    ]);
  });

  verifies('CFG-21', 'reconcile: the tool, what it is asked and what its answers mean', () => {
    const rule = (text: string): readonly string[] => faults(`reconcile = { ${text} }`);
    const ok = `tool = "bank.find", arguments = { k = "\${key}" }`;
    const succeeded = 'succeeded = { pointer = "/ok" }';
    expect(rule(`${ok}, ${succeeded}`)).toEqual([]);
    expect(rule(succeeded)).toEqual([expect.stringContaining('reconcile.tool: is missing')]);
    expect(rule(ok)).toEqual([expect.stringContaining('reconcile.succeeded: is missing')]);
    const table: readonly (readonly [text: string, problem: string])[] = [
      [
        `tool = "banc.find", arguments = { k = "\${key}" }`,
        'tool: `banc.find` names no tool of a server: write server.tool',
      ],
      [
        `tool = "bank.pay", arguments = { k = "\${key}" }`,
        'tool: `bank.pay` is a guarded tool that writes: name one that only reads (effect = "read")',
      ],
      [
        'tool = "bank.find"',
        `arguments: name no operation: use \${key}, \${op_id} or \${param.NAME} in one of them`,
      ],
      [
        'tool = "bank.find", arguments = { k = "all" }',
        `arguments: name no operation: use \${key}, \${op_id} or \${param.NAME} in one of them`,
      ],
      [
        `tool = "bank.find", arguments = { k = "\${id}" }`,
        `arguments.k: \`\${id}\` is not known: use \${key}, \${op_id} or \${param.NAME}`,
      ],
      [
        `tool = "bank.find", arguments = { k = "\${param.invoise}" }`,
        'arguments.k: `invoise` is not a declared parameter; did you mean `invoice`?',
      ],
      [
        `tool = "bank.find", arguments = { k = "\${param.tags}" }`,
        'arguments.k: `tags` is not one value: name a plain parameter',
      ],
      [
        `${ok}, amount = "/amount"`,
        'amount: is charged to nothing: add `budget_param` to the tool, or remove it',
      ],
      [`${ok}, reference = "id"`, 'reference: `id` is no JSON pointer: begin it with /'],
      [`${ok}, failed = {}`, 'failed: fits every answer: add `pointer` (and `value`), or `text`'],
      [`${ok}, failed = { text = "x", value = 1 }`, 'failed.value: stands nowhere: add `pointer`'],
      [
        `${ok}, failed = { pointer = "ok" }`,
        'failed.pointer: `ok` is no JSON pointer: begin it with /',
      ],
      [`${ok}, failed = { text = "(" }`, 'failed.text: is no valid pattern (RE2 syntax)'],
      [
        `${ok}, absence_final_after = "5m"`,
        'absence_final_after: never begins: say with `absent` which answer means it',
      ],
      [
        `${ok}, absence_final_after = "soon"`,
        'absence_final_after: must be a time such as 30s, 15m or 12h',
      ],
    ];
    for (const [text, problem] of table)
      expect(rule(`${text}, ${succeeded}`), text).toEqual([`reconcile.${problem}`]);
  });

  it('a tool that is guarded as a read may be asked', () => {
    const read = '[[tools]]\nserver = "bank"\ntool = "find"\neffect = "read"';
    expect(faults(find, read)).toEqual([]);
    expect(faults(find, read.replace('effect = "read"', ''))).toHaveLength(1);
  });

  it('a read has nothing to repeat or to find out', () => {
    const lines = `effect = "read"\nonce = ["invoice"]\n${find}`;
    expect(faults(lines)).toEqual([
      'once: means nothing for a tool with effect = "read": remove it',
      'reconcile: means nothing for a tool with effect = "read": remove it',
    ]);
  });
});

describe('warnings', () => {
  const budget = '[mandate]\nbudget = 100\n';
  const warnings = (lines: string): readonly string[] =>
    configOf(`${budget}${tool(lines)}`).warnings.filter((line) => line.startsWith('`bank.pay`'));

  verifies('CFG-21', 'name money whose fate only a person can find out', () => {
    expect(warnings('budget_param = "amount"')).toEqual([
      '`bank.pay` has a budget and no `reconcile`: when its outcome is unknown, only a person can settle it',
    ]);
    expect(warnings(`budget_param = "amount"\n${find}`)).toEqual([]);
    expect(warnings('')).toEqual([]);
    expect(warnings('budget_param = "amount"\neffect = "read"')).toEqual([]);
  });

  it('name values that count once and may be spelled in any way', () => {
    expect(warnings('once = ["invoice"]')).toEqual([
      '`bank.pay`: `invoice` counts once and may be spelled in any way: add `normalize`, `pattern` or sources',
    ]);
  });
});
