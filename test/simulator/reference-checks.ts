// Who asks the target about an operation, as the reference gateway has it.
import type { ReferenceCheck, ReferenceOperation } from './reference-rows.ts';
import type { StoreEvent } from './store-call.ts';

const leaseMs = 60_000;
const firstAfterMs = 5_000;

type Operations = ReadonlyMap<string, ReferenceOperation>;
type Event<Kind extends StoreEvent['kind']> = Extract<StoreEvent, { kind: Kind }>;

export class ReferenceChecks {
  #rows: ReadonlyMap<string, ReferenceCheck> = new Map();

  keep(): () => void {
    const rows = this.#rows;
    return () => {
      this.#rows = rows;
    };
  }

  /** One process at a time asks about an operation: the one that is named, or that is due longest. */
  claim(operations: Operations, { owner, wish }: Event<'claim'>, nowMs: number): string {
    const [next] = [...operations.values()]
      .filter(({ opId, state }) => state === 'UNKNOWN' && (wish.opId ?? opId) === opId)
      .map((row) => ({ row, check: this.#checkOf(row) }))
      .filter(({ check }) => check.untilMs <= nowMs)
      .filter(({ check }) => wish.opId !== undefined || check.dueMs <= nowMs)
      .toSorted((one, other) => one.check.dueMs - other.check.dueMs);
    if (next === undefined) return 'nothing';
    const { opId, attempt } = next.row;
    this.#put(opId, { ...next.check, owner, untilMs: nowMs + leaseMs });
    return `${opId} ${attempt}`;
  }

  /** A new attempt is asked about anew. */
  #checkOf({ opId, attempt, movedMs }: ReferenceOperation): ReferenceCheck {
    const known = this.#rows.get(opId) ?? { attempt: 0, dueMs: 0, owner: undefined, untilMs: 0 };
    return known.attempt === attempt ? known : { ...known, attempt, dueMs: movedMs + firstAfterMs };
  }

  checked(operations: Operations, { owner, done }: Event<'checked'>): string {
    const { opId, attempt, dueMs } = done;
    const known = this.#rows.get(opId);
    if (known?.owner !== owner || known.attempt !== attempt) return 'over';
    this.#put(opId, { attempt, dueMs, owner: undefined, untilMs: 0 });
    return operations.get(opId)?.state === 'UNKNOWN' ? 'unknown' : 'over';
  }

  #put(opId: string, check: ReferenceCheck): void {
    this.#rows = new Map(this.#rows).set(opId, check);
  }
}
