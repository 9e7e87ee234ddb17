// What the commands about people share: the store, the people in it, and who is at the terminal.

import { makeEnrolmentCode } from '../approvals/people/enrolment-text.ts';
import {
  type AdminRefusal,
  adminRefusals,
  mayAdminister,
} from '../approvals/people/may-administer.ts';
import {
  codeValidMs,
  type Deed,
  type PeopleWrites,
  putCode,
} from '../approvals/people/plan-people.ts';
import type { Config } from '../config/config.ts';
import { findPerson, principalAlone } from '../core/checks/quorum.ts';
import type { KeptRecord } from '../core/kept-record.ts';
import { type People, type PersonRow, personIdOf, readPeople } from '../core/person.ts';
import { randomSource } from '../server/compose.ts';
import { openStore } from '../server/open-store.ts';
import { prepare } from '../server/prepare.ts';
import { syncPeople } from '../server/sync-people.ts';
import type { Store } from '../stores/store.ts';
import { isPersonAtTerminal } from './ask-passcode.ts';
import {
  type CommandInput,
  type ExitCode,
  optionalText,
  requiredText,
  UsageError,
} from './command.ts';

export interface PeopleDesk {
  readonly config: Config;
  readonly store: Store;
  readonly records: readonly KeptRecord[];
  readonly people: People;
  readonly secret: Uint8Array;
}

/** Opens the store with the people of the file in it. */
export async function withPeople(
  input: CommandInput,
  work: (desk: PeopleDesk) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { config } = prepare(requiredText(input, 'config'));
  const { store, started } = await openStore(config);
  try {
    await syncPeople(store, config, { nowMs: Date.now, secret: started.secret });
    const kinds = ['person', 'credential'] as const;
    const records = (await Promise.all(kinds.map((kind) => store.readRecords({ kind })))).flat();
    const people = readPeople(records);
    return await work({ config, store, records, people, secret: started.secret });
  } finally {
    await store.close();
  }
}

/** The handle that the command names. */
export function handleOf(input: CommandInput): string {
  const [handle = ''] = input.positionals;
  if (/^[A-Za-z0-9._-]{1,64}$/.test(handle)) return handle;
  throw new UsageError('name one person: 1 to 64 of the characters A-Z a-z 0-9 . _ -');
}

/** Undefined when this person may not do it, or is somebody else: the answer is given then. */
export async function deedOf(
  input: CommandInput,
  { config, store, people }: PeopleDesk,
  about: string,
): Promise<Deed | undefined> {
  const { principal } = config.mandate;
  const by = optionalText(input, 'by') ?? principal;
  const may = mayAdminister({ people, principal, by, about });
  if (!may.ok) return refuse(input, may.error);
  const actor = findPerson({ people, principal, terms: principalAlone }, by);
  const passcodeText = by === principal ? config.approvals.passcodeText : actor?.passcode;
  if (await isPersonAtTerminal({ store, handle: by, passcodeText, isOwner: by === principal })) {
    return { by, singleUser: may.value.singleUser };
  }
  input.output.answer({ ok: false, error: 'WRONG_PASSCODE' }, ['wrong passcode: nothing changed']);
  return undefined;
}

function refuse({ output }: CommandInput, code: AdminRefusal): undefined {
  output.answer({ ok: false, error: code }, [adminRefusals[code]]);
}

/** The row of a person with its version; the owner is written down when it is needed. */
export function rowOf(
  { people, records, config, secret }: PeopleDesk,
  handle: string,
): { readonly person: PersonRow; readonly version: number | undefined } | undefined {
  const known = people.persons.find((person) => person.handle === handle);
  const record = records.find(({ kind, id }) => kind === 'person' && id === known?.personId);
  if (known !== undefined) return { person: known, version: record?.version };
  if (handle !== config.mandate.principal) return undefined;
  return { person: newPerson(handle, { secret, roles: [] }), version: undefined };
}

/** Somebody whom the file does not name. */
export function newPerson(
  handle: string,
  context: {
    readonly secret: Uint8Array;
    readonly roles: readonly string[];
    readonly name?: string | undefined;
    readonly email?: string | undefined;
  },
): PersonRow {
  return {
    personId: personIdOf(context.secret, handle),
    handle,
    name: context.name ?? handle,
    email: context.email,
    roles: context.roles,
    status: 'active',
    awayUntilMs: undefined,
    passcode: undefined,
    oidcSubject: undefined,
    origin: 'command',
    createdMs: Date.now(),
  };
}

/** Writes all of it, with a new code when there is one, and says so. */
export async function writePeople(
  input: CommandInput,
  { store, config }: PeopleDesk,
  {
    writes,
    said,
    codeFor,
    deed,
  }: {
    readonly writes: PeopleWrites;
    readonly said: string;
    /** Person who gets a code. */
    readonly codeFor: PersonRow | undefined;
    readonly deed: Deed;
  },
): Promise<ExitCode> {
  const code = codeFor === undefined ? undefined : makeEnrolmentCode(randomSource());
  const older =
    codeFor === undefined
      ? []
      : await store.readRecords({ kind: 'enrolment', owner: codeFor.personId });
  const coded =
    code === undefined || codeFor === undefined
      ? { changes: [], leaves: [] }
      : putCode(codeFor, code, { ...deed, nowMs: Date.now(), older });
  const isDone = await store.changeRecords(
    [...writes.changes, ...coded.changes],
    [...writes.leaves, ...coded.leaves],
  );
  if (!isDone) {
    input.output.answer({ ok: false, error: 'CHANGED_MEANWHILE' }, [
      'somebody else changed this person at the same moment: nothing changed, try again',
    ]);
    return 1;
  }
  const site = config.approvals.pageUrl ?? `http://localhost:${config.approvals.listen.port}`;
  const expiresAt = new Date(Date.now() + codeValidMs).toISOString();
  input.output.answer(
    {
      ok: true,
      ...(code === undefined ? {} : { code, url: `${site}/enrol`, expires_at: expiresAt }),
    },
    [
      said,
      ...(code === undefined
        ? []
        : [
            `one-time code: ${code}`,
            `to be used within 10 minutes at ${site}/enrol, by that person alone`,
          ]),
    ],
  );
  return 0;
}
