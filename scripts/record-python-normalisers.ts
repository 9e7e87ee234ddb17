// Records what the normalisers of the Python package intentplane 0.5.3 answer for ASCII texts, as
// test/vectors/compat/normalisers.json, which is checked in.
//
//   node scripts/record-python-normalisers.ts <python that has intentplane 0.5.3>
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const program = `
import json, sys
from importlib.metadata import version
from intentplane.proxy.gate import NORMALIZERS
rows = []
for name, raw in json.load(sys.stdin):
    try:
        rows.append([name, raw, NORMALIZERS[name](raw)])
    except ValueError:
        rows.append([name, raw, None])
json.dump({"version": version("intentplane"), "rows": rows}, sys.stdout)
`;

let state = 20_260_314;
/** A small generator with a fixed seed: the same cases in every run. */
function below(limit: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}
const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;

const ibans = [
  'DE89370400440532013000',
  'GB29NWBK60161331926819',
  'FR1420041010050500013M02606',
  'NL91ABNA0417164300',
  'AT611904300234573201',
  'US133000000121212121212',
  'UK12345678901234567890',
];
const emails = [
  'anna.smith@good.com',
  'Billing@Acme-Parts.co.uk',
  'o_neil+tag@mail.example',
  'a(comment)@b.com',
  'x@[1.2.3.4]',
  'Anna <anna@good.com>',
  'no-at-sign',
];
const words = ['main', 'Release/1.2', 'Acme Corp', 'refs/heads/main', 'A-1', '', 'HELLO world'];
const spaces = [
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '\u000b',
  '\u000c',
  '\u001c',
  '\u001d',
  '\u001e',
  '\u001f',
];

function vary(text: string): string {
  let varied = text;
  for (let changes = below(4); changes > 0; changes -= 1) {
    const at = below(varied.length + 1);
    const changed = [
      () => pick(spaces) + varied,
      () => varied + pick(spaces),
      () => varied.slice(0, at) + pick(spaces) + varied.slice(at),
      () => varied.toLowerCase(),
      () => varied.toUpperCase(),
      () => varied.replace(/.{4}/g, '$& '),
      () => varied.slice(0, at) + String.fromCharCode(below(128)) + varied.slice(at),
      () => varied.slice(0, at) + varied.slice(at + 1),
    ];
    varied = pick(changed)();
  }
  return varied;
}

const everyAscii = Array.from({ length: 128 }, (_, unit) => String.fromCharCode(unit));
const around = (text: string): string[] =>
  everyAscii.flatMap((unit) => [unit + text, text.slice(0, 2) + unit + text.slice(2), text + unit]);
const cases: [string, string][] = [];
for (const [name, seeds] of [
  ['iban', ibans],
  ['email', emails],
  ['lower', words],
] as const) {
  for (const raw of around(seeds[0] as string)) cases.push([name, raw]);
  for (let n = 0; n < 700; n += 1) cases.push([name, vary(pick(seeds))]);
}
const unique = [...new Map(cases.map((each) => [JSON.stringify(each), each])).values()];

const run = spawnSync(process.argv[2] ?? 'python3', ['-c', program], {
  input: JSON.stringify(unique),
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (run.status !== 0) throw new Error(run.stderr);
const { version, rows } = JSON.parse(run.stdout) as { version: string; rows: unknown[] };
const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n');
writeFileSync(
  new URL('../test/vectors/compat/normalisers.json', import.meta.url),
  `{\n  "package": "intentplane ${version}",\n  "columns": ["normaliser", "raw", "canonical"],\n  "rows": [\n${lines}\n  ]\n}\n`,
);
console.log(`${rows.length} rows`);
