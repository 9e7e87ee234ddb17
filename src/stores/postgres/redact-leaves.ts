// Erasing values and salts in the database, and what must be found for it. The server keeps the old
// rows until it vacuums: that is its operator's.
import {
  planRedaction,
  type RedactableLeaf,
  type RedactionOrder,
  type RedactionPlan,
} from '../../core/moves/plan-redaction.ts';
import { noWrites } from '../../core/moves/writes.ts';
import type { OperationState } from '../../core/operation.ts';
import {
  type KeptLeaf,
  type KeptPage,
  listOf,
  noteErasures,
  type RedactionList,
  type RedactionResult,
  toKeptLeaf,
} from '../erasure.ts';
import { keptFields, withoutFields } from '../payload-text.ts';
import { forgetHistory } from './history-table.ts';
import type { Read } from './read-stored.ts';
import { type SqlRow, type Statement, updateRows } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** Under the lock of the log, which every write of an operation takes before it writes. */
export async function redactLeaves(
  transaction: Transaction,
  order: RedactionOrder,
  list: RedactionList | undefined,
): Promise<RedactionResult> {
  await transaction.lockLog();
  const [found] = await transaction.read([
    {
      sql: `SELECT l.seq, l.hash, l.type, l.op_id, o.state, p.fields FROM intentplane.leaf l
        LEFT JOIN intentplane.payload p ON p.seq = l.seq
        LEFT JOIN intentplane.operation o ON o.op_id = l.op_id
        WHERE l.seq = ANY ($1::bigint[]) ORDER BY l.seq`,
      values: [order.targets.map(({ seq }) => seq)],
    },
  ]);
  const stored = (found?.rows ?? []).map(toStored);
  const plan = planRedaction(order, stored);
  if (plan.erasures.length > 0 || plan.forgotten.length > 0) {
    noteErasures(listOf(order, list), plan);
    await transaction.write([...emptied(plan, stored), ...forgotten(plan)]);
    await transaction.change({}, (rows) => rows.apply({ ...noWrites, leaves: plan.leaves }));
  }
  return { refused: plan.refused, erasures: plan.erasures, isGone: true };
}

interface Stored extends RedactableLeaf {
  readonly text: string;
}

function toStored([seq, hash, type, opId, state, fields]: SqlRow): Stored {
  const text = typeof fields === 'string' ? fields : '{}';
  return {
    seq: seq as number,
    hash: Uint8Array.from(hash as Uint8Array),
    type: type as string,
    opId: (opId as string | null) ?? undefined,
    state: (state as OperationState | null) ?? undefined,
    kept: keptFields(text),
    text,
  };
}

function emptied({ erasures }: RedactionPlan, stored: readonly Stored[]): readonly Statement[] {
  const texts = new Map(stored.map(({ seq, text }) => [seq, text]));
  return updateRows(
    {
      table: 'payload',
      columns: [
        { name: 'seq', type: 'bigint', read: ({ seq }) => seq },
        {
          name: 'fields',
          type: 'text',
          read: ({ seq, fields }) => withoutFields(texts.get(seq) ?? '{}', fields),
        },
      ],
      set: 'fields = v.fields',
      where: 't.seq = v.seq',
    },
    erasures,
  );
}

/** The rows keep their state and are the repeat of nothing. */
function forgotten({ forgotten: opIds }: RedactionPlan): readonly Statement[] {
  if (opIds.length === 0) return [];
  const rows = ['operation', 'approval'].map((table) => ({
    sql: `UPDATE intentplane.${table} SET fingerprint = '' WHERE op_id = ANY ($1::text[])`,
    values: [opIds],
  }));
  return [...rows, ...forgetHistory(opIds)];
}

/** Proposals whose decision names this operation. */
export function repeatsOf(opId: string): Read<string> {
  return {
    sql: `SELECT op_id FROM intentplane.leaf WHERE type = 'decision' AND op_id <> $1
      AND position(convert_to('"' || $1 || '"', 'UTF8') IN bytes) > 0 ORDER BY seq`,
    values: [opId],
    toRow: ([other]) => other as string,
  };
}

export function keptLeaves({ from, below, count }: KeptPage): Read<KeptLeaf> {
  return {
    sql: `SELECT p.seq, l.type, o.action, o.state, CASE WHEN o.action IS NULL THEN r.bytes END
      FROM intentplane.payload p JOIN intentplane.leaf l ON l.seq = p.seq
      LEFT JOIN intentplane.operation o ON o.op_id = l.op_id
      LEFT JOIN intentplane.leaf r ON r.op_id = l.op_id AND r.type = 'proposal'
      WHERE p.seq >= $1 AND p.seq < $2 AND p.fields <> '{}' ORDER BY p.seq LIMIT $3`,
    values: [from, below, count],
    toRow: toKeptLeaf,
  };
}
