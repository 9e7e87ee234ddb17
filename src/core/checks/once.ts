// Values that may succeed once, for ever: an invoice is paid once, whoever asks and whenever.
import type { Failure } from '../decision.ts';
import type { OnceFact } from '../facts.ts';

/** The refusal, naming the operation that has the values; a failed one has given them back. */
export function checkOnce(once: OnceFact | undefined): readonly Failure[] {
  if (once === undefined || once.state === 'FAILED') return [];
  return [{ code: 'EXECUTION_DUPLICATE', detail: 'once', opId: once.opId }];
}
