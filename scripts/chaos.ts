// `npm run chaos -- kill [--short|--long] [--seed N] [--json]`: breaks the product on purpose and looks what is left.
import { parseArgs } from 'node:util';
import { isStartFast, killLoop } from '../test/chaos/kill-loop.ts';

const kills = { short: 300, long: 10_000 } as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean' },
    long: { type: 'boolean' },
    seed: { type: 'string' },
    kills: { type: 'string' },
    json: { type: 'boolean' },
  },
});
if (positionals[0] !== 'kill') {
  console.error('usage: npm run chaos -- kill [--short|--long] [--kills N] [--seed N] [--json]');
  process.exit(2);
}
const count = Number(values.kills ?? (values.long === true ? kills.long : kills.short));
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const report = await killLoop({ kills: count, seed });
const ok = report.ok && isStartFast(report);
if (values.json === true) console.log(JSON.stringify({ ...report, ok }));
else {
  console.log(
    `${report.kills} kills (seed ${seed}): ${report.operations} operations, ${report.effects} effects, ${report.succeeded} succeeded, ${report.unknown} unknown, slowest start ${report.slowestStartS.toFixed(2)} s`,
  );
  for (const note of report.doubled) console.log(`  executed twice: ${note}`);
  for (const problem of report.problems) console.log(`  ${problem}`);
  console.log(ok ? 'everything holds' : 'NOT everything holds');
}
process.exit(ok ? 0 : 1);
