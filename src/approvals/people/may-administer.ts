// Who may change people: an administrator, and never the one whom the change is about.
import type { People, PersonRow } from '../../core/person.ts';
import { err, ok, type Result } from '../../core/result.ts';

export type AdminRefusal = 'BY_UNKNOWN' | 'BY_NO_ADMIN' | 'BY_CONCERNED';

export const adminRefusals: Readonly<Record<AdminRefusal, string>> = {
  BY_UNKNOWN: 'nobody of that name is known, or they were removed',
  BY_NO_ADMIN: 'changes of people need somebody with the role admin',
  BY_CONCERNED: 'nobody decides about themselves: another person with the role admin has to do it',
};

export interface AdminQuestion {
  readonly people: People;
  /** Handle of the owner, the principal of the mandate. */
  readonly principal: string;
  /** Handles of who does it and of whom it is about. */
  readonly by: string;
  readonly about: string;
}

/**
 * Before anybody is an administrator the owner acts for all. Where the owner is the only person there
 * is, the owner acts alone, and the receipt says so (`singleUser`).
 */
export function mayAdminister({
  people,
  principal,
  by,
  about,
}: AdminQuestion): Result<{ readonly singleUser: boolean }, AdminRefusal> {
  const active = people.persons.filter(({ status }) => status === 'active');
  const actor = active.find(({ handle }) => handle === by);
  const wasRemoved = people.persons.some(
    ({ handle, status }) => handle === by && status !== 'active',
  );
  if (wasRemoved || (actor === undefined && by !== principal)) return err('BY_UNKNOWN');
  const isAlone = by === principal && active.every(({ handle }) => handle === principal);
  if (isAlone) return ok({ singleUser: about === principal });
  const admins = active.filter(isAdmin);
  if (admins.length === 0) {
    return by === principal ? ok({ singleUser: false }) : err('BY_NO_ADMIN');
  }
  if (actor === undefined || !isAdmin(actor)) return err('BY_NO_ADMIN');
  return by === about ? err('BY_CONCERNED') : ok({ singleUser: false });
}

const isAdmin = ({ roles }: PersonRow): boolean => roles.includes('admin');
