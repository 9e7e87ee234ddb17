import { describe, expect } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { OperationState } from '../operation.ts';
import { checkOnce } from './once.ts';

describe('checkOnce', () => {
  verifies(
    'EXE-16',
    'refuses while another operation has the values; one that failed has not',
    () => {
      const states: readonly OperationState[] = ['DISPATCHING', 'UNKNOWN', 'SUCCEEDED'];
      for (const state of states) {
        expect(checkOnce({ opId: 'o', state })).toEqual([
          { code: 'EXECUTION_DUPLICATE', detail: 'once', opId: 'o' },
        ]);
      }
      expect(checkOnce({ opId: 'o', state: 'FAILED' })).toEqual([]);
      expect(checkOnce(undefined)).toEqual([]);
    },
  );
});
