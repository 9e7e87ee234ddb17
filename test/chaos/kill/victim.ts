// One gateway that is going to be killed: by its own hand at a named point, or from outside.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runProgram, type World } from '../../fixtures/product/world.ts';
import { mainPath, ownerPasscode } from '../../fixtures/product/world-files.ts';
import { RawClient } from '../../fixtures/raw-client.ts';
import { effectsByNote, readPayments } from '../judge-payments.ts';
import type { Payer } from '../payer.ts';
import { type KillPoint, killEnvironment } from './kill-points.ts';

/** When a process dies. */
export type Death =
  | { readonly kind: 'point'; readonly point: KillPoint; readonly at: number }
  /** Milliseconds after it was spawned, or after it answered for the first time. */
  | { readonly kind: 'moment'; readonly from: 'spawn' | 'answer'; readonly ms: number };

export interface Killed {
  /** The point at which the process says that it died. */
  readonly point: KillPoint | undefined;
  /** Time from spawn to the first answers; undefined when it died before. */
  readonly startMs: number | undefined;
  readonly problems: readonly string[];
}

const preload = fileURLToPath(new URL('./preload.ts', import.meta.url));
const nodeArgs = ['--import', preload];
const lanes = 6;
/** Where a point is not passed in this time, the process is killed all the same. */
const pointMaxMs = 3_000;

/** Starts a gateway on the world, pays through it until it dies. */
export async function killOne(world: World, payer: Payer, death: Death): Promise<Killed> {
  if (death.kind === 'point' && death.point.startsWith('reconcile.')) {
    // Something must be left open before a person can settle it.
    while (findOpen(world) === undefined) {
      await killOne(world, payer, { kind: 'moment', from: 'answer', ms: 50 });
    }
    return killResolving(world, death.point);
  }
  const startedMs = performance.now();
  const client = new RawClient({
    command: process.execPath,
    args: [...nodeArgs, mainPath, 'mcp', 'run', '--config', world.configFile],
    env: { ...process.env, ...orderOf(world, death) },
  });
  let isOver = false;
  void client.exited.then(() => {
    isOver = true;
  });
  const killer = new Killer(client, death);
  const isReady = await becomeReady(client);
  const startMs = isReady ? performance.now() - startedMs : undefined;
  if (isReady) {
    killer.answered();
    const isAsking = death.kind === 'point' && /^(?:ask|granted|answer)\./.test(death.point);
    await (isAsking
      ? payer.askOn(client, { isOver: () => isOver })
      : payer.payOn(client, { lanes, isOver: () => isOver }));
  }
  await client.exited;
  killer.stop();
  const { leftOver, problems, signal } = await client.stop();
  return {
    point: death.kind === 'point' ? lastPoint(world) : undefined,
    startMs,
    problems: [
      // A line that was cut by the kill is no protocol error.
      ...problems.filter((line) => !line.startsWith('unfinished line')),
      ...leftOver.map(({ command }) => `left running: ${command}`),
      ...(signal === 'SIGKILL' ? [] : [`it ended by itself: ${client.stderr.slice(-300)}`]),
    ],
  };
}

/** Kills from outside: at its moment, or when its point does not come. */
class Killer {
  readonly #client: RawClient;
  readonly #death: Death;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: RawClient, death: Death) {
    this.#client = client;
    this.#death = death;
    if (death.kind === 'moment' && death.from === 'spawn') this.#killAfter(death.ms);
  }

  answered(): void {
    const death = this.#death;
    if (death.kind === 'point') this.#killAfter(pointMaxMs);
    else if (death.from === 'answer') this.#killAfter(death.ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #killAfter(ms: number): void {
    this.#timer = setTimeout(() => killNow(this.#client), ms);
  }
}

function killNow({ isRunning, pid }: RawClient): void {
  if (isRunning) process.kill(pid, 'SIGKILL');
}

/** False when it died before it answered. */
async function becomeReady(client: RawClient): Promise<boolean> {
  try {
    await client.initialize();
    await client.listTools();
    client.trackProcesses();
    // The bank takes a moment from now on: a kill then meets payments that are under way.
    await client.callTool('control', { behaviour: 'slow' });
    return true;
  } catch {
    return false;
  }
}

const pointFile = (world: World): string => world.path('points.txt');

function orderOf(world: World, death: Death): Record<string, string> {
  if (death.kind !== 'point') return {};
  const { point, at } = death;
  world.write('points.txt', '');
  return killEnvironment({ point, at, file: pointFile(world) });
}

function lastPoint(world: World): KillPoint | undefined {
  const text = readFileSync(pointFile(world), 'utf8').trim();
  return text === '' ? undefined : (text as KillPoint);
}

type OpenPayment = ReturnType<typeof readPayments>[number];

/** A payment of which nobody knows what became. */
function findOpen(world: World): OpenPayment | undefined {
  const store = world.path('data/store.db');
  if (!existsSync(store)) return undefined;
  // What is still DISPATCHING belongs to a dead process: every start settles it first.
  return readPayments(store).find(({ state }) => state === 'UNKNOWN' || state === 'DISPATCHING');
}

/** A person says what became of a payment, truthfully, and the command dies. */
async function killResolving(world: World, point: KillPoint): Promise<Killed> {
  const unknown = findOpen(world) as OpenPayment;
  const finding = effectsByNote(world).has(unknown.note) ? 'succeeded' : 'failed';
  const env = orderOf(world, { kind: 'point', point, at: 1 });
  const { code, stderr } = await runProgram(
    process.execPath,
    [
      ...[...nodeArgs, mainPath, 'operations', 'resolve', unknown.opId, '--as', finding],
      ...['--reason', 'seen at the bank', '--config', world.configFile],
    ],
    { env, input: `${ownerPasscode}\n` },
  );
  return {
    point: lastPoint(world),
    startMs: undefined,
    problems: code === null ? [] : [`resolving ended with ${code}: ${stderr.slice(-300)}`],
  };
}
