// The same random calls on the Python package and on our proxy. Runs where INTENTPLANE_PEERS names
// a Python that has intentplane-mcp 0.5.3; a CI run without it fails.
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements/verifies.ts';
import { type ObservedOutcome, type ProxyProgram, runCase } from './case-runner.ts';
import { type DrawnCall, type DrawnCase, drawCalls, drawnCases } from './random-calls.ts';

const python = process.env['INTENTPLANE_PEERS'];
const SEEDS = [1, 2];
const CALLS_PER_SEQUENCE = 60;
const SEQUENCE_TIME_MS = 120_000;

interface Pair {
  readonly call: DrawnCall;
  readonly python: ObservedOutcome;
  readonly ours: ObservedOutcome;
}

async function runBoth(drawn: DrawnCase, seed: number, pythonProxy: ProxyProgram): Promise<Pair[]> {
  const calls = drawCalls(drawn, { seed, count: CALLS_PER_SEQUENCE });
  const [theirs, ours] = await Promise.all([
    runCase({ base: drawn.base, proxy: pythonProxy }, calls),
    runCase({ base: drawn.base }, calls),
  ]);
  return calls.map((call, index) => ({
    call,
    python: theirs.outcomes[index] as ObservedOutcome,
    ours: ours.outcomes[index] as ObservedOutcome,
  }));
}

const visible = ({
  class: kind,
  downstreamTool,
  downstreamArguments,
}: ObservedOutcome): object => ({
  kind,
  downstreamTool,
  downstreamArguments,
});

/** The row of a deliberate difference that explains a pair, if there is one. */
function listedDifference(pair: Pair): string | undefined {
  if (pair.ours.class === 'error' && pair.ours.code === -32602) {
    return pair.python.fullText.includes('unknown tool') ? 'C58' : undefined;
  }
  const isRefused = pair.python.class === 'executed' && pair.ours.class === 'blocked';
  return isRefused && hasDoubledItem(pair.python.downstreamArguments) ? 'C54' : undefined;
}

function hasDoubledItem(sent: unknown): boolean {
  return Object.values(sent ?? {}).some(
    (value) => Array.isArray(value) && new Set(value).size < value.length,
  );
}

describe('random calls', () => {
  it('are the same for the same seed', () => {
    const [drawn] = drawnCases as readonly [DrawnCase];
    expect(drawCalls(drawn, { seed: 7, count: 50 })).toEqual(
      drawCalls(drawn, { seed: 7, count: 50 }),
    );
    expect(drawCalls(drawn, { seed: 7, count: 5 })).not.toEqual(
      drawCalls(drawn, { seed: 8, count: 5 }),
    );
  });

  it('are at least 500', () => {
    const total = drawnCases.length * SEEDS.length * CALLS_PER_SEQUENCE;
    expect(total).toBeGreaterThanOrEqual(500);
  });

  if (!python) {
    it.skipIf(!process.env['CI'])('need a Python that has intentplane-mcp', () => {
      expect.unreachable('set INTENTPLANE_PEERS to a Python that has intentplane-mcp 0.5.3');
    });
    return;
  }

  const pythonProxy = { command: python, args: ['-m', 'intentplane.proxy.server'] };
  const classes: string[] = [];

  async function compareSequence(drawn: DrawnCase, seed: number): Promise<void> {
    for (const pair of await runBoth(drawn, seed, pythonProxy)) {
      classes.push(pair.python.class);
      if (listedDifference(pair)) continue;
      const label = `seed ${seed}: ${JSON.stringify(pair.call)}: ${pair.ours.fullText}`;
      expect(visible(pair.ours), label).toEqual(visible(pair.python));
    }
  }

  for (const drawn of drawnCases) {
    const compareAll = async (): Promise<void> => {
      for (const seed of SEEDS) await compareSequence(drawn, seed);
    };
    verifies('C00', `on ${drawn.base} end on both proxies alike`, compareAll, SEQUENCE_TIME_MS);
  }

  it('reach both ends often', () => {
    const executed = classes.filter((each) => each === 'executed').length;
    expect(executed).toBeGreaterThan(150);
    expect(classes.length - executed).toBeGreaterThan(150);
  });
});
