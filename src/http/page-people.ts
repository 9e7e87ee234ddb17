// The people of the page, as the store has them now.
import { findPerson, principalAlone } from '../core/checks/quorum.ts';
import { type People, type PersonRow, readPeople } from '../core/person.ts';
import type { PageContext } from './page-context.ts';

type Source = Pick<PageContext, 'records'>;

/** Everybody and every passkey. */
export async function peopleOf({ records }: Source): Promise<People> {
  const kinds = ['person', 'credential'] as const;
  const found = await Promise.all(kinds.map((kind) => records.readRecords({ kind })));
  return readPeople(found.flat());
}

/** Whoever types this name; a principal whom nobody wrote down is somebody. */
export function personOfHandle(
  people: People,
  { principal }: Pick<PageContext, 'principal'>,
  handle: string,
): PersonRow | undefined {
  return findPerson({ people, principal, terms: principalAlone }, handle);
}

/** The person of a session or a passkey, as long as nobody removed them. */
export function personOfId(
  people: People,
  { principal }: Pick<PageContext, 'principal'>,
  personId: string,
): PersonRow | undefined {
  const known = people.persons.find((person) => person.personId === personId);
  if (known !== undefined) return known.status === 'active' ? known : undefined;
  const unwritten = personOfHandle(people, { principal }, principal);
  return unwritten?.personId === personId ? unwritten : undefined;
}
