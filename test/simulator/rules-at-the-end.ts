// Rules over a whole history: what the store holds, what really happened outside, and what clients
// were told, laid beside each other.
import { frontierRoot, leafHash, nodeHash } from '../../src/core/merkle.ts';
import { isLegalMove, type OperationRow, type OperationState } from '../../src/core/operation.ts';
import type { StoredLeaf } from '../../src/stores/store.ts';
import { budgetSums } from '../../src/stores/table-rows.ts';
import { answerProblems } from './answer-problems.ts';
import { decisionCall } from './decision-call.ts';
import { simAction } from './sim-calls.ts';
import type { World } from './world.ts';

export function endProblems(world: World): readonly string[] {
  const operations = [...world.database.tables.operations.values()];
  return [
    ...operations.flatMap((row) => operationProblems(world, row)),
    ...effectProblems(world),
    ...budgetProblems(world),
    ...logProblems(world),
    ...world.submissions.flatMap((submission) => answerProblems(world, submission)),
    ...toldTwice(world),
    ...onceProblems(world),
  ];
}

/** What the row says is what happened, unless a person said otherwise. */
function operationProblems(world: World, row: OperationRow): readonly string[] {
  const { opId, state } = row;
  if (state === 'DISPATCHING') return ['still DISPATCHING, and nobody alive owns it'];
  if (row.effect === 'read' || world.saidWrongly.has(opId)) return [];
  const happened = world.target.effects.some((effect) => effect.opId === opId);
  if (state === 'SUCCEEDED' && !happened) return ['SUCCEEDED, and it never happened'];
  if (happened && state !== 'SUCCEEDED' && state !== 'UNKNOWN') {
    return [`it happened, and is ${state}`];
  }
  return [];
}

/**
 * At most one effect of each operation. What the network delivers a second time happens twice at a
 * target that does not know the key: that is the target's doing, and not counted here.
 */
function effectProblems({ target, database }: World): readonly string[] {
  return target.effects.flatMap((effect) => {
    const same = target.effects.filter(({ opId }) => opId === effect.opId);
    const row = database.tables.operations.get(effect.opId);
    if (row === undefined) return ['it happened, and nothing is recorded'];
    const counted = simAction(row.action).isIdempotent
      ? same
      : same.filter(({ isDoubled }) => !isDoubled);
    return counted.length > 1 ? ['it happened twice'] : [];
  });
}

function budgetProblems({ database: { tables } }: World): readonly string[] {
  const roots = new Map(
    [...tables.mandates.values()].map((row) => [row.mandateId, row.budgetRoot]),
  );
  return budgetSums(tables).flatMap(({ budget, reserved }) => {
    const { kind, budgetRoot } = budget;
    const own = [...tables.operations.values()].filter(
      ({ mandateId }) => roots.get(mandateId) === budgetRoot,
    );
    const charge = (row: OperationRow): number =>
      kind === 'calls' ? 1 : row.effect === 'read' ? 0 : amountOf(tables, row.opId);
    const sum = (states: readonly OperationState[]): number =>
      own
        .filter(({ state }) => states.includes(state))
        .reduce((total, row) => total + charge(row), 0);
    const problems: string[] = [];
    if (budget.reserved !== reserved) problems.push(`budget ${kind} is not what its entries say`);
    if (budget.spent !== sum(['SUCCEEDED'])) problems.push(`budget ${kind} spent is wrong`);
    if (budget.reserved !== sum(['UNKNOWN', 'DISPATCHING'])) {
      problems.push(`budget ${kind} reserved is wrong`);
    }
    return problems;
  });
}

function amountOf(tables: World['database']['tables'], opId: string): number {
  const seqs = tables.seqsOf.get(opId) ?? [];
  const call = seqs.map((seq) => tables.leaves[seq]?.payload['call']?.value).find(Boolean);
  const text = JSON.parse(call ?? '"{}"') as string;
  return (JSON.parse(text) as { readonly amount: number }).amount;
}

interface LeafFields {
  readonly seq: number;
  readonly type: string;
  readonly op_id?: string;
  readonly prev?: OperationState;
  readonly state?: OperationState | 'DENIED';
  readonly request?: string;
  readonly end?: string;
  readonly verdict?: string;
  readonly ts: number;
}

const read = ({ bytes }: StoredLeaf): LeafFields =>
  JSON.parse(Buffer.from(bytes).toString()) as LeafFields;

/** No gap, the root of the tree, nothing acknowledged gone, and for each operation a legal chain. */
function logProblems({ database: { tables }, acknowledged }: World): readonly string[] {
  const { leaves, frontier } = tables;
  const fields = leaves.map(read);
  const problems: string[] = [];
  if (fields.some(({ seq }, index) => seq !== index)) problems.push('the log has a gap');
  if (fields.some(({ ts }, index) => ts < (fields[index - 1]?.ts ?? 0))) {
    problems.push('the time of the log steps back');
  }
  const root = rootOf(leaves.map(({ bytes }) => leafHash(bytes)));
  if (leaves.length > 0 && !Buffer.from(frontierRoot(frontier)).equals(root)) {
    problems.push('the tree is not that of its leaves');
  }
  const hashAt = (size: number): string =>
    Buffer.from(leaves[size - 1]?.hash ?? []).toString('hex');
  if (acknowledged.some(({ size, hash }) => hashAt(size) !== hash)) {
    problems.push('an acknowledged receipt is lost');
  }
  const chains = [...tables.operations.values()].flatMap(({ opId, state }) =>
    chainProblems(
      fields.filter((leaf) => leaf.op_id === opId),
      state,
    ),
  );
  return [...problems, ...chains, ...consumedTwice(fields)];
}

/** RFC 6962, as it is written there. */
function rootOf(hashes: readonly Uint8Array[]): Buffer {
  if (hashes.length <= 1) return Buffer.from(hashes[0] ?? []);
  let left = 1;
  while (left * 2 < hashes.length) left *= 2;
  return Buffer.from(nodeHash(rootOf(hashes.slice(0, left)), rootOf(hashes.slice(left))));
}

/** The leaves of one operation lead from its decision to where its row stands. */
function chainProblems(leaves: readonly LeafFields[], end: OperationState): readonly string[] {
  const [first, ...moves] = leaves.filter(({ type, state }) => state && type !== 'proposal');
  let at = first?.state as OperationState;
  for (const leaf of moves) {
    // Repeats of the call have decisions of their own.
    if (leaf.type === 'decision') continue;
    const problem = moveProblem(at, leaf);
    if (problem !== undefined) return [problem];
    at = leaf.state as OperationState;
  }
  return at === end ? [] : [`the leaves end at ${at}, the row at ${end}`];
}

function moveProblem(at: OperationState, leaf: LeafFields): string | undefined {
  const { type, prev } = leaf;
  const state = leaf.state as OperationState;
  // The attempt comes after the decision or the end of the approval that made it DISPATCHING.
  const isSecondLeaf = type === 'attempt' && at === 'DISPATCHING';
  if (prev !== undefined && prev !== at && !isSecondLeaf) {
    return `a leaf ${type} goes on from ${prev}, and it was ${at}`;
  }
  if (state === at || isLegalMove(at, state)) return undefined;
  return `a leaf ${type} moves ${at} to ${state}`;
}

function consumedTwice(leaves: readonly LeafFields[]): readonly string[] {
  const consumed = leaves.filter(({ type, end }) => type === 'approval.end' && end === 'CONSUMED');
  const granted = leaves.filter(
    ({ type, verdict }) => type === 'approval.answer' && verdict === 'approve',
  );
  const problems: string[] = [];
  if (new Set(consumed.map(({ request }) => request)).size < consumed.length) {
    problems.push('an approval was used twice');
  }
  if (consumed.some(({ request }) => !granted.some((each) => each.request === request))) {
    problems.push('an approval was used that nobody gave');
  }
  return problems;
}

/** Of the calls whose values count once, one succeeds. */
function onceProblems({ database: { tables } }: World): readonly string[] {
  const succeeded = [...tables.operations.values()].flatMap(({ opId, action, state }) => {
    if (state !== 'SUCCEEDED' || simAction(action).isOnce !== true) return [];
    const call = decisionCall(tables, opId) ?? '{}';
    return [`${action} ${(JSON.parse(call) as { readonly note: string }).note}`];
  });
  return new Set(succeeded).size === succeeded.length ? [] : ['a value succeeded twice'];
}

/** A success that was never told answers one call, and no other. */
function toldTwice({ submissions }: World): readonly string[] {
  const told = submissions.flatMap(({ answer }) =>
    answer?.kind === 'executed' && answer.earlier !== undefined ? [answer.earlier.opId] : [],
  );
  return new Set(told).size === told.length ? [] : ['an untold success was told twice'];
}
