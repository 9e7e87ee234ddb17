// `npm run chaos -- BREAK [--short|--long] [--count N] [--seed N] [--json]`: breaks the product on
// purpose and looks what is left.
import { parseArgs } from 'node:util';
import { budgetBreak } from '../test/chaos/budget-load.ts';
import type { Break, BreakReport } from '../test/chaos/chaos-break.ts';
import { ioBreak } from '../test/chaos/io-loop.ts';
import { killBreak } from '../test/chaos/kill-loop.ts';
import { postgresBreak } from '../test/chaos/postgres-loop.ts';
import { processesBreak } from '../test/chaos/processes-loop.ts';
import { tamperBreak } from '../test/chaos/tamper-all.ts';

const breaks: Readonly<Record<string, Break>> = {
  kill: killBreak,
  io: ioBreak,
  postgres: postgresBreak,
  budget: budgetBreak,
  processes: processesBreak,
  tamper: tamperBreak,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean' },
    long: { type: 'boolean' },
    seed: { type: 'string' },
    count: { type: 'string' },
    json: { type: 'boolean' },
  },
});
const name = positionals[0] ?? '';
const run = breaks[name];
if (run === undefined || positionals.length > 1) {
  const names = Object.keys(breaks).join('|');
  console.error(
    `usage: npm run chaos -- ${names} [--short|--long] [--count N] [--seed N] [--json]`,
  );
  process.exit(2);
}
const startedMs = performance.now();
const isLong = values.long === true;
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const count = values.count === undefined ? undefined : Number(values.count);
const found: BreakReport = await run({ isLong, seed, count });
const durationS = Math.round((performance.now() - startedMs) / 100) / 10;
const report = { break: name, form: isLong ? 'long' : 'short', seed, durationS, ...found };
if (values.json === true) console.log(JSON.stringify(report));
else {
  const { problems, ...figures } = report;
  for (const [figure, value] of Object.entries(figures)) {
    console.log(`${figure}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  }
  for (const problem of problems) console.log(`  ${problem}`);
  console.log(report.ok ? 'everything holds' : 'NOT everything holds');
}
process.exit(report.ok ? 0 : 1);
