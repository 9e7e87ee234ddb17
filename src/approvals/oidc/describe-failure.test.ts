import { describe, expect, it } from 'vitest';
import { describeFailure } from './describe-failure.ts';

describe('describeFailure', () => {
  it('refuses for an error that it does not know', () => {
    for (const error of [undefined, null, 'text', new Error('odd'), { code: 7 }]) {
      expect(describeFailure(error)).toMatchObject({ ok: false, reason: 'TOKEN_INVALID' });
    }
  });

  it('repeats the error code of a provider and nothing else of its text', () => {
    const answered = (error: string) =>
      describeFailure(
        Object.assign(new Error('refused'), { code: 'OAUTH_RESPONSE_BODY_ERROR', error }),
      );
    expect(answered('invalid_client')).toEqual({
      ok: false,
      reason: 'CLIENT_REFUSED',
      detail: 'refused: invalid_client',
    });
    expect(answered('<b>Hello Ada').detail).toBe('refused');
    expect(answered('x'.repeat(41)).detail).toBe('refused');
  });
});
