import { describe, expect, it } from 'vitest';
import { answerForm, CsrfTokens } from './csrf-token.ts';

describe('CsrfTokens', () => {
  const clock = { nowMs: 1_000 };
  const tokens = new CsrfTokens(new Uint8Array(32).fill(1), () => clock.nowMs);
  const subject = { form: answerForm('a'.repeat(32), 'b'.repeat(64)), session: '' };
  const token = tokens.issue(subject);

  it('knows when a page with its own token was served', () => {
    expect(tokens.servedMs(token, subject)).toBe(1_000);
  });

  it('refuses it for another request, another operation, another session and another gateway', () => {
    for (const [id, hash] of [
      ['c', 'b'],
      ['a', 'c'],
    ] as const) {
      const form = answerForm(id.repeat(32), hash.repeat(64));
      expect(tokens.servedMs(token, { ...subject, form })).toBeUndefined();
    }
    expect(tokens.servedMs(token, { ...subject, session: 'd'.repeat(64) })).toBeUndefined();
    const other = new CsrfTokens(new Uint8Array(32).fill(2), () => clock.nowMs);
    expect(other.servedMs(token, subject)).toBeUndefined();
  });

  it('refuses a changed time and every other shape', () => {
    const [servedText = '', mac = ''] = token.split('.');
    const changed = [
      `${Number(servedText) + 1}.${mac}`,
      mac,
      '',
      '.',
      `${servedText}.`,
      `${token}x`,
    ];
    const lastFlipped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const text of [...changed, lastFlipped]) {
      expect(tokens.servedMs(text, subject), text).toBeUndefined();
    }
  });

  it('refuses it from the expiry instant on', () => {
    clock.nowMs = 1_000 + 3_600_000 - 1;
    expect(tokens.servedMs(token, subject)).toBe(1_000);
    clock.nowMs += 1;
    expect(tokens.servedMs(token, subject)).toBeUndefined();
  });
});
