import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { isBusy, resultCode, toStoreError } from './sqlite-error.ts';

const databaseError = (errcode: unknown): Error => Object.assign(new Error('text'), { errcode });

describe('toStoreError', () => {
  it.each([
    [5, 'STORE_BUSY', false],
    [261, 'STORE_BUSY', false],
    [6, 'STORE_BUSY', false],
    [8, 'STORE_NOT_WRITABLE', false],
    [14, 'STORE_NOT_WRITABLE', false],
    [13, 'STORE_FULL', false],
    [19, 'STORE_CONFLICT', false],
    [2067, 'STORE_CONFLICT', false],
  ] as const)('reads code %i as %s', (errcode, code, fatal) => {
    expect(toStoreError(databaseError(errcode))).toMatchObject({ code, fatal });
  });

  verifies('EXE-26', 'stops for I/O errors, a damaged file and whatever is not listed', () => {
    for (const errcode of [10, 1034, 266, 11, 267, 26, 1, 999]) {
      expect(toStoreError(databaseError(errcode))).toMatchObject({
        code: 'STORE_FAILED',
        fatal: true,
      });
    }
  });

  it('keeps the cause, and leaves other errors alone', () => {
    const cause = databaseError(13);
    expect(toStoreError(cause)).toMatchObject({ cause });
    expect((toStoreError(cause) as Error).message).toContain('text, code 13');
    for (const other of [new Error('x'), databaseError('13'), 'text', undefined]) {
      expect(toStoreError(other)).toBe(other);
      expect(resultCode(other)).toBeUndefined();
      expect(isBusy(other)).toBe(false);
    }
  });
});
