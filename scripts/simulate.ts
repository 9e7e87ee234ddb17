// `npm run simulate -- [--seeds N] [--from SEED] [--json] | --trace SEED`: histories of gateways, stores, targets
// and people that follow from a seed, each judged by rules and by a second, obvious gateway.
import { parseArgs } from 'node:util';
import { runHistory } from '../test/simulator/run-history.ts';
import { runSeeds } from '../test/simulator/run-seeds.ts';

const usage = 'usage: npm run simulate -- [--seeds N] [--from SEED] [--json] | --trace SEED';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '0' },
    trace: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

if (values.trace === undefined) await runMany();
else await showOne(wholeNumber(values.trace));

async function runMany(): Promise<void> {
  const startedMs = performance.now();
  const range = { from: wholeNumber(values.from), count: wholeNumber(values.seeds) };
  const report = await runSeeds(range);
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  if (values.json) console.log(JSON.stringify({ ...report, seconds }));
  else {
    const { operations, effects, unknown, answers } = report.totals;
    console.log(
      `${report.histories} histories from seed ${report.from} in ${seconds} s: ${operations} operations, ${effects} effects, ${answers} answers, ${unknown} unknown at the end`,
    );
    for (const { seed, problems } of report.failures) {
      console.log(`  seed ${seed}`);
      for (const problem of problems) console.log(`    ${problem}`);
    }
    console.log(report.ok ? 'everything holds' : 'NOT everything holds');
  }
  process.exitCode = report.ok ? 0 : 1;
}

async function showOne(seed: number): Promise<void> {
  const { trace, problems } = await runHistory(seed);
  const ok = problems.length === 0;
  if (values.json) console.log(JSON.stringify({ ok, seed, problems, trace }));
  else
    for (const line of [...trace, ...problems, ok ? 'everything holds' : 'NOT everything holds'])
      console.log(line);
  process.exitCode = ok ? 0 : 1;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  console.error(`\`${text}\` is no whole number\n${usage}`);
  process.exit(2);
}
