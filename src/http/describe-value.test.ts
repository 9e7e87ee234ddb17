import { describe, expect, it } from 'vitest';
import type { ShownValue } from '../gateway/gateway.ts';
import { sourceLine, valueNotes } from './describe-value.ts';

const clock = { nowMs: Date.UTC(2026, 10, 30, 13), zone: 'UTC' };
const plain: ShownValue = { label: 'To', path: 'to', display: 'x', source: '', warnings: [] };
const textOf = (markup: { readonly text: string }): string => markup.text.replace(/<[^>]*>/g, '');

describe('sourceLine', () => {
  const line = (changes: Partial<ShownValue>): string =>
    textOf(sourceLine({ ...plain, ...changes }, clock));

  it('names registry, record, version and age', () => {
    const changedAtMs = Date.UTC(2026, 9, 1, 9);
    const source = 'registry:vendors';
    expect(line({ source, recordId: 'acme', recordVersion: '12', changedAtMs })).toBe(
      'From the registry vendors, record acme, version 12, changed 2026-10-01 (60 days ago)',
    );
    expect(line({ source, recordVersion: 'f'.repeat(64) })).toBe(
      'From the registry vendors, version ffffffffffff…',
    );
    expect(line({ source, changedAtMs: clock.nowMs + 86_400_000 })).toBe(
      'From the registry vendors, changed 2026-12-01 (a date that lies ahead)',
    );
  });

  it('says in words where other values come from', () => {
    expect(line({ source: 'request' })).toBe('From your own request');
    expect(line({ source: 'const:EUR' })).toBe('Fixed by the contract: EUR');
    expect(line({ source: 'mandate:payees' })).toBe('From the mandate, claim payees');
    expect(line({})).toBe('Written by the agent. No source is asked for this value.');
    expect(line({ source: 'ledger:<b>', recordId: 'r1' })).toBe('From ledger:&lt;b&gt;, record r1');
  });
});

describe('valueNotes', () => {
  const notes = (display: string, warnings: readonly string[] = []): readonly string[] =>
    valueNotes({ ...plain, display, warnings }).map(({ text }) => textOf(text));

  it('has nothing to say about a plain value', () => {
    expect(notes('DE89 3704 0044 0532 0130 00')).toEqual([]);
    expect(notes('Grüße,\r\nMaya\n\tLtd')).toEqual([]);
  });

  it('tells warnings in words, harmless ones quietly, unknown ones as they are', () => {
    expect(notes('x', ['SPACES_REMOVED', 'IDN', 'changed <yesterday>'])).toEqual([
      'The agent wrote it with other spaces.',
      'The domain has letters other than a to z.',
      'changed &lt;yesterday&gt;',
    ]);
    const quiet = valueNotes({ ...plain, warnings: ['SPACES_REMOVED', 'IDN', 'other'] });
    expect(quiet.map(({ isQuiet }) => isQuiet)).toEqual([true, false, false]);
  });

  it('flags hidden characters, outer space and letters of another alphabet', () => {
    expect(notes('p\u0430yp\u0430l\u200b.com ')).toEqual([
      'It holds characters that cannot be seen; they are written as U+ and a number.',
      'It starts or ends with a space or a line break.',
      'A word mixes Latin letters with letters of another alphabet: \u0430 U+0430',
    ]);
    expect(notes('Москва and Paris')).toEqual([]);
  });
});
