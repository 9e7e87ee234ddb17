// Gateways whose disk fails: chosen calls that sync or write return an error while the gateway
// starts, pays and signs. What is left is judged as after a kill.
import { codeOf, textOf, World } from '../fixtures/product/world.ts';
import { bankServer, payTool, vendorIban } from '../fixtures/product/world-files.ts';
import type { RawClient } from '../fixtures/raw-client.ts';
import type { Break } from './chaos-break.ts';
import { checkReceipts } from './check-receipts.ts';
import { type FullDisk, fillDisks } from './io/full-disks.ts';
import {
  type FailedCall,
  type Fault,
  failedCalls,
  noTraceReason,
  startTraced,
} from './io/traced-gateway.ts';
import { judgePayments, nothingTold, readPayments, type Told } from './judge-payments.ts';
import { randomOf } from './random-of.ts';

export interface IoReport {
  readonly ok: boolean;
  /** Gateways of which at least one call failed. */
  readonly injections: number;
  readonly seed: number;
  /** `call error file` → how often that call failed. */
  readonly failedCalls: Readonly<Record<string, number>>;
  /** Code → how many calls of the client it answered. */
  readonly answers: Readonly<Record<string, number>>;
  /** Gateways that refused to start, that stopped by themselves, and that went on. */
  readonly refusedStarts: number;
  readonly stopped: number;
  readonly wentOn: number;
  readonly operations: number;
  readonly effects: number;
  readonly succeeded: number;
  readonly unknown: number;
  readonly receipts: number;
  readonly fullDisks: readonly FullDisk[];
  /** What could not be tried here, with the reason. */
  readonly leftOut: readonly string[];
  readonly problems: readonly string[];
}

export interface IoRun {
  readonly injections: number;
  readonly seed: number;
  /** Leaves out the disks that are filled for real. */
  readonly isInjectionOnly?: boolean;
  /** Changes what was recorded before it is judged: the judgement must notice. */
  readonly meddle?: (world: World) => void;
}

const worldsAtOnce = 2;
const perWorldMax = 50;
const lanes = 4;
const callsOfLane = 5;
const receiptsOf = 2;
const startMaxMs = 60_000;
const endMaxMs = 30_000;
const longInjections = 1_000;
const shortInjections = 50;

/** Injects until `injections` gateways met a failing call, at positions that follow from the seed. */
export async function ioLoop(run: IoRun): Promise<IoReport> {
  const reason = noTraceReason();
  const share = Math.ceil(run.injections / worldsAtOnce);
  const reports: WorldReport[] = [];
  const random = randomOf(run.seed);
  const lane = async (of: number): Promise<void> => {
    for (let left = of; left > 0; left -= perWorldMax) {
      reports.push(await failInWorld(Math.min(left, perWorldMax), run, random));
    }
  };
  if (reason === undefined) {
    await Promise.all([lane(share), lane(run.injections - share)]);
  }
  const fullDisks = run.isInjectionOnly === true ? [] : await fillDisks();
  return summarise(run, reports, { fullDisks, reason });
}

/** What became of one gateway. */
interface Failed {
  readonly calls: readonly FailedCall[];
  readonly end: 'refused' | 'stopped' | 'went on';
  readonly problems: readonly string[];
}

interface WorldReport extends Awaited<ReturnType<typeof judgePayments>> {
  readonly failed: readonly Failed[];
  readonly told: Told;
  readonly receipts: number;
}

async function failInWorld(count: number, run: IoRun, random: () => number): Promise<WorldReport> {
  const world = new World();
  world.configure({
    gateway: '[gateway]\nname = "failing"\ndata = "data"\nrate_limit = 1000000',
    servers: bankServer(world.effectsFile),
    mandate: '[mandate]\nprincipal = "maya"\nbudget = 9007199254740991',
    tools: payTool('duplicate_window = 0'),
  });
  const told = nothingTold();
  const failed: Failed[] = [];
  try {
    // Some positions are never reached: those gateways count for nothing.
    for (let tries = 0; failed.length < count && tries < 4 * count; tries += 1) {
      const one = await failOne(world, told, { fault: planFault(random), serial: tries });
      if (one.calls.length > 0 || one.problems.length > 0) failed.push(one);
    }
    // The recovery: a disk that works again.
    const problems: string[] = [];
    const client = await world.start();
    const code = await payOnce(client, 'recovered');
    told.codes.set('recovered', code);
    if (code !== 'executed') problems.push(`after the recovery a payment is ${code}`);
    await client.close();
    run.meddle?.(world);
    const sample = readPayments(world.path('data/store.db'))
      .filter(({ note }) => told.codes.get(note) === 'executed')
      .slice(-receiptsOf)
      .map(({ opId }) => opId);
    const receipts = await checkReceipts(world, sample);
    const judgement = await judgePayments(world, told);
    problems.push(...judgement.problems, ...receipts.problems);
    problems.push(...judgement.doubled.map((note) => `${note} was paid twice`));
    return { ...judgement, failed, told, receipts: receipts.receipts, problems };
  } finally {
    await world.discard();
  }
}

/** Positions up to which a gateway gets while it starts and pays. */
const positions = { fsync: 30, pwrite64: 400, rename: 3 } as const;

function planFault(random: () => number): Fault {
  const kinds = ['fsync', 'fsync', 'pwrite64', 'pwrite64', 'pwrite64', 'rename'] as const;
  const call = kinds[Math.floor(random() * kinds.length)] ?? 'fsync';
  return {
    call,
    error: call !== 'fsync' && random() < 0.5 ? 'ENOSPC' : 'EIO',
    at: 1 + Math.floor(random() * positions[call]),
    isLasting: random() < 0.5,
  };
}

async function failOne(
  world: World,
  told: Told,
  { fault, serial }: { readonly fault: Fault; readonly serial: number },
): Promise<Failed> {
  const client = startTraced(world, fault);
  const isReady = await becomeReady(client);
  if (isReady) await payOn(client, told, serial);
  // What fails from now on fails while it ends.
  const met = failedCalls(world);
  const mustStop = met.some(endsService);
  if (mustStop) await endsWithin(client, endMaxMs);
  const isGone = !client.isRunning;
  const { code, isForced, leftOver, problems } = await client.stop(endMaxMs);
  const name = `${fault.call} ${fault.error} at ${fault.at}${fault.isLasting ? '+' : ''}`;
  const words = client.stderr.slice(-400);
  return {
    calls: failedCalls(world),
    end: isReady ? (isGone ? 'stopped' : 'went on') : 'refused',
    problems: [
      ...problems.map((line) => `${name}: no protocol: ${line}`),
      ...leftOver.map(({ command }) => `${name}: left running: ${command}`),
      ...(isForced ? [`${name}: it did not end: ${words}`] : []),
      ...(mustStop && !isGone ? [`${name}: it went on after a failing disk: ${words}`] : []),
      ...(isGone && code !== 3 ? [`${name}: it ended with ${code}: ${words}`] : []),
      ...(isGone && !hasWords(client.stderr) ? [`${name}: it ended without a word: ${words}`] : []),
      ...wordless(client).map((text) => `${name}: a refusal that says nothing: ${text}`),
    ],
  };
}

/** An error of the disk under a commit, after which no cached page can be believed. */
const endsService = ({ call, error, file }: FailedCall): boolean =>
  error === 'EIO' && /^(?:fsync|fdatasync|pwrite64)$/.test(call) && file === 'store.db-wal';

/** Its last words name the store, the guard or the key, and what to do. */
const hasWords = (stderr: string): boolean =>
  /the store failed: stop, check the disk and start again|disk of the store is full: free some space|the (?:guard|folder|store) `[^`]+`|key file `[^`]+`/.test(
    stderr,
  );

/** Answers that refuse without a sentence. */
function wordless(client: RawClient): readonly string[] {
  return client.frames
    .filter((frame) => frame.result?.isError === true && textOf(frame).trim() === '')
    .map((frame) => JSON.stringify(frame).slice(0, 200));
}

async function becomeReady(client: RawClient): Promise<boolean> {
  try {
    await client.initialize();
    await client.request('tools/list', {}, startMaxMs);
    client.trackProcesses();
    return true;
  } catch {
    await client.exited;
    return false;
  }
}

async function payOn(client: RawClient, told: Told, serial: number): Promise<void> {
  const lane = async (name: number): Promise<void> => {
    for (let call = 0; call < callsOfLane; call += 1) {
      const note = `g${serial}-${name}-${call}`;
      const code = await payOnce(client, note).catch(() => undefined);
      if (code === undefined) return;
      told.codes.set(note, code);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, name) => lane(name)));
}

async function payOnce(client: RawClient, note: string): Promise<string | number> {
  const args = { recipient: vendorIban, amount: 1, note };
  return codeOf(await client.callTool('pay', args, startMaxMs));
}

async function endsWithin(client: RawClient, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([client.exited, late]);
  clearTimeout(timer);
}

function summarise(
  run: IoRun,
  reports: readonly WorldReport[],
  {
    fullDisks,
    reason,
  }: { readonly fullDisks: readonly FullDisk[]; readonly reason: string | undefined },
): IoReport {
  const sum = (of: (report: WorldReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const failed = reports.flatMap((report) => report.failed);
  const ended = (end: Failed['end']): number => failed.filter((each) => each.end === end).length;
  const leftOut = [
    ...(reason === undefined ? [] : [`injection: ${reason}`]),
    ...fullDisks.flatMap(({ leftOut: why, disk }) =>
      why === undefined ? [] : [`${disk}: ${why}`],
    ),
  ];
  const missing = reason === undefined ? run.injections - failed.length : 0;
  const problems = [
    ...failed.flatMap((each) => each.problems),
    ...reports.flatMap((report) => report.problems),
    ...fullDisks.flatMap(({ disk, problems: found }) => found.map((line) => `${disk}: ${line}`)),
    ...(missing > 0 ? [`${missing} gateways never met their failing call`] : []),
  ];
  return {
    ok: problems.length === 0,
    injections: failed.length,
    seed: run.seed,
    failedCalls: count(
      failed
        .flatMap(({ calls }) => calls)
        .map(({ call, error, file }) => `${call} ${error} ${file}`),
    ),
    answers: count(reports.flatMap(({ told }) => [...told.codes.values()].map(String))),
    refusedStarts: ended('refused'),
    stopped: ended('stopped'),
    wentOn: ended('went on'),
    operations: sum((report) => report.operations),
    effects: sum((report) => report.effects),
    succeeded: sum((report) => report.succeeded),
    unknown: sum((report) => report.unknown),
    receipts: sum((report) => report.receipts),
    fullDisks,
    leftOut,
    problems,
  };
}

function count(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** `npm run chaos -- io`. */
export const ioBreak: Break = async ({ isLong, seed, count: wanted }) => ({
  ...(await ioLoop({ injections: wanted ?? (isLong ? longInjections : shortInjections), seed })),
});
