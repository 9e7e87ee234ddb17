// One budget as its calls see it: what is reserved by whom, and what is spent.
import type { HistoryEvent, Model } from './check-linearizable.ts';

export type BudgetInput =
  /** Takes `amount` for an operation that holds nothing of this budget. */
  | { readonly kind: 'reserve'; readonly op: string; readonly amount: number }
  /** Spends `amount`, gives back the rest of what the operation holds; more than it holds freezes the budget. */
  | { readonly kind: 'settle'; readonly op: string; readonly amount: number }
  /** Gives back everything the operation holds. */
  | { readonly kind: 'release'; readonly op: string }
  | { readonly kind: 'read' };

/** `refused`: nothing changed. A read answers both sums. */
export type BudgetOutput = 'ok' | 'refused' | { readonly reserved: number; readonly spent: number };

export type BudgetEvent = HistoryEvent<BudgetInput, BudgetOutput>;

export interface BudgetState {
  /** Operation → what it holds. */
  readonly held: ReadonlyMap<string, number>;
  readonly spent: number;
  readonly frozen: boolean;
}

/** `spent`: what was spent before the history began. */
export function budgetCounter(terms: {
  readonly limit: number;
  readonly spent?: number;
}): Model<BudgetState, BudgetInput, BudgetOutput> {
  return {
    initial: { held: new Map(), spent: terms.spent ?? 0, frozen: false },
    step: (state, input, output) => {
      if (input.kind === 'read') return isRead(state, output) ? [state] : [];
      return after(state, move(state, input, terms.limit), output);
    },
    keyOf: ({ held, spent, frozen }) =>
      `${[...held]
        .map(([op, amount]) => `${op}=${amount}`)
        .toSorted()
        .join()}/${spent}${frozen ? '!' : ''}`,
  };
}

/** `moved` is undefined when the budget must refuse. */
function after(
  state: BudgetState,
  moved: BudgetState | undefined,
  output: BudgetOutput | undefined,
): readonly BudgetState[] {
  if (output === undefined) return [moved ?? state];
  if (moved === undefined) return output === 'refused' ? [state] : [];
  return output === 'ok' ? [moved] : [];
}

const reservedOf = ({ held }: BudgetState): number =>
  [...held.values()].reduce((sum, amount) => sum + amount, 0);

function isRead(state: BudgetState, output: BudgetOutput | undefined): boolean {
  if (output === undefined) return true;
  if (typeof output === 'string') return false;
  return output.reserved === reservedOf(state) && output.spent === state.spent;
}

/** Undefined when the budget must refuse. */
function move(
  state: BudgetState,
  input: Exclude<BudgetInput, { kind: 'read' }>,
  limit: number,
): BudgetState | undefined {
  const own = state.held.get(input.op);
  const held = new Map(state.held);
  if (input.kind === 'reserve') {
    const isOver = reservedOf(state) + state.spent + input.amount > limit;
    if (own !== undefined || state.frozen || isOver) return undefined;
    return { ...state, held: held.set(input.op, input.amount) };
  }
  if (own === undefined) return undefined;
  held.delete(input.op);
  if (input.kind === 'release') return { ...state, held };
  return {
    held,
    spent: state.spent + input.amount,
    frozen: state.frozen || input.amount > own,
  };
}
