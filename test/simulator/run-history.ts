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
const eventsRange = { from: 6, to: 30 } as const;
/** How often an event comes between two tasks. */
const eventRate = 0.35;

export async function runHistory(seed: number, planted: PlantedFault = {}): Promise<HistoryReport> {
  const world = new World(seed, planted);
  const { random } = world;
  world.start();
  if (random.chance(0.4)) world.start();
  const events = eventsRange.from + random.below(eventsRange.to - eventsRange.from);
  for (let happened = 0; happened < events; ) {
    const isEvent = random.chance(eventRate);
    if (isEvent || !(await world.step())) {
      happen(world);
      happened += 1;
      await settled();
    }
  }
  await end(world);
  const problems = [...world.problems, ...ofRules(world), ...ofOrder(world)];
  return { seed, problems, trace: world.trace, figures: figuresOf(world, events) };
}

function happen(world: World): void {
  const possible = eventKinds.filter((kind) => kind.canHappen(world));
  const kind: EventKind = world.random.weighted(possible);
  world.note(`* ${kind.name}`);
  kind.run(world);
}

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
    checkLinearizable(operationRegister(), operations),
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
