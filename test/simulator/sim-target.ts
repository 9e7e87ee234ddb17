// The systems behind the gateway and the network to them. What really happened is kept here, and
// only here: the gateway learns what an answer says, if one comes.
import type {
  Attempt,
  CommittedOperation,
  Connector,
  ConnectorOutcome,
} from '../../src/connectors/connector.ts';
import type { Random } from './random.ts';
import { type SimArguments, simAction } from './sim-calls.ts';

/** One call that left a process. */
export interface Sending {
  readonly opId: string;
  readonly attempt: number;
  readonly key: string;
  readonly processId: string;
  readonly action: string;
  readonly call: string;
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

export class SimTarget {
  readonly effects: Effect[] = [];
  readonly sendings: Sending[] = [];
  readonly #random: Random;
  readonly #schedule: (owner: string, what: string, run: () => void) => void;

  constructor(random: Random, schedule: (owner: string, what: string, run: () => void) => void) {
    this.#random = random;
    this.#schedule = schedule;
  }

  /** How a process reaches the target; `sent` hears of each call before anything else happens. */
  connectorOf(processId: string, sent: (sending: Sending) => void): Connector {
    return {
      name: 'sim',
      version: '1',
      idempotent: false,
      execute: (operation, attempt) => this.#send(processId, { operation, attempt }, sent),
    };
  }

  #send(
    processId: string,
    { operation, attempt }: { readonly operation: CommittedOperation; readonly attempt: Attempt },
    sent: (sending: Sending) => void,
  ): Promise<ConnectorOutcome> {
    const { opId, action, call } = operation;
    const { key } = attempt;
    const about = { opId, attempt: attempt.attempt, key, processId, action, call };
    const sending: Sending = { ...about, onTheWay: 0, hasArrived: false };
    this.sendings.push(sending);
    sent(sending);
    const fate = this.#random.weighted(this.#fatesOf(action));
    return new Promise((resolve, reject) => {
      const end = (outcome: ConnectorOutcome): void =>
        this.#schedule(processId, `hears of ${fate.name}`, () => resolve(outcome));
      sending.onTheWay = fate.deliveries;
      for (let nth = 1; nth <= fate.deliveries; nth += 1) {
        this.#schedule('network', `delivers ${opId.slice(0, 4)}`, () => {
          const answer = this.#deliver(sending);
          if (nth === 1 && fate.outcome === 'answer') end(answer);
        });
      }
      if (fate.outcome === 'throws') {
        this.#schedule(processId, 'connector throws', () => reject(new Error('reset')));
      } else if (fate.outcome !== 'answer') end(fate.outcome);
    });
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
    const { isIdempotent, effect } = simAction(action);
    const isKnown = isIdempotent && this.effects.some((each) => each.key === key);
    if (effect === 'write' && !isKnown) this.effects.push({ key, opId, isDoubled });
    const { amount } = JSON.parse(sending.call) as SimArguments;
    return successOf(amount);
  }
}
