// One operation as its calls see it: a register that only moves forward.
import type { HistoryEvent, Model } from './check-linearizable.ts';

export type RegisterState =
  | 'ASKING'
  | 'CLOSED'
  | 'DISPATCHING'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'UNKNOWN';

export type RegisterInput =
  /** The first row of the operation; `DISPATCHING` is attempt 1, `ASKING` attempt 0. */
  | { readonly kind: 'create'; readonly state: 'ASKING' | 'DISPATCHING' }
  /** Moves the row when it stands in `from`, and in that attempt when one is named. */
  | {
      readonly kind: 'move';
      readonly from: RegisterState;
      readonly to: RegisterState;
      readonly attempt?: number;
    }
  | { readonly kind: 'read' };

/** `refused`: nothing changed. A read answers the state, or `absent`. */
export type RegisterOutput = 'ok' | 'refused' | RegisterState | 'absent';

export type RegisterEvent = HistoryEvent<RegisterInput, RegisterOutput>;

export interface RegisterRow {
  readonly state: RegisterState | 'absent';
  readonly attempt: number;
}

/** A row that is written once more only for a further attempt at an idempotent target. */
const legal: Readonly<Record<RegisterState, readonly RegisterState[]>> = {
  ASKING: ['DISPATCHING', 'CLOSED'],
  CLOSED: [],
  DISPATCHING: ['SUCCEEDED', 'FAILED', 'UNKNOWN'],
  SUCCEEDED: [],
  FAILED: [],
  UNKNOWN: ['SUCCEEDED', 'FAILED', 'DISPATCHING'],
};

/** `resends`: whether an UNKNOWN operation may be sent once more. */
export function operationRegister(
  { resends }: { readonly resends: boolean } = { resends: false },
): Model<RegisterRow, RegisterInput, RegisterOutput> {
  return {
    initial: { state: 'absent', attempt: 0 },
    step: (row, input, output) => {
      if (input.kind === 'read') return output === undefined || output === row.state ? [row] : [];
      const moved = input.kind === 'create' ? create(row, input.state) : move(row, input, resends);
      return after(row, moved, output);
    },
    keyOf: ({ state, attempt }) => `${state}/${attempt}`,
  };
}

/** `moved` is undefined when the row must stay as it is. */
function after(
  row: RegisterRow,
  moved: RegisterRow | undefined,
  output: RegisterOutput | undefined,
): readonly RegisterRow[] {
  if (output === undefined) return [moved ?? row];
  if (moved === undefined) return output === 'refused' ? [row] : [];
  return output === 'ok' ? [moved] : [];
}

function create(row: RegisterRow, state: 'ASKING' | 'DISPATCHING'): RegisterRow | undefined {
  if (row.state !== 'absent') return undefined;
  return { state, attempt: state === 'DISPATCHING' ? 1 : 0 };
}

function move(
  row: RegisterRow,
  { from, to, attempt }: Extract<RegisterInput, { kind: 'move' }>,
  resends: boolean,
): RegisterRow | undefined {
  if (row.state !== from || (attempt !== undefined && attempt !== row.attempt)) return undefined;
  if (!legal[from].includes(to)) return undefined;
  if (to !== 'DISPATCHING') return { ...row, state: to };
  return from === 'UNKNOWN' && !resends ? undefined : { state: to, attempt: row.attempt + 1 };
}
