// `npm run bench -- <name> [--json]`: one benchmark, its baseline in the same run, on the built package.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machineShare, readMachine } from './machine.ts';
import { type BenchReport, printReport } from './report.ts';

const names = [
  'commit',
  'decide',
  'execute',
  'proxy',
  'start',
  'memory',
  'lookup',
  'verify',
  'recover',
] as const;
type BenchName = (typeof names)[number];

const [name, ...rest] = process.argv.slice(2);
const isKnown = (word: string | undefined): word is BenchName => names.includes(word as BenchName);

if (!isKnown(name)) {
  console.error(`usage: npm run bench -- <${names.join('|')}> [--json]`);
  process.exit(2);
}
if (!existsSync(fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)))) {
  console.error('dist is missing: run `npm run build` first');
  process.exit(3);
}

const before = machineShare();
const module_ = (await import(`./${name}.ts`)) as {
  run(options: readonly string[]): Promise<BenchReport>;
};
const report = await module_.run(rest.filter((word) => word !== '--json'));
const machine = readMachine(before);
printReport({ name, ...report, machine }, rest.includes('--json'));
process.exitCode = report.rows.every((row) => row.ok !== false) ? 0 : 1;
process.exit();
