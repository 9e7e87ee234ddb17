import { describe, expect, it } from 'vitest';
import { CsrfTokens } from './csrf-token.ts';

describe('CsrfTokens', () => {
  const clock = { nowMs: 1_000 };
  const tokens = new CsrfTokens(new Uint8Array(32).fill(1), () => clock.nowMs);
  const subject = { approvalId: 'a'.repeat(32), opHash: 'b'.repeat(64) };
  const token = tokens.issue(subject);

  it('accepts its own token for the same request and operation', () => {
    expect(tokens.isValid(token, subject)).toBe(true);
  });

  it('refuses it for another request, another operation and another process', () => {
    expect(tokens.isValid(token, { ...subject, approvalId: 'c'.repeat(32) })).toBe(false);
    expect(tokens.isValid(token, { ...subject, opHash: 'c'.repeat(64) })).toBe(false);
    const other = new CsrfTokens(new Uint8Array(32).fill(2), () => clock.nowMs);
    expect(other.isValid(token, subject)).toBe(false);
  });

  it('refuses a changed expiry and every other shape', () => {
    const [untilMs = '', mac = ''] = token.split('.');
    const changed = [`${Number(untilMs) + 1}.${mac}`, mac, '', '.', `${untilMs}.`, `${token}x`];
    const lastFlipped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const text of [...changed, lastFlipped]) {
      expect(tokens.isValid(text, subject), text).toBe(false);
    }
  });

  it('refuses it from the expiry instant on', () => {
    clock.nowMs = 1_000 + 3_600_000 - 1;
    expect(tokens.isValid(token, subject)).toBe(true);
    clock.nowMs += 1;
    expect(tokens.isValid(token, subject)).toBe(false);
  });
});
