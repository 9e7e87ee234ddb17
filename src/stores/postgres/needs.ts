// What a planner will look at, said before it runs: all of it is read in one flight, under locks.

/** A call that may repeat an earlier one. */
export interface RepeatNeed {
  readonly fingerprint: string;
  readonly mandateId: string;
}

export interface Needs {
  /** Mandates with those above them, their budgets and open requests. */
  readonly mandateIds?: readonly string[];
  /** The newest mandate of each, with its budgets; nobody else issues one meanwhile. */
  readonly agents?: readonly { readonly principal: string; readonly agent: string }[];
  /** Operations with request and reservations. */
  readonly opIds?: readonly string[];
  /** Requests with operation, mandate and the rejects of its last hour. */
  readonly approvalIds?: readonly string[];
  readonly repeats?: readonly RepeatNeed[];
  /** Once keys with their holders. */
  readonly onceKeys?: readonly string[];
  /** Requests whose time is over at this instant. */
  readonly dueMs?: number;
  /** Budgets by themselves. */
  readonly budgetIds?: readonly string[];
  /** Operations under way whose owner is none of these. */
  readonly orphansBeside?: readonly string[];
}

/** Everything that any of them names. */
export function mergeNeeds(all: readonly Needs[]): Needs {
  const ids = (list: (needs: Needs) => readonly string[] | undefined): readonly string[] => [
    ...new Set(all.flatMap((needs) => list(needs) ?? [])),
  ];
  const due = all.flatMap(({ dueMs }) => dueMs ?? []);
  return {
    mandateIds: ids((needs) => needs.mandateIds),
    agents: all.flatMap(({ agents }) => agents ?? []),
    opIds: ids((needs) => needs.opIds),
    approvalIds: ids((needs) => needs.approvalIds),
    budgetIds: ids((needs) => needs.budgetIds),
    repeats: all.flatMap(({ repeats }) => repeats ?? []),
    onceKeys: ids((needs) => needs.onceKeys),
    ...(due.length === 0 ? {} : { dueMs: Math.max(...due) }),
  };
}
