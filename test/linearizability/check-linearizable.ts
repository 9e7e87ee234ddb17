// Did concurrent calls behave as if they had happened one after the other? The search of Wing and
// Gong with Lowe's memory of what was tried: an order of the calls in which each takes effect at
// one moment between its start and its answer, and gives the answer that it gave.
//
// A history is a list of calls, in any order:
//
//   { object: 'b1/amount', calledAt: 3, returnedAt: 7,
//     input: { kind: 'reserve', op: 'o1', amount: 500 }, output: 'ok' }
//   { object: 'b1/amount', calledAt: 4, input: { kind: 'settle', op: 'o1', amount: 500 } }
//
// - `object`: what the call is about. Calls of different objects are judged apart (linearizability
//   is local), so a transaction over two budgets is one call of each.
// - `calledAt`, `returnedAt`: any one clock that never steps back, taken right before the call and
//   right after its answer: a step counter, `performance.now()` of one process, or
//   `process.hrtime.bigint()` as a number of microseconds across processes of one host. Calls that
//   share an instant count as concurrent.
// - Without `returnedAt` and `output` the call is open: its process died, or its answer was lost.
//   It may take effect at any moment after `calledAt`, or never.
// - A call that certainly did nothing (the store was busy) is left out.

export interface HistoryEvent<Input, Output> {
  readonly object: string;
  readonly calledAt: number;
  /** Absent together with `output`: nobody knows whether the call took effect. */
  readonly returnedAt?: number | undefined;
  readonly input: Input;
  readonly output?: Output | undefined;
}

/** What one object is when its calls come one after the other. */
export interface Model<State, Input, Output> {
  readonly initial: State;
  /** The states a call may lead to when it gives that answer (none = it cannot); `undefined` = any answer. */
  readonly step: (state: State, input: Input, output: Output | undefined) => readonly State[];
  /** Equal for equal states. */
  readonly keyOf: (state: State) => string;
}

export type Verdict<Input, Output> =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** `too_long`: no order was found within the bound, so nothing is proven. */
      readonly reason: 'not_linearizable' | 'too_long';
      readonly object: string;
      /** The longest order that worked. */
      readonly order: readonly HistoryEvent<Input, Output>[];
      /** Answered calls of which none could come next. */
      readonly stuck: readonly HistoryEvent<Input, Output>[];
    };

/** Steps of one search: a good history takes about as many as it has calls, a bad one many more. */
const triedMax = 300_000;

/** Looks for an order of the calls that explains every answer, for each object apart. */
export function checkLinearizable<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly HistoryEvent<Input, Output>[],
  stepsMax: number = triedMax,
): Verdict<Input, Output> {
  for (const [object, events] of byObject(history)) {
    const failure = new Search(model, events).run(stepsMax);
    if (failure !== undefined) return { ok: false, object, ...failure };
  }
  return { ok: true };
}

function byObject<Input, Output>(
  history: readonly HistoryEvent<Input, Output>[],
): ReadonlyMap<string, readonly HistoryEvent<Input, Output>[]> {
  const groups = new Map<string, HistoryEvent<Input, Output>[]>();
  for (const event of history) {
    const group = groups.get(event.object);
    if (group === undefined) groups.set(event.object, [event]);
    else group.push(event);
  }
  return groups;
}

type Answered<Input, Output> = HistoryEvent<Input, Output> & { readonly returnedAt: number };
type Failure<Input, Output> = Omit<Extract<Verdict<Input, Output>, { ok: false }>, 'ok' | 'object'>;

/** A choice of the calls that come first. */
interface Frame<State, Input, Output> {
  readonly state: State;
  /** Every answered call before this index is in the order. */
  readonly prefix: number;
  /** Answered calls after `prefix` that are in the order. */
  readonly ahead: ReadonlySet<number>;
  /** Open calls that took effect. */
  readonly taken: ReadonlySet<number>;
  /** Places that may come next and were not tried yet, the likeliest last. */
  readonly candidates: Place[];
  /** The call that led here. */
  readonly event: HistoryEvent<Input, Output> | undefined;
}

interface Place {
  readonly list: 'answered' | 'open';
  readonly index: number;
}

class Search<State, Input, Output> {
  readonly #model: Model<State, Input, Output>;
  readonly #answered: readonly Answered<Input, Output>[];
  readonly #open: readonly HistoryEvent<Input, Output>[];
  readonly #tried: Set<string> = new Set();
  #order: readonly HistoryEvent<Input, Output>[] = [];
  #stuck: readonly HistoryEvent<Input, Output>[] = [];
  #deepest = -1;

  constructor(model: Model<State, Input, Output>, events: readonly HistoryEvent<Input, Output>[]) {
    this.#model = model;
    const sorted = events.toSorted((one, other) => one.calledAt - other.calledAt);
    for (const event of sorted) checkShape(event);
    this.#answered = sorted.filter(isAnswered);
    this.#open = sorted.filter((event) => !isAnswered(event));
  }

  /** Undefined when there is an order. */
  run(stepsMax: number): Failure<Input, Output> | undefined {
    const start = { state: this.#model.initial, prefix: 0, ahead: new Set<number>() };
    const path = [this.#frame({ ...start, taken: new Set<number>(), event: undefined })];
    let steps = 0;
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      if (frame.prefix === this.#answered.length) return undefined;
      const place = frame.candidates.pop();
      if (place === undefined) {
        this.#note(path);
        path.pop();
        continue;
      }
      steps += 1;
      if (steps > stepsMax) return this.#failure('too_long');
      path.push(...this.#next(frame, place));
    }
    return this.#failure('not_linearizable');
  }

  /** Frames after one more call; several when an open call may have led to several states. */
  #next(frame: Frame<State, Input, Output>, place: Place): Frame<State, Input, Output>[] {
    const event = this.#at(place);
    const before = this.#model.keyOf(frame.state);
    return this.#model.step(frame.state, event.input, event.output).flatMap((state) => {
      // An open call without effect explains nothing.
      if (place.list === 'open' && this.#model.keyOf(state) === before) return [];
      const next = { state, event, ...this.#advance(frame, place) };
      return this.#isNew(next) ? [this.#frame(next)] : [];
    });
  }

  #at({ list, index }: Place): HistoryEvent<Input, Output> {
    const event = (list === 'open' ? this.#open : this.#answered)[index];
    if (event === undefined) throw new Error('a place outside the history');
    return event;
  }

  #advance(
    { prefix, ahead, taken }: Frame<State, Input, Output>,
    { list, index }: Place,
  ): Pick<Frame<State, Input, Output>, 'prefix' | 'ahead' | 'taken'> {
    if (list === 'open') return { prefix, ahead, taken: new Set(taken).add(index) };
    const done = new Set(ahead).add(index);
    let first = prefix;
    while (done.delete(first)) first += 1;
    return { prefix: first, ahead: done, taken };
  }

  #isNew({ state, prefix, ahead, taken }: Omit<Frame<State, Input, Output>, 'candidates'>) {
    const list = (set: ReadonlySet<number>): string =>
      [...set].toSorted((one, other) => one - other).join();
    const key = `${prefix}|${list(ahead)}|${list(taken)}|${this.#model.keyOf(state)}`;
    if (this.#tried.has(key)) return false;
    this.#tried.add(key);
    return true;
  }

  /** What may come next is what was called before every remaining answer; answered calls are tried first. */
  #frame(at: Omit<Frame<State, Input, Output>, 'candidates'>): Frame<State, Input, Output> {
    const { waiting, firstReturn } = this.#waiting(at);
    const answered = waiting
      .toSorted((one, other) => other.returnedAt - one.returnedAt)
      .map(({ index }): Place => ({ list: 'answered', index }));
    const open = this.#open.flatMap((event, index): Place[] =>
      event.calledAt <= firstReturn && !at.taken.has(index) ? [{ list: 'open', index }] : [],
    );
    return { ...at, candidates: [...open, ...answered] };
  }

  /** Answered calls outside the order that none of the others outside it precedes. */
  #waiting({ prefix, ahead }: Pick<Frame<State, Input, Output>, 'prefix' | 'ahead'>): {
    readonly waiting: readonly { readonly index: number; readonly returnedAt: number }[];
    readonly firstReturn: number;
  } {
    const waiting: { readonly index: number; readonly returnedAt: number }[] = [];
    let firstReturn = Number.POSITIVE_INFINITY;
    for (let index = prefix; index < this.#answered.length; index += 1) {
      const { calledAt, returnedAt } = this.#answered[index] as Answered<Input, Output>;
      if (calledAt > firstReturn) break;
      if (ahead.has(index)) continue;
      waiting.push({ index, returnedAt });
      firstReturn = Math.min(firstReturn, returnedAt);
    }
    // Calls are sorted by their start, so one that came early may still start after a short one's answer.
    const first = firstReturn;
    const isReady = (index: number): boolean => (this.#answered[index]?.calledAt ?? 0) <= first;
    return { waiting: waiting.filter(({ index }) => isReady(index)), firstReturn };
  }

  #note(path: readonly Frame<State, Input, Output>[]): void {
    if (path.length <= this.#deepest) return;
    this.#deepest = path.length;
    this.#order = path.flatMap(({ event }) => event ?? []);
    const { waiting } = this.#waiting(path.at(-1) as Frame<State, Input, Output>);
    this.#stuck = waiting.map(({ index }) => this.#at({ list: 'answered', index }));
  }

  #failure(reason: Failure<Input, Output>['reason']): Failure<Input, Output> {
    return { reason, order: this.#order, stuck: this.#stuck };
  }
}

function isAnswered<Input, Output>(
  event: HistoryEvent<Input, Output>,
): event is Answered<Input, Output> {
  return event.returnedAt !== undefined;
}

function checkShape<Input, Output>(event: HistoryEvent<Input, Output>): void {
  const { calledAt, returnedAt, output, object } = event;
  if ((returnedAt === undefined) !== (output === undefined)) {
    throw new Error(`a call of ${object} has an answer or an end, and not both`);
  }
  if (Number.isNaN(calledAt) || (returnedAt !== undefined && !(returnedAt >= calledAt))) {
    throw new Error(`a call of ${object} ends before it starts`);
  }
}
