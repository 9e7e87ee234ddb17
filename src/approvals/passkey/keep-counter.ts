// The signature counter of a passkey after a use.
import type { KeptRecord, RecordChange } from '../../core/kept-record.ts';
import type { LeafDraft } from '../../core/leaf.ts';
import type { CredentialRow } from '../../core/person.ts';
import type { AssertionVerdict } from './assertion.ts';

/** A passkey with its record. */
export interface KeptCredential {
  readonly record: KeptRecord;
  readonly credential: CredentialRow;
}

export interface CounterKeeper {
  readonly changeRecords: (
    changes: readonly RecordChange[],
    leaves: readonly LeafDraft[],
  ) => Promise<boolean>;
}

/** False when the counter went back: the passkey may have been copied, and the caller says so. */
export async function keepCounter(
  store: CounterKeeper,
  { record, credential }: KeptCredential,
  { counter, counterWentBack }: Extract<AssertionVerdict, { ok: true }>,
): Promise<boolean> {
  if (counterWentBack) return false;
  if (counter === credential.counter) return true;
  const { kind, id, owner, version } = record;
  const fields = JSON.stringify({ ...credential, counter });
  // Refused when somebody else changed it meanwhile: the next use counts on.
  await store.changeRecords([{ kind, id, owner, from: version, fields }], []);
  return true;
}
