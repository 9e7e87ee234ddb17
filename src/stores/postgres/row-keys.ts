// The keys of the rows that planners need, as parts of statements: no statement waits for another
// one to learn them.
import { rejectWindowMs } from '../../core/moves/plan-answer.ts';
import { isOpenState } from './approval-table.ts';
import type { Needs, RepeatNeed } from './needs.ts';
import { type Statement, Values } from './statement.ts';

/** Successes that were never told, of one fingerprint, that one transaction can tell: as many as its calls. */
const repeatsMax = 64;

/** `SELECT op_id …` of the operations that `needs` names, repeats left out; undefined when it names none. */
export function operationKeys(
  needs: Needs,
  { values, clockMs }: { readonly values: Values; readonly clockMs: number },
): string | undefined {
  const parts: string[] = [];
  const { opIds = [], approvalIds = [], mandateIds = [], dueMs } = needs;
  if (opIds.length > 0) parts.push(`SELECT unnest(${values.bind(opIds, 'text[]')}) AS op_id`);
  if (approvalIds.length > 0) {
    const ids = values.bind(approvalIds, 'text[]');
    const sinceMs = values.bind(clockMs - rejectWindowMs, 'bigint');
    parts.push(
      `SELECT op_id FROM intentplane.approval WHERE approval_id = ANY (${ids})`,
      `SELECT r.op_id FROM intentplane.approval a JOIN intentplane.approval r
         ON r.mandate_id = a.mandate_id AND r.state = 'REJECTED' AND r.ended_ms > ${sinceMs}
       WHERE a.approval_id = ANY (${ids})`,
    );
  }
  if (mandateIds.length > 0) {
    const ids = values.bind(mandateIds, 'text[]');
    parts.push(
      `SELECT op_id FROM intentplane.approval WHERE mandate_id = ANY (${ids}) AND ${isOpenState}`,
    );
  }
  if (dueMs !== undefined) {
    parts.push(
      `SELECT op_id FROM intentplane.approval
       WHERE ${isOpenState} AND expires_ms <= ${values.bind(dueMs, 'bigint')}`,
    );
  }
  if (needs.orphansBeside !== undefined) {
    parts.push(
      `SELECT op_id FROM intentplane.operation WHERE state = 'DISPATCHING'
         AND (owner IS NULL OR owner <> ALL (${values.bind(needs.orphansBeside, 'text[]')}))`,
    );
  }
  return parts.length === 0 ? undefined : parts.join('\nUNION ');
}

/** The calls that repeat an earlier one, by their place in the list: hardly any of them. */
export function findRepeated(repeats: readonly RepeatNeed[]): Statement {
  const values = new Values();
  const sql = `SELECT k.place FROM ${repeatRows(repeats, values)} WHERE EXISTS (
      SELECT 1 FROM intentplane.operation o WHERE o.fingerprint <> ''
        AND o.fingerprint = k.fingerprint AND o.mandate_line = coalesce(m.line, k.mandate_id))`;
  return { sql, values: values.list };
}

/** `SELECT op_id …` of earlier operations that mean something: each kind by its own index. */
export function repeatKeys(repeats: readonly RepeatNeed[], values: Values): string {
  const newest = (condition: string, max: number): string =>
    `(SELECT o.op_id FROM intentplane.operation o WHERE o.fingerprint = k.fingerprint
        AND o.mandate_line = coalesce(m.line, k.mandate_id) AND ${condition}
      ORDER BY o.n DESC LIMIT ${max})`;
  return `SELECT r.op_id FROM ${repeatRows(repeats, values)}
    CROSS JOIN LATERAL (
      ${newest(`o.fingerprint <> ''`, 1)}
      UNION ${newest(`o.state IN ('DISPATCHING', 'UNKNOWN')`, repeatsMax)}
      UNION ${newest(`o.state = 'SUCCEEDED' AND NOT o.told`, repeatsMax)}
      UNION ${newest(`o.state = 'SUCCEEDED' AND o.fingerprint <> ''`, 1)}
    ) r`;
}

function repeatRows(repeats: readonly RepeatNeed[], values: Values): string {
  const fingerprints = repeats.map((each) => each.fingerprint);
  const mandates = repeats.map((each) => each.mandateId);
  return `unnest(${values.bind(fingerprints, 'text[]')}, ${values.bind(mandates, 'text[]')})
      WITH ORDINALITY AS k (fingerprint, mandate_id, place)
    LEFT JOIN intentplane.mandate m ON m.mandate_id = k.mandate_id`;
}

/** The same with the mandates above them: of each line of ancestors the newest. */
export function chainKeys(needs: Needs, values: Values): string | undefined {
  const keys = mandateKeys(needs, values);
  if (keys === undefined) return undefined;
  return `${keys}
    UNION SELECT (SELECT n.mandate_id FROM intentplane.mandate n WHERE n.line = above.line
      ORDER BY n.n DESC LIMIT 1)
    FROM intentplane.mandate m
    CROSS JOIN LATERAL json_array_elements_text(m.ancestors::json) AS above (line)
    WHERE m.mandate_id IN (${mandateKeys(needs, values)})`;
}

/** `SELECT mandate_id …` of the mandates that `needs` names; undefined when it names none. */
function mandateKeys(needs: Needs, values: Values): string | undefined {
  const parts: string[] = [];
  const { mandateIds = [], approvalIds = [], agents = [] } = needs;
  if (mandateIds.length > 0) {
    parts.push(`SELECT unnest(${values.bind(mandateIds, 'text[]')}) AS mandate_id`);
  }
  if (approvalIds.length > 0) {
    const ids = values.bind(approvalIds, 'text[]');
    parts.push(`SELECT mandate_id FROM intentplane.approval WHERE approval_id = ANY (${ids})`);
  }
  if (agents.length > 0) {
    const principals = values.bind(
      agents.map((each) => each.principal),
      'text[]',
    );
    const names = values.bind(
      agents.map((each) => each.agent),
      'text[]',
    );
    parts.push(
      `SELECT r.mandate_id FROM unnest(${principals}, ${names}) AS k (principal, agent)
       CROSS JOIN LATERAL (SELECT m.mandate_id FROM intentplane.mandate m
         WHERE m.principal = k.principal AND m.agent = k.agent ORDER BY m.n DESC LIMIT 1) r`,
    );
  }
  return parts.length === 0 ? undefined : parts.join('\nUNION ');
}
