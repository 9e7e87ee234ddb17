// Whether an answer is tied to its person as strongly as a level asks.
import type { Assurance } from '../operation.ts';

/** A passkey that is bound to one device is a passkey too. */
export function isAccepted(assurance: Assurance, accepted: readonly Assurance[]): boolean {
  return (
    accepted.includes(assurance) || (assurance === 'passkey-bound' && accepted.includes('passkey'))
  );
}
