// Several real proxies pay through one store while one of them is killed again and again; afterwards
// the store, what the bank really did and what the callers were told are laid beside each other.
import { Cluster } from '../fixtures/postgres/cluster.ts';
import { randomOf } from '../fixtures/random-of.ts';
import type { Break, BreakReport } from './chaos-break.ts';
import { countOf } from './compare-payments.ts';
import { longestStarvation, type Working } from './longest-starvation.ts';
import { PayingProxy } from './paying-proxy.ts';
import { PaymentsWorld } from './payments-world.ts';

export interface ProcessesReport extends BreakReport {
  readonly processes: number;
  readonly kills: number;
  readonly operations: number;
  readonly effects: number;
  readonly succeeded: number;
  readonly unknown: number;
  /** Longest time without a payment of one process while others paid. */
  readonly longestStarvationS: number;
  readonly slowestStartS: number;
}

export interface ProcessesRun {
  readonly kind: 'sqlite' | 'postgres';
  /** One kill each second. */
  readonly seconds: number;
  readonly seed: number;
  /** Changes what was recorded before it is judged: the judgement must notice. */
  readonly meddle?: (world: PaymentsWorld) => void | Promise<void>;
}

const processesOf = { sqlite: 4, postgres: 3 } as const;
const callers = 4;
const killEveryMs = 1_000;
const starvationMaxS = 1;

export async function processesLoop(run: ProcessesRun): Promise<ProcessesReport> {
  const cluster = run.kind === 'postgres' ? await Cluster.start() : undefined;
  const payments = new PaymentsWorld(cluster?.url('postgres'));
  try {
    await payments.prepare();
    const proxies = Array.from(
      { length: processesOf[run.kind] },
      (_, at) => new PayingProxy(payments.world, { name: `p${at}`, callers }),
    );
    const fleet = new Fleet(proxies, randomOf(run.seed));
    await fleet.start();
    await fleet.killFor(run.seconds);
    const ended = await fleet.close();
    const acknowledged = proxies.flatMap((each) => each.acknowledged);
    const { problems, recorded, effects } = await payments.judge(acknowledged, run.meddle);
    const all = [...ended, ...problems];
    return {
      ok: all.length === 0,
      processes: proxies.length,
      kills: fleet.kills,
      operations: recorded.states.size,
      effects,
      succeeded: countOf(recorded.states, 'SUCCEEDED'),
      unknown: countOf(recorded.states, 'UNKNOWN'),
      longestStarvationS: longestStarvation(fleet.worked) / 1_000,
      slowestStartS: fleet.slowestStartS,
      problems: all,
    };
  } finally {
    await payments.world.discard();
    await cluster?.remove();
  }
}

class Fleet {
  readonly #proxies: readonly PayingProxy[];
  readonly #random: () => number;
  /** Those that serve now, and since when. */
  readonly #startedMs = new Map<PayingProxy, number>();
  readonly #restarts: Promise<void>[] = [];
  /** When each process served, and what it paid. */
  readonly worked: Working[] = [];
  kills = 0;
  slowestStartS = 0;

  constructor(proxies: readonly PayingProxy[], random: () => number) {
    this.#proxies = proxies;
    this.#random = random;
  }

  async start(): Promise<void> {
    await Promise.all(this.#proxies.map((each) => this.#startOne(each)));
  }

  /** Somebody always serves: a victim is one of several that do. */
  async killFor(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await new Promise((resolve) => setTimeout(resolve, killEveryMs));
      const serving = [...this.#startedMs.keys()];
      const victim = serving[Math.floor(this.#random() * serving.length)];
      if (serving.length < 2 || victim === undefined) continue;
      this.#note(victim);
      this.kills += 1;
      this.#restarts.push(victim.kill().then(() => this.#startOne(victim)));
    }
    await Promise.all(this.#restarts);
  }

  /** Those that had ended by themselves, one line each. */
  async close(): Promise<readonly string[]> {
    const gone = this.#proxies.filter((each) => !each.isRunning);
    for (const each of this.#proxies) this.#note(each);
    await Promise.all(this.#proxies.map((each) => (each.isRunning ? each.close() : each.kill())));
    return gone.map(({ name, stderr }) => `${name} ended by itself: ${stderr.slice(-500)}`);
  }

  async #startOne(proxy: PayingProxy): Promise<void> {
    this.slowestStartS = Math.max(this.slowestStartS, await proxy.start());
    this.#startedMs.set(proxy, performance.now());
  }

  #note(proxy: PayingProxy): void {
    const fromMs = this.#startedMs.get(proxy) ?? 0;
    this.#startedMs.delete(proxy);
    const paidMs = proxy.paid.map(({ answeredMs }) => answeredMs);
    this.worked.push({ fromMs, toMs: performance.now(), paidMs });
  }
}

/** Whether nobody was kept waiting for long, apart from what holds. */
const isFair = ({ longestStarvationS }: ProcessesReport): boolean =>
  longestStarvationS < starvationMaxS;

/** `npm run chaos -- processes`: `--count` is the seconds on each store. */
export const processesBreak: Break = async ({ isLong, seed, count }) => {
  const seconds = count ?? (isLong ? 600 : 30);
  const sqlite = await processesLoop({ kind: 'sqlite', seconds, seed });
  const postgres = await processesLoop({ kind: 'postgres', seconds, seed });
  const problems = [
    ...sqlite.problems.map((line) => `SQLite: ${line}`),
    ...postgres.problems.map((line) => `PostgreSQL: ${line}`),
  ];
  const figures = ({ problems: _problems, ok: _ok, ...rest }: ProcessesReport): object => rest;
  return {
    ok: problems.length === 0 && (!isLong || isFair(sqlite)),
    secondsEach: seconds,
    sqlite: figures(sqlite),
    postgres: figures(postgres),
    problems,
  };
};
