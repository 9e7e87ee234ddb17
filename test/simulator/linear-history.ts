// The calls of a history as the linearizability check reads them.
import type { DecisionPlan } from '../../src/core/moves/plan-decision.ts';
import type { Writes } from '../../src/core/moves/writes.ts';
import type { BudgetMove } from '../../src/core/operation.ts';
import type { BudgetEvent, BudgetInput, BudgetOutput } from '../linearizability/budget-counter.ts';
import type {
  RegisterEvent,
  RegisterInput,
  RegisterOutput,
  RegisterState,
} from '../linearizability/operation-register.ts';
import type { StoreCall, StoreEvent } from './store-call.ts';

export interface LinearHistory {
  readonly budgets: readonly BudgetEvent[];
  readonly operations: readonly RegisterEvent[];
}

interface Step<Input, Output> {
  readonly object: string;
  readonly input: Input;
  readonly output: Output;
}

/** A call that never ran did nothing, and is left out; one that ran and was not answered is open. */
export function linearHistory(calls: readonly StoreCall[]): LinearHistory {
  const budgets: BudgetEvent[] = [];
  const operations: RegisterEvent[] = [];
  for (const call of calls) {
    if (call.event === undefined) continue;
    for (const step of budgetSteps(call.event)) budgets.push(spanned(call, step));
    for (const step of operationSteps(call.event)) operations.push(spanned(call, step));
  }
  return { budgets, operations };
}

function spanned<Input, Output>(
  { calledAt, returnedAt }: StoreCall,
  { object, input, output }: Step<Input, Output>,
): Step<Input, Output | undefined> & { calledAt: number; returnedAt: number | undefined } {
  const answer = returnedAt === undefined ? undefined : output;
  return { object, calledAt, returnedAt, input, output: answer };
}

type BudgetStep = Step<BudgetInput, BudgetOutput>;
type OperationStep = Step<RegisterInput, RegisterOutput>;

function budgetSteps(event: StoreEvent): readonly BudgetStep[] {
  if (event.kind === 'read budgets') {
    return event.budgets.map(({ budgetId: object, reserved, spent }) => ({
      object,
      input: { kind: 'read' },
      output: { reserved, spent },
    }));
  }
  if (event.kind === 'decide') return moves(writesOf(event.plan));
  if (event.kind === 'start' || event.kind === 'heartbeat') {
    return event.settled.flatMap(({ opId: op, released }) =>
      released.map(
        (object): BudgetStep => ({
          object,
          input: { kind: 'release', op },
          output: 'ok',
        }),
      ),
    );
  }
  if (event.kind === 'finish' || event.kind === 'reconcile') return moves(event.plan.writes);
  return [];
}

const writesOf = (plan: DecisionPlan): Writes | undefined =>
  plan.kind === 'decided' ? plan.writes : undefined;

function moves(writes: Writes | undefined): readonly BudgetStep[] {
  return (writes?.budgetMoves ?? []).map((move) => ({
    object: move.budgetId,
    input: budgetInput(move),
    output: 'ok',
  }));
}

function budgetInput(move: BudgetMove): BudgetInput {
  const { opId: op } = move;
  if (move.kind === 'release') return { kind: 'release', op };
  return { kind: move.kind, op, amount: move.kind === 'settle' ? move.actual : move.amount };
}

function operationSteps(event: StoreEvent): readonly OperationStep[] {
  if (event.kind === 'read operation') {
    return [{ object: event.opId, input: { kind: 'read' }, output: event.state }];
  }
  if (event.kind === 'start' || event.kind === 'heartbeat') {
    return event.settled.map(({ opId: object, to }) => ({ object, ...moved('DISPATCHING', to) }));
  }
  if (event.kind === 'cancel' && event.ended !== undefined) {
    return [{ object: event.ended.opId, ...moved('ASKING', 'CLOSED') }];
  }
  if (event.kind === 'expire') {
    return event.ended.map(({ opId: object }) => ({ object, ...moved('ASKING', 'CLOSED') }));
  }
  if (event.kind === 'finish') return finishSteps(event);
  if (event.kind === 'decide') return rowSteps(writesOf(event.plan));
  if (event.kind === 'reconcile' || event.kind === 'resend' || event.kind === 'answer') {
    return rowSteps(event.plan.writes);
  }
  return [];
}

/** A late outcome is a move that was refused, even when it settles what is UNKNOWN. */
function finishSteps({
  report,
  plan,
}: Extract<StoreEvent, { kind: 'finish' }>): readonly OperationStep[] {
  const steps = rowSteps(plan.writes);
  if (!plan.late) return steps;
  const refused: OperationStep = {
    object: report.opId,
    input: { kind: 'move', from: 'DISPATCHING', to: 'SUCCEEDED', attempt: report.attempt },
    output: 'refused',
  };
  return [refused, ...steps];
}

function rowSteps(writes: Writes | undefined): readonly OperationStep[] {
  const created = (writes?.insertOperations ?? []).map(
    ({ opId: object, state }): OperationStep => ({
      object,
      input: { kind: 'create', state: state === 'ASKING' ? state : 'DISPATCHING' },
      output: 'ok',
    }),
  );
  const moves = (writes?.moveOperations ?? []).map(
    ({ from, attempt, to }): OperationStep => ({
      object: to.opId,
      input: { kind: 'move', from, to: to.state, attempt },
      output: 'ok',
    }),
  );
  return [...created, ...moves];
}

const moved = (
  from: RegisterState,
  to: RegisterState,
): Pick<OperationStep, 'input' | 'output'> => ({ input: { kind: 'move', from, to }, output: 'ok' });
