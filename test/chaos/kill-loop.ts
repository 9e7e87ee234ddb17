// The real proxy is killed over and over while it pays; afterwards its store, what the bank really
// did and what the caller was told are laid beside each other.
import { DatabaseSync } from 'node:sqlite';
import { codeOf, World } from '../fixtures/product/world.ts';
import { bankServer, payTool, vendorIban } from '../fixtures/product/world-files.ts';
import { randomOf } from '../fixtures/random-of.ts';
import type { Frame, RawClient } from '../fixtures/raw-client.ts';

export interface KillReport {
  readonly ok: boolean;
  readonly kills: number;
  readonly seed: number;
  readonly operations: number;
  readonly effects: number;
  readonly succeeded: number;
  readonly unknown: number;
  /** Payments that the bank executed more than once. */
  readonly doubled: readonly string[];
  /** What contradicts itself, one line each; empty when everything holds. */
  readonly problems: readonly string[];
  readonly slowestStartS: number;
}

const inFlight = 8;
const killMaxMs = 500;
const startMaxS = 5;
/** One payment in the unit of the budget. */
const cents = 100;

/** Kills `kills` gateways at moments that follow from the seed. */
export async function killLoop({
  kills,
  seed,
  meddle,
}: {
  readonly kills: number;
  readonly seed: number;
  /** Changes what was recorded before it is judged: the judgement must notice. */
  readonly meddle?: (world: World) => void;
}): Promise<KillReport> {
  const world = new World();
  world.configure({
    // A bank that takes a moment: many kills then meet a payment that is under way.
    servers: bankServer(world.effectsFile, ['--delay', '30']),
    mandate: '[mandate]\nprincipal = "maya"\nbudget = 9007199254740991',
    tools: payTool('duplicate_window = 0'),
  });
  const random = randomOf(seed);
  const told = new Map<string, string | number>();
  let serial = 0;
  let slowestStartS = 0;
  try {
    for (let round = 0; round <= kills; round += 1) {
      const startedMs = performance.now();
      const client = await world.start();
      slowestStartS = Math.max(slowestStartS, (performance.now() - startedMs) / 1_000);
      // The last one only settles what the one before it left.
      if (round === kills) await client.close();
      else serial = await payAndKill(client, { serial, told, afterMs: random() * killMaxMs });
    }
    meddle?.(world);
    return { ...(await judge(world, told)), kills, seed, slowestStartS };
  } finally {
    await world.discard();
  }
}

async function payAndKill(
  client: RawClient,
  run: {
    readonly serial: number;
    readonly told: Map<string, string | number>;
    readonly afterMs: number;
  },
): Promise<number> {
  let { serial } = run;
  let isKilled = false;
  await client.callTool('control', { behaviour: 'slow' });
  const worker = async (): Promise<void> => {
    while (!isKilled) {
      serial += 1;
      const note = `n${serial}`;
      const id = client.post('tools/call', {
        name: 'pay',
        arguments: { recipient: vendorIban, amount: 1, note },
      });
      const answer: Frame | undefined = await client.answerTo(id, 10_000).catch(() => undefined);
      if (answer === undefined) return;
      run.told.set(note, codeOf(answer));
    }
  };
  const workers = Array.from({ length: inFlight }, worker);
  await new Promise((resolve) => setTimeout(resolve, run.afterMs));
  isKilled = true;
  client.kill('SIGKILL');
  await client.exited;
  await client.stop();
  await Promise.all(workers);
  return serial;
}

type Judgement = Omit<KillReport, 'kills' | 'seed' | 'slowestStartS'>;

async function judge(world: World, told: ReadonlyMap<string, string | number>): Promise<Judgement> {
  const found = readStore(world.path('data/store.db'));
  const { states } = found;
  const effects = countByNote(world);
  const doubled = [...effects].filter(([, count]) => count > 1).map(([note]) => note);
  const fsck = await world.runHere(['fsck', '--json']);
  const problems = [
    ...contradictions(states, effects),
    ...brokenPromises(states, told),
    ...wrongSums(found),
    ...(fsck.code === 0 ? [] : [`fsck: ${fsck.stdout.slice(0, 300)}`]),
    ...(states.size === 0 ? ['nothing was paid, so nothing is proven'] : []),
  ];
  return {
    ok: doubled.length === 0 && problems.length === 0,
    operations: states.size,
    effects: effects.size,
    succeeded: countOf(states, 'SUCCEEDED'),
    unknown: countOf(states, 'UNKNOWN'),
    doubled,
    problems: problems.slice(0, 200),
  };
}

/** What happened is SUCCEEDED or UNKNOWN, and what succeeded happened. */
function contradictions(
  states: ReadonlyMap<string, string>,
  effects: ReadonlyMap<string, number>,
): readonly string[] {
  const rows = [...states].flatMap(([note, state]) => {
    if (state === 'DISPATCHING') return [`${note} is still DISPATCHING`];
    return state === 'SUCCEEDED' && !effects.has(note) ? [`${note} never happened`] : [];
  });
  const happened = [...effects.keys()].flatMap((note) => {
    const state = states.get(note) ?? 'not recorded';
    return state === 'SUCCEEDED' || state === 'UNKNOWN' ? [] : [`${note} happened, is ${state}`];
  });
  return [...rows, ...happened];
}

/** Whatever was answered stands in the store. */
function brokenPromises(
  states: ReadonlyMap<string, string>,
  told: ReadonlyMap<string, string | number>,
): readonly string[] {
  return [...told]
    .filter(([note, code]) => code === 'executed' && states.get(note) !== 'SUCCEEDED')
    .map(([note]) => `${note} was answered, is ${states.get(note) ?? 'not recorded'}`);
}

/** Spent is what succeeded, reserved is what nobody knows. */
function wrongSums({ states, reserved, spent }: StoreFindings): readonly string[] {
  const succeeded = countOf(states, 'SUCCEEDED');
  const unknown = countOf(states, 'UNKNOWN');
  return [
    ...(spent === succeeded * cents ? [] : [`spent ${spent}, ${succeeded} succeeded`]),
    ...(reserved === unknown * cents ? [] : [`reserved ${reserved}, ${unknown} unknown`]),
  ];
}

const countOf = (states: ReadonlyMap<string, string>, wanted: string): number =>
  [...states.values()].filter((state) => state === wanted).length;

function countByNote(world: World): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { tool, arguments: args } of world.effects()) {
    if (tool !== 'pay') continue;
    const { note } = args as { readonly note: string };
    counts.set(note, (counts.get(note) ?? 0) + 1);
  }
  return counts;
}

interface StoreFindings {
  /** Note of each payment → state of its operation. */
  readonly states: ReadonlyMap<string, string>;
  readonly reserved: number;
  readonly spent: number;
}

function readStore(path: string): StoreFindings {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare(
      `SELECT o.state AS state, p.fields AS fields FROM operation o
       JOIN leaf l ON l.proposal = o.n AND l.type = 'decision' JOIN payload p ON p.seq = l.seq`,
    )
    .all();
  const states = rows.map(({ state, fields }): [string, string] => {
    const { call } = JSON.parse(fields as string) as { readonly call: readonly [string, string] };
    return [(JSON.parse(call[1]) as { readonly note: string }).note, state as string];
  });
  const sums = database
    .prepare('SELECT sum(reserved) AS reserved, sum(spent) AS spent FROM budget')
    .get();
  database.close();
  return {
    states: new Map(states),
    reserved: Number(sums?.['reserved']),
    spent: Number(sums?.['spent']),
  };
}

/** Whether the starts were fast enough, apart from what holds. */
export const isStartFast = ({ slowestStartS }: KillReport): boolean => slowestStartS < startMaxS;
