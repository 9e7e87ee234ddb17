// Usage: run-vectors.ts [--json]: runs both verifiers over test/vectors/receipts. Exit code 0 when
// both say of every vector what it expects, 1 when not, 2 when the second one cannot be run.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type Comparison,
  compareVerifiers,
  type Disagreement,
} from './receipt-vectors/compare-verifiers.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

async function main(): Promise<number> {
  const others = process.argv.slice(2).filter((word) => word !== '--json');
  if (others.length > 0) return refuse(`unknown word \`${others[0]}\`: only --json is known`);
  const local = pathOf('../.venv-peers/bin/python');
  const named = process.env['INTENTPLANE_PEERS'];
  const python = named ? named : local;
  if (!existsSync(python)) {
    const what = named ? `INTENTPLANE_PEERS names \`${named}\`, which is missing` : 'no Python';
    return refuse(`${what}: run scripts/python-peers.sh once, or set INTENTPLANE_PEERS`);
  }
  try {
    return print(await compareVerifiers(python, pathOf('../test/vectors/receipts')));
  } catch (error) {
    // The peers may be older than the pins: the script installs them again.
    return refuse(`${(error as Error).message}; scripts/python-peers.sh installs what it needs`);
  }
}

function refuse(message: string): number {
  console.error(message);
  return 2;
}

function print(comparison: Comparison): number {
  if (process.argv.includes('--json')) console.log(JSON.stringify(comparison));
  else {
    for (const each of comparison.disagreements) console.log(describe(each));
    const { agreeing, vectors } = comparison;
    console.log(`${agreeing} of ${vectors} vectors: both verifiers say what is expected`);
  }
  return comparison.ok ? 0 : 1;
}

function describe({ vector, ours, python, expect }: Disagreement): string {
  const text = (answer: typeof python): string => JSON.stringify(answer) ?? 'nothing';
  return `${vector}: ours ${text(ours)}, python ${text(python)}, expected ${text(expect)}`;
}

process.exitCode = await main();
