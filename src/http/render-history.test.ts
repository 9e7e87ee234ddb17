import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import type { HistoryNote, ShownDraft } from '../gateway/gateway.ts';
import { html } from './html.ts';
import { draftsPart, historyPart } from './render-history.ts';

const clock = { nowMs: Date.UTC(2026, 10, 30), zone: 'Europe/Berlin' };
const words = (note: HistoryNote): string =>
  historyPart([note])
    .text.replace(/^.*<li class="/, '')
    .replace(/<\/li>.*$/, '');

const multiple: HistoryNote = {
  kind: 'amount_multiple',
  multiple: 7.5,
  median: 100_00.5,
  currency: 'EUR',
  of: 20,
  flagged: true,
};

const draft: ShownDraft = {
  draftId: 'd',
  action: 'payments.transfer',
  recipientPaths: ['iban'],
  recipient: '<b>Nordwind</b>',
  ceiling: 1_240_00,
  currency: 'EUR',
  basis: ['a', 'b', 'c'],
  createdMs: clock.nowMs,
  expiresMs: Date.UTC(2026, 11, 30),
};

describe('historyPart', () => {
  verifies('APR-22', 'says each comparison in words, loud where somebody should look', () => {
    expect(words({ kind: 'first_recipient' })).toBe(
      'loud">Nothing was done for this recipient before.',
    );
    expect(words(multiple)).toBe(
      'loud">The amount is 7.5 times the usual one: the median of the last 20 is 100.01 EUR.',
    );
    expect(words({ ...multiple, flagged: false, currency: undefined, median: 2.5 })).toBe(
      'quiet">The amount is 7.5 times the usual one: the median of the last 20 is 2.5.',
    );
    expect(words({ kind: 'field_changed', label: '<i>' })).toBe(
      'quiet">Not as the last time for this recipient: <bdi>&lt;i&gt;</bdi>',
    );
    const record = { kind: 'record_changed', label: 'Account', path: 'iban' } as const;
    expect(words({ ...record, daysAgo: 0 })).toContain('changed less than a day ago.');
    expect(words({ ...record, daysAgo: 1 })).toContain('changed 1 day ago.');
    expect(words({ ...record, daysAgo: 30 })).toContain('changed 30 days ago.');
    expect(words({ kind: 'recent_denials', count: 1 })).toContain('1 proposal of this agent was');
    expect(words({ kind: 'recent_denials', count: 4 })).toContain('4 proposals of this agent were');
  });

  it('says that nothing stands out', () => {
    expect(historyPart([]).text).toContain('Nothing stands out.');
  });
});

describe('draftsPart', () => {
  verifies('APR-25', 'shows a draft with recipient and ceiling, and that it allows nothing', () => {
    const { text } = html`${draftsPart([draft], clock)}`;
    expect(text).toContain(
      'You approved this three times: <code><bdi>payments.transfer</bdi></code> to <bdi>&lt;b&gt;Nordwind&lt;/b&gt;</bdi>, up to 1240.00 EUR.',
    );
    expect(text).toContain('It allows nothing until it is signed.');
  });

  it('names no recipient that was erased, and is absent without a draft', () => {
    const { text } = html`${draftsPart([{ ...draft, recipient: undefined }], clock)}`;
    expect(text).toContain('to a recipient that was erased');
    expect(draftsPart([], clock)).toBeUndefined();
  });
});
