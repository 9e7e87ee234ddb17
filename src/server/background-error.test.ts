import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { StoreError } from '../stores/store.ts';
import { backgroundError } from './background-error.ts';
import { ReconcileRunner } from './reconcile-runner.ts';

function met(error: unknown): { readonly said: readonly string[]; readonly stopped: number } {
  const said: string[] = [];
  let stopped = 0;
  const onFatal = (): void => {
    stopped += 1;
  };
  backgroundError((level, message) => said.push(`${level} ${message}`), onFatal)(error);
  return { said, stopped };
}

const failed = new StoreError('STORE_FAILED', 'the store failed', { fatal: true });

describe('an error in the background', () => {
  verifies('EXE-15', 'stops the process when the store failed, and is only said otherwise', () => {
    expect(met(failed)).toEqual({ said: ['error store: the store failed'], stopped: 1 });
    expect(met(new StoreError('STORE_BUSY', 'busy'))).toEqual({
      said: ['error store: busy'],
      stopped: 0,
    });
    expect(met('odd')).toEqual({ said: ['error store: odd'], stopped: 0 });
  });

  it('is met by look-ups too', async () => {
    const met: unknown[] = [];
    const checkUnknown = (): Promise<boolean> => Promise.reject(failed);
    const runner = new ReconcileRunner(
      { checkUnknown },
      { log: () => {}, onError: (error) => met.push(error) },
    );
    runner.tick();
    await runner.close();
    expect(met).toEqual([failed]);
  });
});
