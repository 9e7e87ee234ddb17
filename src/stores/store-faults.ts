// What stores make of errors that are not their own.
import { CanonicalJsonError } from '../core/canonical-json.ts';
import { LeafError } from '../core/leaf.ts';
import { StoreError } from './store.ts';

/** A leaf that cannot be sealed: the transaction that carries it fails, and a bug stays a bug. */
export function sealingError(error: unknown): unknown {
  if (!(error instanceof LeafError || error instanceof CanonicalJsonError)) return error;
  return new StoreError('STORE_FAILED', `a receipt cannot be written: ${error.message}`, {
    cause: error,
  });
}

/** False for a conflict; throws anything else. */
export function isConflict(error: unknown): false {
  if (error instanceof StoreError && error.code === 'STORE_CONFLICT') return false;
  throw error;
}
