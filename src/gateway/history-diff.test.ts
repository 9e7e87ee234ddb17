import { describe, expect } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import type { EarlierOperations, HistoryRow, OperationHistory } from '../core/history.ts';
import type { HistoryNote, ShownValue } from './gateway.ts';
import { historyNotes } from './history-diff.ts';

const nowMs = 1_800_000_000_000;
const dayMs = 86_400_000;

const own: HistoryRow = {
  opId: '11'.repeat(16),
  recipientKey: 'acme',
  recipientPaths: ['iban'],
  fields: { amount: 'a', 'items[].sku': 's' },
  amount: 500,
  currency: 'EUR',
  atMs: nowMs,
};

const known: EarlierOperations = {
  count: 3,
  firstMs: nowMs - 90 * dayMs,
  amounts: [100, 90, 300],
  lastFields: own.fields,
};

const value = (over: Partial<ShownValue>): ShownValue => ({
  label: 'Account',
  path: 'iban',
  display: 'DE89 3704 0044 0532 0130 00',
  source: 'registry:vendors.iban',
  warnings: [],
  ...over,
});

interface Case {
  readonly row?: Partial<HistoryRow>;
  readonly earlier?: Partial<EarlierOperations>;
  readonly values?: readonly ShownValue[];
  readonly recentDenials?: number;
}

function notesOf({ row, earlier, values = [], recentDenials = 0 }: Case): readonly HistoryNote[] {
  const compared = { own: { ...own, ...row }, earlier: { ...known, ...earlier } };
  const history: OperationHistory = { compared, recentDenials };
  return historyNotes({ history, values, nowMs });
}

const kinds = (notes: readonly HistoryNote[]): readonly string[] => notes.map(({ kind }) => kind);

describe('historyNotes', () => {
  verifies('APR-22', 'says when nothing was done for this recipient before', () => {
    const none = { count: 0, firstMs: undefined, amounts: [], lastFields: undefined };
    expect(notesOf({ earlier: none })).toEqual([{ kind: 'first_recipient' }]);
    expect(kinds(notesOf({ earlier: { count: 1 } }))).not.toContain('first_recipient');
  });

  verifies('APR-22', 'shows the amount against the median, flagged from five times on', () => {
    const note = { kind: 'amount_multiple', median: 100, currency: 'EUR', of: 3 };
    expect(notesOf({})).toEqual([{ ...note, multiple: 5, flagged: true }]);
    expect(notesOf({ row: { amount: 499 } })).toEqual([{ ...note, multiple: 5, flagged: false }]);
    expect(notesOf({ row: { amount: 50 } })).toEqual([{ ...note, multiple: 0.5, flagged: false }]);
  });

  verifies('APR-22', 'needs three earlier amounts, and an amount', () => {
    expect(notesOf({ earlier: { count: 2, amounts: [100, 100] } })).toEqual([]);
    expect(notesOf({ row: { amount: undefined } })).toEqual([]);
  });

  verifies('APR-22', 'names the fields that differ from the last time, by their labels', () => {
    const lastFields = { amount: 'a', 'items[].sku': 'other', note: 'n' };
    const values = [value({ path: 'items[0].sku', label: 'Article' })];
    expect(
      notesOf({ earlier: { amounts: [], lastFields }, values, row: { amount: undefined } }),
    ).toEqual([
      { kind: 'field_changed', label: 'Article' },
      { kind: 'field_changed', label: 'note' },
    ]);
    const withRest = { ...own.fields, _rest: 'r' };
    expect(notesOf({ row: { fields: withRest, amount: undefined } })).toEqual([
      { kind: 'field_changed', label: 'other arguments' },
    ]);
  });

  verifies('APR-22', 'says which record was changed within 30 days', () => {
    const changed = (agoMs: number): readonly HistoryNote[] =>
      notesOf({ row: { amount: undefined }, values: [value({ changedAtMs: nowMs - agoMs })] });
    const note = { kind: 'record_changed', label: 'Account', path: 'iban' };
    expect(changed(2.5 * dayMs)).toEqual([{ ...note, daysAgo: 2 }]);
    expect(changed(30 * dayMs)).toEqual([{ ...note, daysAgo: 30 }]);
    expect(changed(30 * dayMs + 1)).toEqual([]);
    expect(changed(-5_000)).toEqual([{ ...note, daysAgo: 0 }]);
  });

  verifies('APR-22', 'counts what was refused lately, also without a recipient', () => {
    const history: OperationHistory = { compared: undefined, recentDenials: 4 };
    expect(historyNotes({ history, values: [], nowMs })).toEqual([
      { kind: 'recent_denials', count: 4 },
    ]);
    expect(historyNotes({ history: undefined, values: [], nowMs })).toEqual([]);
  });
});
