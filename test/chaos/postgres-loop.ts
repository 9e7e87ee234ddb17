// Two real proxies pay through one real PostgreSQL that is broken over and over; afterwards its
// store, what the bank really did and what the callers were told are laid beside each other.
import { Cluster } from '../fixtures/postgres/cluster.ts';
import { CommitProxy } from '../fixtures/postgres/commit-proxy.ts';
import { randomOf } from '../fixtures/random-of.ts';
import type { Break, BreakReport } from './chaos-break.ts';
import { countOf } from './compare-payments.ts';
import { PayingProxy } from './paying-proxy.ts';
import { PaymentsWorld } from './payments-world.ts';
import { type BreakPlace, chooseBreaks } from './postgres-breaks.ts';

export interface PostgresReport extends BreakReport {
  readonly breaks: number;
  /** How often each way of breaking it was taken. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly operations: number;
  readonly effects: number;
  readonly succeeded: number;
  readonly unknown: number;
  /** Longest time from the end of a break until every gateway paid again; of each kind, and of all. */
  readonly backS: Readonly<Record<string, number>>;
  readonly slowestBackS: number;
}

const proxies = 2;
const callers = 8;
/** Between two breaks the gateways pay for up to this long. */
const quietMaxMs = 250;
const backMaxS = 5;
/** Longer than this is no recovery. */
const backWaitMs = 45_000;

export async function postgresLoop({
  breaks,
  seed,
  meddle,
}: {
  readonly breaks: number;
  readonly seed: number;
  /** Changes what was recorded before it is judged: the judgement must notice. */
  readonly meddle?: (world: PaymentsWorld) => void | Promise<void>;
}): Promise<PostgresReport> {
  const cluster = await Cluster.start();
  const url = cluster.url('postgres');
  const payments = new PaymentsWorld(url);
  const ways: CommitProxy[] = [];
  try {
    await payments.prepare();
    const gateways: PayingProxy[] = [];
    for (let at = 0; at < proxies; at += 1) {
      const way = await CommitProxy.open(cluster.port);
      ways.push(way);
      const configFile = payments.configFor(`gateway-${at}`, way.url(url));
      gateways.push(new PayingProxy(payments.world, { name: `g${at}`, callers, configFile }));
    }
    for (const gateway of gateways) await gateway.start();
    const place: BreakPlace = { cluster, url, ways, random: randomOf(seed) };
    const broken = await breakOver({ breaks, place, gateways });
    // Whoever has ended already cannot be asked to end.
    await Promise.all(gateways.map((each) => (each.isRunning ? each.close() : each.kill())));
    const acknowledged = gateways.flatMap((each) => each.acknowledged);
    const { problems, recorded, effects } = await payments.judge(acknowledged, meddle);
    const all = [...broken.problems, ...problems];
    return {
      ok: all.length === 0,
      breaks,
      kinds: broken.kinds,
      operations: recorded.states.size,
      effects,
      succeeded: countOf(recorded.states, 'SUCCEEDED'),
      unknown: countOf(recorded.states, 'UNKNOWN'),
      backS: broken.backS,
      slowestBackS: Math.max(0, ...Object.values(broken.backS)),
      problems: all,
    };
  } finally {
    await payments.world.discard();
    for (const way of ways) await way.close();
    await cluster.remove();
  }
}

interface Broken {
  readonly kinds: Readonly<Record<string, number>>;
  readonly backS: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** Stops at the first gateway that does not come back. */
async function breakOver(run: {
  readonly breaks: number;
  readonly place: BreakPlace;
  readonly gateways: readonly PayingProxy[];
}): Promise<Broken> {
  const { random } = run.place;
  const kinds: Record<string, number> = {};
  const backS: Record<string, number> = {};
  for (const each of chooseBreaks(run.breaks, random)) {
    await new Promise((resolve) => setTimeout(resolve, random() * quietMaxMs));
    await each.run(run.place);
    kinds[each.name] = (kinds[each.name] ?? 0) + 1;
    const endedMs = performance.now();
    const late = await notBack(run.gateways);
    const tookS = Math.round(performance.now() - endedMs) / 1_000;
    backS[each.name] = Math.max(backS[each.name] ?? 0, tookS);
    if (late.length === 0) continue;
    const problems = late.map(
      ({ name, stderr }) =>
        `after \`${each.name}\` ${name} never paid again: ${stderr.slice(-500)}`,
    );
    return { kinds, backS, problems };
  }
  return { kinds, backS, problems: [] };
}

/** Those that do not pay again in time. */
async function notBack(gateways: readonly PayingProxy[]): Promise<readonly PayingProxy[]> {
  const late = new Set(gateways);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, backWaitMs);
  });
  const paid = gateways.map(async (gateway) => {
    await gateway.untilPaid();
    late.delete(gateway);
  });
  await Promise.race([Promise.all(paid), timeout]);
  clearTimeout(timer);
  return [...late];
}

/** Whether every gateway served again soon enough, apart from what holds. */
const isBackInTime = ({ slowestBackS }: PostgresReport): boolean => slowestBackS < backMaxS;

/** `npm run chaos -- postgres`. */
export const postgresBreak: Break = async ({ isLong, seed, count }) => {
  const report = await postgresLoop({ breaks: count ?? (isLong ? 1_000 : 50), seed });
  return { ...report, ok: report.ok && (!isLong || isBackInTime(report)) };
};
