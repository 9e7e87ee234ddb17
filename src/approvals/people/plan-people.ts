// Changes of people as writes: documents with the receipt of each change.
import type { KeptRecord, RecordChange } from '../../core/kept-record.ts';
import type { LeafDraft } from '../../core/leaf.ts';
import type { CredentialRow, PersonRow } from '../../core/person.ts';
import { enrolmentCodeId } from '../enrolment-code.ts';

/** How long a code can be used: 10 min. */
export const codeValidMs = 600_000;

/** Who did it; stands in the receipt behind a commitment. */
export interface Deed {
  readonly by: string;
  readonly singleUser: boolean;
}

export interface PeopleWrites {
  readonly changes: readonly RecordChange[];
  readonly leaves: readonly LeafDraft[];
}

type PersonStep = 'added' | 'changed' | 'removed';

export function putPerson(
  person: PersonRow,
  from: number | undefined,
  deed: Deed & { readonly step: PersonStep },
): PeopleWrites {
  const { personId: id } = person;
  return {
    changes: [{ kind: 'person', id, owner: id, from, fields: JSON.stringify(person) }],
    leaves: [leafOf(person, { ...deed, kind: 'person' })],
  };
}

/** One code at a time: an older one of the same person ends. */
export function putCode(
  person: PersonRow,
  code: string,
  context: Deed & { readonly nowMs: number; readonly older: readonly KeptRecord[] },
): PeopleWrites {
  const fresh: RecordChange = {
    kind: 'enrolment',
    id: enrolmentCodeId(code),
    owner: person.personId,
    from: undefined,
    fields: '{}',
    expiresMs: context.nowMs + codeValidMs,
  };
  return {
    changes: [...context.older.map(endOf), fresh],
    leaves: [leafOf(person, { ...context, kind: 'enrolment', step: 'added' })],
  };
}

/** Passkeys are taken away, a passcode that was typed in is forgotten, every session ends. */
export function resetPerson(
  person: PersonRow,
  owned: {
    readonly version: number;
    readonly credentials: readonly KeptRecord[];
    readonly others: readonly KeptRecord[];
  },
  deed: Deed,
): PeopleWrites {
  const cleared = person.origin === 'command' ? { ...person, passcode: undefined } : person;
  const { changes, leaves } = putPerson(cleared, owned.version, { ...deed, step: 'changed' });
  return {
    changes: [...changes, ...owned.credentials.map(takenAway), ...owned.others.map(endOf)],
    leaves: [
      ...leaves,
      ...owned.credentials.map(() =>
        leafOf(person, { ...deed, kind: 'credential', step: 'removed' }),
      ),
    ],
  };
}

function takenAway(record: KeptRecord): RecordChange {
  const credential = JSON.parse(record.fields) as CredentialRow;
  const { kind, id, owner, version } = record;
  const fields = JSON.stringify({ ...credential, status: 'removed' });
  return { kind, id, owner, from: version, fields };
}

function endOf({ kind, id, owner, version }: KeptRecord): RecordChange {
  return { kind, id, owner, from: version, fields: undefined };
}

function leafOf(
  { handle, name, roles }: PersonRow,
  { kind, step, by, singleUser }: Deed & { readonly kind: string; readonly step: PersonStep },
): LeafDraft {
  return {
    type: 'person.change',
    open: {
      kind,
      change: step,
      ...(kind === 'person' ? { roles: [...roles] } : {}),
      ...(kind === 'credential' ? { credential: 'passkey' } : {}),
    },
    committed: { person: handle, name, by, ...(singleUser ? { single_user: true } : {}) },
  };
}
