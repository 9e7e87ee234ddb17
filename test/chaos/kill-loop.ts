// Real gateways are killed over and over while they pay, at random and at every named point;
// afterwards their stores, what the bank did and what callers were told are laid beside each other.
import { World } from '../fixtures/product/world.ts';
import { bankServer, passcodeTable, payTool } from '../fixtures/product/world-files.ts';
import type { Break } from './chaos-break.ts';
import { checkReceipts } from './check-receipts.ts';
import { judgePayments, readPayments } from './judge-payments.ts';
import { type KillPoint, killPointNames, killPoints } from './kill/kill-points.ts';
import { type Death, type Killed, killOne } from './kill/victim.ts';
import { Payer } from './payer.ts';
import { randomOf } from './random-of.ts';

export interface KillReport {
  readonly ok: boolean;
  readonly kills: number;
  readonly seed: number;
  /** How many processes died at each named point; the others died at random moments. */
  readonly points: Readonly<Record<KillPoint, number>>;
  readonly atRandom: number;
  readonly operations: number;
  readonly effects: number;
  readonly succeeded: number;
  readonly unknown: number;
  /** Receipts that were exported and checked offline. */
  readonly receipts: number;
  /** Payments that the bank executed more than once. */
  readonly doubled: readonly string[];
  readonly problems: readonly string[];
  /** From spawn to the first answers. */
  readonly slowestStartS: number;
}

export interface KillRun {
  readonly kills: number;
  readonly seed: number;
  /** Instead of those that follow from the seed. */
  readonly deaths?: readonly Death[];
  /** Changes what was recorded before it is judged: the judgement must notice. */
  readonly meddle?: (world: World) => void;
}

/** Gateways that live and die beside each other, each on a world of its own. */
const worldsAtOnce = 2;
/** A world is judged after so many kills, and the next one begins. */
const killsPerWorldMax = 500;
/** Operations of each world whose receipts are checked. */
const receiptsOf = 3;
const momentMaxMs = { spawn: 900, answer: 250 } as const;
const startMaxS = 5;
const longKills = 10_000;
const shortKills = 300;

/** Kills `kills` processes at points and moments that follow from the seed. */
export async function killLoop(run: KillRun): Promise<KillReport> {
  const deaths = [...(run.deaths ?? planDeaths(run))];
  const reports: WorldReport[] = [];
  const share = Math.ceil(deaths.length / worldsAtOnce);
  const size = Math.min(killsPerWorldMax, share);
  const lane = async (): Promise<void> => {
    while (deaths.length > 0) reports.push(await killInWorld(deaths.splice(0, size), run));
  };
  await Promise.all(Array.from({ length: worldsAtOnce }, lane));
  return summarise(run, reports);
}

/** Half of them at random, half through all points in turn. */
function planDeaths({ kills, seed }: KillRun): Death[] {
  const random = randomOf(seed);
  return Array.from({ length: kills }, (_, index): Death => {
    if (index % 2 === 0) {
      const from = random() < 0.2 ? 'spawn' : 'answer';
      return { kind: 'moment', from, ms: random() * momentMaxMs[from] };
    }
    const point = killPointNames[((index - 1) / 2) % killPointNames.length] as KillPoint;
    return { kind: 'point', point, at: 1 + Math.floor(random() * killPoints[point]) };
  });
}

interface WorldReport extends Awaited<ReturnType<typeof judgePayments>> {
  readonly killed: readonly Killed[];
  readonly receipts: number;
}

async function killInWorld(deaths: readonly Death[], run: KillRun): Promise<WorldReport> {
  const world = new World({ approvals: await passcodeTable() });
  world.configure({
    gateway: '[gateway]\nname = "killed"\ndata = "data"\nrate_limit = 1000000',
    servers: bankServer(world.effectsFile, ['--delay', '30']),
    mandate: '[mandate]\nprincipal = "maya"\nbudget = 9007199254740991',
    tools: payTool('duplicate_window = 0'),
    approvals: await passcodeTable(),
  });
  const payer = new Payer();
  try {
    const killed: Killed[] = [];
    for (const death of deaths) killed.push(await killOne(world, payer, death));
    // The last one only settles what the one before it left.
    await (await world.start()).close();
    const acknowledged = readPayments(world.path('data/store.db')).filter(
      ({ note }) => payer.told.codes.get(note) === 'executed',
    );
    const step = Math.max(1, Math.floor(acknowledged.length / receiptsOf));
    const sample = acknowledged.filter((_, index) => index % step === 0).slice(0, receiptsOf);
    run.meddle?.(world);
    const receipts = await checkReceipts(
      world,
      sample.map(({ opId }) => opId),
    );
    const judgement = await judgePayments(world, payer.told);
    const problems = [...judgement.problems, ...receipts.problems];
    return { ...judgement, killed, receipts: receipts.receipts, problems };
  } finally {
    await world.discard();
  }
}

function summarise({ kills, seed }: KillRun, reports: readonly WorldReport[]): KillReport {
  const sum = (of: (report: WorldReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const killed = reports.flatMap((report) => report.killed);
  const points = countPoints(killed);
  const doubled = reports.flatMap((report) => report.doubled);
  const problems = [
    ...killed.flatMap((each) => each.problems),
    ...reports.flatMap((report) => report.problems),
    // A run that is too short to come to every point proves nothing about it.
    ...(kills < 2 * killPointNames.length ? [] : neverPassed(killed)),
  ];
  return {
    ok: doubled.length === 0 && problems.length === 0,
    kills: killed.length,
    seed,
    points,
    atRandom: killed.filter(({ point }) => point === undefined).length,
    operations: sum((report) => report.operations),
    effects: sum((report) => report.effects),
    succeeded: sum((report) => report.succeeded),
    unknown: sum((report) => report.unknown),
    receipts: sum((report) => report.receipts),
    doubled,
    problems,
    slowestStartS: Math.max(0, ...killed.map(({ startMs }) => (startMs ?? 0) / 1_000)),
  };
}

function countPoints(killed: readonly Killed[]): Readonly<Record<KillPoint, number>> {
  const counts = Object.fromEntries(killPointNames.map((name) => [name, 0]));
  for (const { point } of killed) if (point !== undefined) counts[point] = (counts[point] ?? 0) + 1;
  return counts as Record<KillPoint, number>;
}

/** Every point must have been the last thing of some process. */
export function neverPassed(killed: readonly Killed[]): readonly string[] {
  return killPointNames
    .filter((name) => killed.every(({ point }) => point !== name))
    .map((name) => `no process ever died at ${name}`);
}

/** Whether the starts were fast enough, apart from what holds. */
export const isStartFast = ({ slowestStartS }: Pick<KillReport, 'slowestStartS'>): boolean =>
  slowestStartS < startMaxS;

/** `npm run chaos -- kill`. */
export const killBreak: Break = async ({ isLong, seed, count }) => {
  const report = await killLoop({ kills: count ?? (isLong ? longKills : shortKills), seed });
  return { ...report, ok: report.ok && (!isLong || isStartFast(report)) };
};
