import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import type { KeyPath } from './key-path.ts';
import { locateKeys } from './toml-lines.ts';

const lineOf = (text: string, ...path: KeyPath): number | undefined =>
  locateKeys(text).lineOf(path);

const file = `# a comment with [brackets] and key = 1
top = 1

[gateway]   # the gateway
name = "x [not.a.table] # no comment"
log.level = "info"

[registries."my.vendors".fields.'iban no']
normalize = "iban"

[[servers]]
name = 'bank'
args = [
  "a", # one
  # nothing
  "b]",
  { k = 1, "l" = [2,
     3] },
]
env = { A = "1", "B.C" = "2" }

[[tools]]
tool = "first"
[tools.params.to]
critical = true
[[tools.steps]]
a = 1
[[tools.steps]]
b = 1

[[tools]]
tool = "second"
[tools.params.amount]
text = """
[fake]
fake = 1 \\""" still
""""
scale = 100
raw = '''
[fake.too]
x = 1'''
[[tools.steps]]
c = 1
`;

describe('locateKeys', () => {
  it('finds keys of tables, dotted keys and headers', () => {
    expect(lineOf(file, 'top')).toBe(2);
    expect(lineOf(file, 'gateway')).toBe(4);
    expect(lineOf(file, 'gateway', 'name')).toBe(5);
    expect(lineOf(file, 'gateway', 'log', 'level')).toBe(6);
    expect(lineOf(file, 'gateway', 'log')).toBe(6);
  });

  it('finds quoted keys, dots and all', () => {
    expect(lineOf(file, 'registries', 'my.vendors', 'fields', 'iban no', 'normalize')).toBe(9);
    expect(lineOf(file, 'registries', 'my.vendors')).toBe(8);
    expect(lineOf(file, 'servers', 0, 'env', 'B.C')).toBe(20);
    expect(lineOf('"\\u0061\\"b" = 1', 'a"b')).toBe(1);
    expect(lineOf('"bad \\U0001F600" = 1\nx = 2', 'x')).toBe(2);
  });

  it('finds the entries of lists of tables, also of lists inside them', () => {
    expect(lineOf(file, 'tools', 0, 'tool')).toBe(23);
    expect(lineOf(file, 'tools', 1, 'tool')).toBe(32);
    expect(lineOf(file, 'tools', 1)).toBe(31);
    expect(lineOf(file, 'tools', 0, 'params', 'to', 'critical')).toBe(25);
    expect(lineOf(file, 'tools', 0, 'steps', 1, 'b')).toBe(29);
    expect(lineOf(file, 'tools', 1, 'steps', 0, 'c')).toBe(43);
  });

  it('finds the items of lists over several lines, and inline tables in them', () => {
    expect(lineOf(file, 'servers', 0, 'args')).toBe(13);
    expect(lineOf(file, 'servers', 0, 'args', 0)).toBe(14);
    expect(lineOf(file, 'servers', 0, 'args', 1)).toBe(16);
    expect(lineOf(file, 'servers', 0, 'args', 2, 'k')).toBe(17);
    expect(lineOf(file, 'servers', 0, 'args', 2, 'l', 1)).toBe(18);
  });

  it('reads nothing inside texts over several lines', () => {
    expect(lineOf(file, 'tools', 1, 'params', 'amount', 'scale')).toBe(38);
    expect(lineOf(file, 'tools', 1, 'params', 'amount', 'raw')).toBe(39);
    expect(lineOf(file, 'fake')).toBeUndefined();
    expect(lineOf(file, 'tools', 1, 'params', 'amount', 'fake')).toBe(33);
  });

  it('gives the nearest table for a key that is not there', () => {
    expect(lineOf(file, 'gateway', 'data')).toBe(4);
    expect(lineOf(file, 'tools', 1, 'params', 'amount', 'min')).toBe(33);
    expect(lineOf(file, 'tools', 7, 'tool')).toBe(22);
    expect(lineOf(file, 'nowhere')).toBeUndefined();
    expect(lineOf(file)).toBeUndefined();
  });

  it('reads files with CR LF and without a last line end', () => {
    expect(lineOf('a = 1\r\n[b]\r\nc = "x"', 'b', 'c')).toBe(3);
    expect(lineOf('a = 1979-05-27 07:32:00 # day\nb = 2', 'b')).toBe(2);
    expect(lineOf("a = ''\nb = \"\"\nc = ''''''\nd = 1", 'd')).toBe(4);
  });

  it('ends on any text, also one that is no TOML', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]{}"\'=.,# \n\\ab1') }), (text) => {
        locateKeys(text);
      }),
      { numRuns: 3_000 },
    );
    for (const text of ['[', '[[', 'a = [', 'a = {', 'a = """', '= 1', '"', ']', 'a = [1 2']) {
      expect(lineOf(text, 'zzz')).toBeUndefined();
    }
  });

  it('finds a line for every key that the parser finds', () => {
    const name = fc.string({ unit: fc.constantFrom(...'ab-_1'), minLength: 1, maxLength: 3 });
    const value = fc.constantFrom(
      '1',
      '"x # y"',
      "'''a\nb'''",
      '[1,\n2]',
      '{ k = 1 }',
      '"""\n"x"\n"""',
    );
    const line = fc.tuple(name, value).map(([key, text]) => `${key} = ${text}`);
    const header = fc.tuple(fc.boolean(), fc.array(name, { minLength: 1, maxLength: 3 }));
    const section = fc
      .tuple(header, fc.array(line, { maxLength: 3 }))
      .map(([[isList, keys], lines]) => {
        const inner = keys.join('.');
        return [isList ? `[[${inner}]]` : `[${inner}]`, ...lines].join('\n');
      });
    let checked = 0;
    fc.assert(
      fc.property(fc.array(section, { maxLength: 5 }), (sections) => {
        const text = sections.join('\n# x = 1\n');
        let document: unknown;
        try {
          document = parse(text);
        } catch {
          return;
        }
        checked += 1;
        const lines = locateKeys(text);
        for (const path of pathsOf(document)) {
          const found = lines.lineOf(path);
          expect(found, JSON.stringify(path)).toBeDefined();
          const last = path.findLast((step) => typeof step === 'string') ?? '';
          expect(text.split('\n')[(found ?? 0) - 1], JSON.stringify(path)).toContain(
            typeof path.at(-1) === 'string' ? last : '',
          );
        }
      }),
      { numRuns: 2_000 },
    );
    expect(checked).toBeGreaterThan(200);
  });
});

function pathsOf(value: unknown, path: KeyPath = []): readonly KeyPath[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [path];
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : Object.entries(value);
  const inner = entries.flatMap(([step, member]) => pathsOf(member, [...path, step]));
  return path.length === 0 ? inner : [path, ...inner];
}
