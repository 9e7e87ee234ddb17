// A request against what was done before: facts for the person who answers it, from own rows only.
import { type OperationHistory, restField } from '../core/history.ts';
import { median } from '../core/median.ts';
import { fieldOfPath } from './compared-call.ts';
import type { HistoryNote, ShownValue } from './gateway.ts';

/** Earlier amounts that a median is shown from. */
const amountsMin = 3;
/** An amount this many times the median is flagged. */
const flaggedFrom = 5;
const dayMs = 86_400_000;
/** How long a change of a record is news: 30 days. */
const recordNewsMs = 30 * dayMs;

interface Compared {
  /** Undefined when nothing is known of the operation. */
  readonly history: OperationHistory | undefined;
  readonly values: readonly ShownValue[];
  readonly nowMs: number;
}

/** In the order in which they are shown; empty when nothing stands out. */
export function historyNotes({ history, values, nowMs }: Compared): readonly HistoryNote[] {
  return [
    ...recipientNotes(history),
    ...amountNotes(history),
    ...fieldNotes(history, values),
    ...recordNotes(values, nowMs),
    ...denialNotes(history),
  ];
}

function recipientNotes(history: OperationHistory | undefined): readonly HistoryNote[] {
  return history?.compared?.earlier.count === 0 ? [{ kind: 'first_recipient' }] : [];
}

function amountNotes(history: OperationHistory | undefined): readonly HistoryNote[] {
  if (history?.compared === undefined) return [];
  const { own, earlier } = history.compared;
  const middle = median(earlier.amounts);
  if (own.amount === undefined || middle === undefined || earlier.amounts.length < amountsMin) {
    return [];
  }
  const multiple = own.amount / middle;
  return [
    {
      kind: 'amount_multiple',
      multiple: Math.round(multiple * 10) / 10,
      median: middle,
      currency: own.currency,
      of: earlier.amounts.length,
      flagged: multiple >= flaggedFrom,
    },
  ];
}

/** Only names: what stood there before is not kept. */
function fieldNotes(
  history: OperationHistory | undefined,
  values: readonly ShownValue[],
): readonly HistoryNote[] {
  const last = history?.compared?.earlier.lastFields;
  if (history?.compared === undefined || last === undefined) return [];
  const { fields } = history.compared.own;
  const names = new Set([...Object.keys(fields), ...Object.keys(last)]);
  return [...names]
    .filter((name) => fields[name] !== last[name])
    .map((name) => ({ kind: 'field_changed', label: labelOf(name, values) }));
}

function labelOf(field: string, values: readonly ShownValue[]): string {
  if (field === restField) return 'other arguments';
  return values.find(({ path }) => fieldOfPath(path) === field)?.label ?? field;
}

/** A record of tomorrow was changed today: clocks differ. */
function recordNotes(values: readonly ShownValue[], nowMs: number): readonly HistoryNote[] {
  return values.flatMap(({ label, path, changedAtMs }) => {
    if (changedAtMs === undefined || nowMs - changedAtMs > recordNewsMs) return [];
    const daysAgo = Math.max(0, Math.floor((nowMs - changedAtMs) / dayMs));
    return [{ kind: 'record_changed', label, path, daysAgo } as const];
  });
}

function denialNotes(history: OperationHistory | undefined): readonly HistoryNote[] {
  const count = history?.recentDenials ?? 0;
  return count === 0 ? [] : [{ kind: 'recent_denials', count }];
}
