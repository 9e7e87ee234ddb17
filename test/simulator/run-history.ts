// One history from one seed: events and work in the order that the seed says, then an end in which
// everything runs out and a last process cleans up, then the judgement.
import { budgetCounter } from '../linearizability/budget-counter.ts';
import { checkLinearizable } from '../linearizability/check-linearizable.ts';
import { operationRegister } from '../linearizability/operation-register.ts';
import { type EventKind, eventKinds, wake } from './event-kinds.ts';
import { linearHistory } from './linear-history.ts';
import { endProblems } from './rules-at-the-end.ts';
import { settled } from './scheduler.ts';
import { simLimits } from './sim-calls.ts';
import type { SimProcess } from './sim-process.ts';
import { type PlantedFault, World } from './world.ts';

export interface HistoryReport {
  readonly seed: number;
  /** What contradicts a rule or the reference gateway, one line each. */
  readonly problems: readonly string[];
  /** What happened, for the eye. */
  readonly trace: readonly string[];
  readonly figures: HistoryFigures;
}

export interface HistoryFigures {
  readonly events: number;
  readonly operations: number;
  readonly effects: number;
  readonly unknown: number;
  readonly answers: number;
}

/** Events of one history, at least and less than. */
const eventsRange = { from: 8, to: 36 } as const;
/** How often an event comes between two tasks. */
const eventRate = 0.35;

export async function runHistory(seed: number, planted: PlantedFault = {}): Promise<HistoryReport> {
  const world = new World(seed, planted);
  const { random } = world;
  world.start();
  if (random.chance(0.4)) world.start();
  const events = eventsRange.from + random.below(eventsRange.to - eventsRange.from);
  const kinds = ofThisHistory(world);
  for (let happened = 0; happened < events; ) {
    const isEvent = random.chance(eventRate);
    if (isEvent || !(await world.step())) {
      happen(world, kinds);
      happened += 1;
      await settled();
    }
  }
  await lookAround(world);
  await end(world);
  const problems = [...world.problems, ...ofRules(world), ...ofOrder(world)];
  return { seed, problems, trace: world.trace, figures: figuresOf(world, events) };
}

/** Some things happen often in this history and others hardly ever: what is rare together is seen, too. */
function ofThisHistory({ random }: World): readonly EventKind[] {
  return eventKinds.map((kind) => ({ ...kind, weight: kind.weight * random.pick(emphases) }));
}

const emphases: readonly number[] = [0.3, 1, 1, 3];

function happen(world: World, kinds: readonly EventKind[]): void {
  const possible = kinds.filter((kind) => kind.canHappen(world));
  if (possible.length === 0) return;
  const kind: EventKind = world.random.weighted(possible);
  world.note(`* ${kind.name}`);
  kind.run(world);
}

/** What the timers of a process do: it says that it lives, and looks for what is unknown. */
function tick({ store, gateway }: SimProcess): void {
  const ignored = (): void => {};
  store.heartbeat().catch(ignored);
  gateway?.checkUnknown().catch(ignored);
}

/** In some histories little is called any more, and those who are left look for what is unknown. */
async function lookAround(world: World): Promise<void> {
  const { random } = world;
  const quiet = eventKinds.filter(({ name }) => name === 'answer' || name === 'repeat');
  const rounds = random.below(4);
  for (let round = 0; round < rounds; round += 1) {
    if (world.serving.length === 0) world.start();
    await world.drain();
    world.clockMs += random.pick(pausesMs);
    for (const process of world.serving) tick(process);
    if (random.chance(0.5)) happen(world, quiet);
    for (let steps = random.below(12); steps > 0; steps -= 1) await world.step();
    if (random.chance(0.5)) happen(world, quiet);
    world.clockMs += random.pick(pausesMs);
    await world.drain();
  }
}

const pausesMs: readonly number[] = [6_000, 20_000, 40_000, 120_000, 600_000];

/** Everybody comes to an end; who is still there is killed, and a last process settles what is left. */
async function end(world: World): Promise<void> {
  world.faultRate = 0;
  world.note('* the end');
  for (const process of world.alive) if (process.isPaused) wake(world, process);
  await world.drain();
  const unanswered = world.submissions.filter(
    ({ answer, process }) => answer === undefined && process.state !== 'dead',
  );
  if (unanswered.length > 0) world.problem('rule: a call was never answered');
  for (const process of world.alive) world.crash(process, 'the end');
  world.waitLong();
  world.start();
  await world.drain();
}

const ofRules = (world: World): readonly string[] =>
  [...new Set(endProblems(world))].map((line) => `rule: ${line}`);

function ofOrder({ calls }: World): readonly string[] {
  const { budgets, operations } = linearHistory(calls);
  const verdicts = [
    checkLinearizable(budgetCounter({ limit: 0 }), []),
    ...[...new Set(budgets.map(({ object }) => object))].map((object) => {
      const limit = object.endsWith('/calls') ? simLimits.calls : simLimits.amount;
      const own = budgets.filter((event) => event.object === object);
      return checkLinearizable(budgetCounter({ limit }), own);
    }),
    checkLinearizable(operationRegister({ resends: true }), operations),
  ];
  return verdicts.flatMap((verdict) =>
    verdict.ok ? [] : [`order: ${verdict.reason}, ${verdict.stuck.map(brief).join(' or ')}`],
  );
}

const brief = ({ input, output }: { readonly input: unknown; readonly output?: unknown }): string =>
  `${JSON.stringify(input)} gave ${JSON.stringify(output)}`;

function figuresOf({ database, target, submissions }: World, events: number): HistoryFigures {
  const rows = [...database.tables.operations.values()];
  return {
    events,
    operations: rows.length,
    effects: target.effects.length,
    unknown: rows.filter(({ state }) => state === 'UNKNOWN').length,
    answers: submissions.filter(({ answer }) => answer !== undefined).length,
  };
}
