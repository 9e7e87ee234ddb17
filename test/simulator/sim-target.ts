// The systems behind the gateway and the network to them. What really happened is kept here, and
// only here: the gateway learns what an answer says, if one comes.
import type {
  Attempt,
  CommittedOperation,
  Connector,
  ConnectorOutcome,
  TargetPromises,
} from '../../src/connectors/connector.ts';
import type { LookupFinding } from '../../src/core/checks/judge-lookup.ts';
import type { Random } from './random.ts';
import { type SimArguments, simAction, simAttemptMs } from './sim-calls.ts';

/** One call that left a process. */
export interface Sending {
  readonly opId: string;
  readonly attempt: number;
  readonly key: string;
  readonly processId: string;
  readonly action: string;
  readonly call: string;
  readonly deadlineMs: number;
  /** Deliveries that are still on their way. */
  onTheWay: number;
  hasArrived: boolean;
}

/** Something that happened outside. */
export interface Effect {
  readonly key: string;
  readonly opId: string;
  /** The network delivered this sending a second time: the target's own doing. */
  readonly isDoubled: boolean;
  readonly atMs: number;
}

/** What becomes of one sending. */
interface Fate {
  readonly name: string;
  readonly weight: number;
  /** How often it reaches the target. */
  readonly deliveries: 0 | 1 | 2;
  /** What the caller gets: an answer after the delivery, or this without waiting for it. */
  readonly outcome: 'answer' | 'throws' | ConnectorOutcome;
}

const ambiguous: ConnectorOutcome = { class: 'AMBIGUOUS', reason: 'no answer in time' };
const toolErrorResult = { isError: true, content: [{ type: 'text', text: 'it did not work' }] };
const toolError: ConnectorOutcome = { class: 'TOOL_ERROR', result: toolErrorResult };
const rejected: ConnectorOutcome = {
  class: 'REJECTED',
  error: { code: -32_602, message: 'rejected' },
};

const fates: readonly Fate[] = [
  { name: 'arrives', weight: 12, deliveries: 1, outcome: 'answer' },
  { name: 'refused', weight: 1, deliveries: 0, outcome: { class: 'NOT_SENT', reason: 'refused' } },
  { name: 'rejected', weight: 1, deliveries: 0, outcome: rejected },
  { name: 'lost', weight: 1, deliveries: 0, outcome: ambiguous },
  { name: 'answer lost or late', weight: 2, deliveries: 1, outcome: ambiguous },
  { name: 'doubled', weight: 2, deliveries: 2, outcome: 'answer' },
  { name: 'doubled, no answer', weight: 1, deliveries: 2, outcome: ambiguous },
  { name: 'throws', weight: 1, deliveries: 1, outcome: 'throws' },
  { name: 'tool error', weight: 2, deliveries: 0, outcome: toolError },
  // Only where the configuration does not vouch for the errors of the tool.
  { name: 'tool error after all', weight: 1, deliveries: 1, outcome: toolError },
  { name: 'odd', weight: 1, deliveries: 1, outcome: successOf(1) },
];

function successOf(amount: number): ConnectorOutcome {
  return { class: 'SUCCESS', result: { content: [], structuredContent: { amount } } };
}

/** How a target answers when it is asked what became of a call. */
const lookups: readonly {
  readonly how: 'true' | 'behind' | 'unclear' | 'throws' | 'wrong';
  readonly weight: number;
}[] = [
  { how: 'true', weight: 10 },
  // It shows what it has only later; what it promised about that holds.
  { how: 'behind', weight: 5 },
  { how: 'unclear', weight: 2 },
  { how: 'throws', weight: 1 },
  { how: 'wrong', weight: 1 },
];

/** What a target and the network to it need of the world. */
export interface TargetWorld {
  readonly random: Random;
  /** What happens often in this history. */
  readonly trouble: 'none' | 'nothing comes back' | 'tool errors';
  /** The latest time that any clock has shown. */
  nowMs(): number;
  schedule(owner: string, what: string, run: () => void): void;
  /** It says about this operation what is not so. */
  lied(opId: string): void;
}

export class SimTarget {
  readonly effects: Effect[] = [];
  readonly sendings: Sending[] = [];
  readonly #world: TargetWorld;

  constructor(world: TargetWorld) {
    this.#world = world;
  }

  /** How a process reaches the target; `sent` hears of each call before anything else happens. */
  connectorOf(processId: string, sent: (sending: Sending) => void): Connector {
    return {
      name: 'sim',
      version: '1',
      idempotent: true,
      promises: ({ action }) => promisesOf(action),
      execute: (operation, attempt) => this.#send(processId, { operation, attempt }, sent),
      reconcile: (operation) => this.#ask(processId, operation),
    };
  }

  #send(
    processId: string,
    { operation, attempt }: { readonly operation: CommittedOperation; readonly attempt: Attempt },
    sent: (sending: Sending) => void,
  ): Promise<ConnectorOutcome> {
    const { opId, action, call } = operation;
    const { key, deadlineMs } = attempt;
    const about = { opId, attempt: attempt.attempt, key, processId, action, call, deadlineMs };
    const sending: Sending = { ...about, onTheWay: 0, hasArrived: false };
    this.sendings.push(sending);
    sent(sending);
    const fate = this.#fateOf(action);
    return new Promise((resolve, reject) => {
      const end = (outcome: ConnectorOutcome): void =>
        this.#world.schedule(processId, `hears of ${fate.name}`, () => resolve(outcome));
      sending.onTheWay = fate.deliveries;
      for (let nth = 1; nth <= fate.deliveries; nth += 1) {
        this.#world.schedule('network', `delivers ${opId.slice(0, 4)}`, () => {
          const answer = this.#deliver(sending);
          if (nth === 1 && fate.outcome === 'answer') end(answer);
        });
      }
      if (fate.outcome === 'throws') {
        this.#world.schedule(processId, 'connector throws', () => reject(new Error('reset')));
      } else if (fate.outcome !== 'answer') end(fate.outcome);
    });
  }

  #fateOf(action: string): Fate {
    const { random, trouble } = this.#world;
    const all = this.#fatesOf(action);
    if (trouble === 'none' || random.chance(0.6)) return random.weighted(all);
    const often = trouble === 'tool errors' ? toolError : ambiguous;
    return random.weighted(all.filter(({ outcome }) => outcome === often));
  }

  #fatesOf(action: string): readonly Fate[] {
    const { toolErrorFails, effect } = simAction(action);
    if (effect === 'read') return fates.filter(({ name }) => name !== 'odd');
    return toolErrorFails ? fates.filter(({ name }) => name !== 'tool error after all') : fates;
  }

  #deliver(sending: Sending): ConnectorOutcome {
    const { opId, key, action, hasArrived: isDoubled } = sending;
    sending.onTheWay -= 1;
    sending.hasArrived = true;
    if (this.#isLost(sending)) return ambiguous;
    const atMs = this.#world.nowMs();
    const { isIdempotent, effect, keyLifetimeMs = Number.POSITIVE_INFINITY } = simAction(action);
    const isKnown =
      isIdempotent &&
      this.effects.some((each) => each.key === key && atMs < each.atMs + keyLifetimeMs);
    if (effect === 'write' && !isKnown) this.effects.push({ key, opId, isDoubled, atMs });
    const { amount } = JSON.parse(sending.call) as SimArguments;
    return successOf(amount);
  }

  /** A target that promises anything takes no call that is much too late; of others nothing is known. */
  #isLost({ action, deadlineMs }: Sending): boolean {
    const { keyLifetimeMs, absenceFinalAfterMs } = simAction(action);
    if (keyLifetimeMs === undefined && absenceFinalAfterMs === undefined) return false;
    return this.#world.nowMs() >= deadlineMs + (absenceFinalAfterMs ?? simAttemptMs);
  }

  /** Asked at one moment, answered at another, heard at a third. */
  #ask(processId: string, { opId }: CommittedOperation): Promise<LookupFinding> {
    const { random, schedule } = this.#world;
    const { how } = random.weighted(lookups);
    return new Promise((resolve, reject) => {
      schedule('network', `asks about ${opId.slice(0, 4)}, ${how}`, () => {
        const finding = this.#look(opId, how);
        schedule(processId, `hears ${finding?.kind ?? 'nothing'} of ${opId.slice(0, 4)}`, () => {
          if (finding === undefined) reject(new Error('reset'));
          else resolve(finding);
        });
      });
    });
  }

  #look(opId: string, how: (typeof lookups)[number]['how']): LookupFinding | undefined {
    const { random, lied } = this.#world;
    if (how === 'throws') return undefined;
    if (how === 'unclear') {
      return { kind: 'unclear', reason: 'no answer', isAlarm: random.chance(0.5) };
    }
    const happened = this.effects.some((effect) => effect.opId === opId);
    if (how === 'wrong') {
      lied(opId);
      return { kind: happened ? 'failed' : 'succeeded' };
    }
    const sent = this.sendings.filter((sending) => sending.opId === opId);
    if (how === 'behind' && sent.some((sending) => !this.#isLost(sending)))
      return { kind: 'absent' };
    if (happened) return { kind: 'succeeded' };
    const canStillHappen = sent.some((sending) => sending.onTheWay > 0 && !this.#isLost(sending));
    return { kind: canStillHappen || random.chance(0.6) ? 'absent' : 'failed' };
  }
}

function promisesOf(action: string): TargetPromises {
  const { keyLifetimeMs, absenceFinalAfterMs } = simAction(action);
  const canReconcile = absenceFinalAfterMs !== undefined;
  return { keyLifetimeMs, canReconcile, absenceFinalAfterMs };
}
