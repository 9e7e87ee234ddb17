import { StoreError } from './store.ts';

/** The outcome of an attempt is either recorded or the process stops: a bug must not hide that. */
export function outcomeError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('STORE_FAILED', 'an outcome could not be recorded', { cause: error });
}
