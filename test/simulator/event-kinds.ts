// What may happen in a history beside the work that is under way. A new kind is one more row: it
// says when it can happen and what it does; what it starts goes on in the scheduler.
import { type SimArguments, simAmounts, simNotes, simPrincipal } from './sim-calls.ts';
import type { SimProcess } from './sim-process.ts';
import type { Submission, World } from './world.ts';

export interface EventKind {
  readonly name: string;
  readonly weight: number;
  readonly canHappen: (world: World) => boolean;
  readonly run: (world: World) => void;
}

const isServed = (world: World): boolean => world.serving.length > 0;
const anyServing = (world: World): SimProcess => world.random.pick(world.serving);

/** What the store refuses is seen elsewhere; a person would try again. */
const ignored = (): void => {};

function statesOf(world: World, state: string): readonly string[] {
  return [...world.database.tables.operations.values()]
    .filter((row) => row.state === state)
    .map(({ opId }) => opId);
}

const newestMandate = (world: World): string | undefined =>
  [...world.database.tables.mandates.keys()].at(-1);

export const eventKinds: readonly EventKind[] = [
  {
    name: 'call',
    weight: 26,
    canHappen: isServed,
    run: (world) => {
      const { action } = world.random.weighted(world.actions);
      const args: SimArguments = {
        amount: world.random.pick(simAmounts),
        note: world.random.pick(simNotes),
      };
      world.submit(anyServing(world), action, args);
    },
  },
  {
    name: 'repeat',
    weight: 18,
    canHappen: (world) => isServed(world) && world.submissions.length > 0,
    run: (world) => {
      const { action, args } = world.random.pick(likelyRepeats(world));
      world.submit(anyServing(world), action, args);
    },
  },
  {
    name: 'client goes away',
    weight: 6,
    canHappen: ({ submissions }) => submissions.some(({ answer }) => answer === undefined),
    run: (world) => {
      const waiting = world.submissions.filter(({ answer }) => answer === undefined);
      const left = world.random.pick(waiting);
      world.note(`client of ${world.submissions.indexOf(left) + 1} goes away`);
      left.abort.abort();
    },
  },
  {
    name: 'answer',
    weight: 16,
    canHappen: (world) => isServed(world) && world.database.tables.approvals.size > 0,
    run: (world) => {
      const { approvals, openApprovals } = world.database.tables;
      const isOpen = openApprovals.size > 0 && world.random.chance(0.9);
      const approvalId = world.random.pick([...(isOpen ? openApprovals : approvals.keys())]);
      answerRequest(world, anyServing(world), approvalId);
    },
  },
  {
    name: 'cancel',
    weight: 2,
    canHappen: (world) => isServed(world) && statesOf(world, 'ASKING').length > 0,
    run: (world) => {
      const opId = world.random.pick(statesOf(world, 'ASKING'));
      anyServing(world).gateway?.cancelApproval(opId, 'cancelled').catch(ignored);
    },
  },
  {
    name: 'expire',
    weight: 3,
    canHappen: isServed,
    run: (world) => void anyServing(world).store.expireApprovals().catch(ignored),
  },
  {
    name: 'suspend',
    weight: 1,
    canHappen: (world) => isServed(world) && newestMandate(world) !== undefined,
    run: (world) => {
      const { store } = anyServing(world);
      store.suspendMandate(newestMandate(world) ?? '').catch(ignored);
    },
  },
  {
    name: 'resume',
    weight: 4,
    canHappen: (world) =>
      isServed(world) &&
      [...world.database.tables.mandates.values()].some(({ status }) => status === 'suspended'),
    run: (world) => {
      const { store } = anyServing(world);
      store.resumeMandate(newestMandate(world) ?? '', simPrincipal).catch(ignored);
    },
  },
  {
    name: 'person settles an unknown operation',
    weight: 4,
    canHappen: (world) => isServed(world) && statesOf(world, 'UNKNOWN').length > 0,
    run: (world) => settleUnknown(world, world.random.pick(statesOf(world, 'UNKNOWN'))),
  },
  {
    name: 'heartbeat',
    weight: 10,
    canHappen: isServed,
    run: (world) => {
      const { store, gateway } = anyServing(world);
      const adopt = (opIds: readonly string[]): unknown =>
        Promise.all(opIds.map((opId) => gateway?.checkUnknown(opId)));
      store.heartbeat().then(adopt).catch(ignored);
    },
  },
  {
    name: 'look-up',
    weight: 30,
    canHappen: (world) => isServed(world) && statesOf(world, 'UNKNOWN').length > 0,
    run: (world) => {
      const opId = world.random.pick([undefined, ...statesOf(world, 'UNKNOWN')]);
      anyServing(world).gateway?.checkUnknown(opId).catch(ignored);
    },
  },
  {
    name: 'status',
    weight: 3,
    canHappen: isServed,
    run: (world) => void anyServing(world).gateway?.status().catch(ignored),
  },
  {
    name: 'another version of the tools',
    weight: 1,
    canHappen: () => true,
    run: (world) => {
      world.definitionVersion += 1;
    },
  },
  {
    name: 'clock',
    weight: 6,
    canHappen: () => true,
    run: (world) => {
      const stepMs = world.random.pick(clockSteps);
      world.note(`clock ${stepMs}`);
      world.clockMs += stepMs;
    },
  },
  {
    name: 'crash',
    weight: 3,
    canHappen: ({ alive }) => alive.length > 0,
    run: (world) => world.crash(world.random.pick(world.alive), 'killed'),
  },
  {
    name: 'power cut',
    weight: 1,
    canHappen: () => true,
    run: (world) => world.cutPower(),
  },
  {
    name: 'host sleeps',
    weight: 3,
    canHappen: (world) => isServed(world),
    run: (world) => {
      const process = anyServing(world);
      process.isPaused = true;
      world.scheduler.pause(process.processId);
      world.note(`${process.processId} sleeps`);
    },
  },
  {
    name: 'host wakes',
    weight: 6,
    canHappen: ({ alive }) => alive.some(({ isPaused }) => isPaused),
    run: (world) => wake(world, world.random.pick(world.alive.filter(({ isPaused }) => isPaused))),
  },
  {
    name: 'start',
    weight: 7,
    canHappen: ({ alive }) => alive.length < 3,
    run: (world) => world.start(),
  },
];

/** Agents insist: on what they called last, and on what they were told nothing about. */
function likelyRepeats({ random, submissions }: World): readonly Submission[] {
  const untold = submissions.filter(
    ({ answer, abort }) => answer === undefined || abort.signal.aborted,
  );
  if (untold.length > 0 && random.chance(0.4)) return untold;
  return random.chance(0.6) ? submissions.slice(-3) : submissions;
}

const minuteMs = 60_000;
const clockSteps = [
  1_000,
  6_000,
  20_000,
  20_000,
  40_000,
  2 * minuteMs,
  3 * minuteMs,
  16 * minuteMs,
  120 * minuteMs,
  25 * 60 * minuteMs,
  -10 * minuteMs,
];

export function wake(world: World, process: SimProcess): void {
  process.isPaused = false;
  world.scheduler.resume(process.processId);
  world.note(`${process.processId} wakes`);
}

/** A person looks at the page and answers what it shows; some show up with an old page, some may not answer. */
function answerRequest(world: World, { gateway }: SimProcess, approvalId: string): void {
  const verdict = world.random.chance(0.75) ? 'approve' : 'reject';
  const isOldPage = world.random.chance(0.05);
  const person = world.random.chance(0.05) ? 'mallory' : simPrincipal;
  gateway
    ?.readPending(approvalId)
    .then(async (pending) => {
      if (pending === undefined) return;
      await gateway.answerApproval({
        approvalId,
        opHash: isOldPage ? 'changed' : pending.approval.opHash,
        verdict,
        person,
        assurance: 'passcode',
        channel: 'page',
        reason: undefined,
      });
    })
    .catch(ignored);
}

/** A person asks the target; one in six is wrong, or looks while something is still on its way. */
function settleUnknown(world: World, opId: string): void {
  const { target, random } = world;
  const happened = target.effects.some((effect) => effect.opId === opId);
  const isOnTheWay = target.sendings.some((each) => each.opId === opId && each.onTheWay > 0);
  const isWrong = random.chance(1 / 6);
  if (isWrong || (isOnTheWay && !happened)) world.saidWrongly.add(opId);
  world.note(`person settles ${opId.slice(0, 8)}`);
  anyServing(world)
    .store.reconcile({
      opId,
      finding: happened === isWrong ? 'failed' : 'succeeded',
      method: 'person',
      person: simPrincipal,
      evidence: 'looked at the target',
      isTold: random.chance(0.3),
    })
    .catch(ignored);
}
