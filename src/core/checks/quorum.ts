// Who may answer a request, and when enough of them have.
import type { ApprovalTerms, Vote } from '../operation.ts';
import type { People, PersonRow } from '../person.ts';

/** Level 1: the principal's own answer. */
export const principalAlone: ApprovalTerms = {
  kind: 'confirm',
  count: 0,
  roles: [],
  exclude: [],
  includeUser: true,
  soloWaitMs: undefined,
};

/** Level 2 where nothing else is said: one other person. */
export const oneApprover: ApprovalTerms = { ...principalAlone, count: 1, includeUser: false };

/** What one request asks for, and of whom. */
export interface QuorumQuestion {
  readonly terms: ApprovalTerms;
  /** Handle of the mandate's principal. */
  readonly principal: string;
  readonly people: People;
}

/** The person of this name; a principal whom nobody wrote down is a person without a role. */
export function findPerson(
  { people, principal }: QuorumQuestion,
  handle: string,
): PersonRow | undefined {
  const known = people.persons.find((person) => person.handle === handle);
  if (known !== undefined) return known.status === 'active' ? known : undefined;
  return handle === principal ? unwritten(handle) : undefined;
}

/** One person alone who counts for all. */
const unwritten = (handle: string): PersonRow => ({
  personId: handle,
  handle,
  name: handle,
  email: undefined,
  roles: [],
  status: 'active',
  awayUntilMs: undefined,
  passcode: undefined,
  oidcSubject: undefined,
  origin: 'config',
  createdMs: 0,
});

/** Roles that are needed, once for each person: the listed ones, and approvers for the rest of the count. */
export function seatsOf({
  count,
  roles,
}: Pick<ApprovalTerms, 'count' | 'roles'>): readonly string[] {
  const rest = Math.max(0, count - roles.length);
  return [...roles, ...Array.from({ length: rest }, () => 'approver')];
}

/** Whether this person's approval counts. */
export function mayApprove(person: PersonRow, { terms, principal }: QuorumQuestion): boolean {
  if (person.status !== 'active') return false;
  const isPrincipal = person.handle === principal;
  if (terms.soloWaitMs !== undefined) return isPrincipal;
  if (isPrincipal) return terms.includeUser;
  if (terms.exclude.includes(person.handle)) return false;
  return seatsOf(terms).some((role) => person.roles.includes(role));
}

/** The principal may always say no. */
export function mayReject(person: PersonRow, question: QuorumQuestion): boolean {
  const isPrincipal = person.handle === question.principal && person.status === 'active';
  return isPrincipal || mayApprove(person, question);
}

/** Votes of people who may still give them, with passkeys that are still theirs. */
function standingVotes(
  votes: readonly Vote[],
  question: QuorumQuestion,
): readonly { readonly vote: Vote; readonly person: PersonRow }[] {
  return votes.flatMap((vote) => {
    const person = personOfVote(vote, question);
    if (person === undefined || !mayApprove(person, question)) return [];
    return isKeyStanding(vote, question.people) ? [{ vote, person }] : [];
  });
}

function personOfVote({ personId }: Vote, question: QuorumQuestion): PersonRow | undefined {
  const known = question.people.persons.find((person) => person.personId === personId);
  return known ?? (personId === question.principal ? findPerson(question, personId) : undefined);
}

function isKeyStanding({ credentialId, personId }: Vote, { credentials }: People): boolean {
  if (credentialId === undefined) return true;
  return credentials.some(
    (each) =>
      each.credentialId === credentialId && each.personId === personId && each.status === 'active',
  );
}

/** Enough different people, each listed role filled by a different one, and the principal where asked. */
export function isQuorumFull(votes: readonly Vote[], question: QuorumQuestion): boolean {
  const { terms, principal } = question;
  const standing = standingVotes(votes, question);
  if (terms.soloWaitMs !== undefined)
    return isSoloFull(
      standing.map(({ vote }) => vote),
      terms,
    );
  const people = distinct(standing.map(({ person }) => person));
  const others = people.filter(({ handle }) => handle !== principal);
  const hasUser = others.length < people.length;
  if (terms.includeUser && !hasUser) return false;
  return canFill(seatsOf(terms), others);
}

function isSoloFull(votes: readonly Vote[], { soloWaitMs = 0 }: ApprovalTerms): boolean {
  const [first, last] = [votes[0], votes.at(-1)];
  return (
    first !== undefined &&
    last !== undefined &&
    last.atMs >= first.atMs + soloWaitMs &&
    votes.length > 1
  );
}

/** Whether those who are there could answer it, people who are away left out. */
export function canBeAnswered(question: QuorumQuestion, nowMs: number): boolean {
  const { people, principal, terms } = question;
  const user = findPerson(question, principal);
  const able = distinct(user === undefined ? people.persons : [...people.persons, user]).filter(
    (person) => (person.awayUntilMs ?? 0) <= nowMs && mayApprove(person, question),
  );
  const others = able.filter(({ handle }) => handle !== principal);
  const hasUser = others.length < able.length;
  if (terms.soloWaitMs !== undefined) return hasUser;
  if (terms.includeUser && !hasUser) return false;
  return canFill(seatsOf(terms), others);
}

const distinct = (people: readonly PersonRow[]): readonly PersonRow[] => [
  ...new Map(people.map((person) => [person.personId, person])).values(),
];

/** Each seat by a person of its own: tries the people for the first one, then the rest for the others. */
function canFill(seats: readonly string[], people: readonly PersonRow[]): boolean {
  const [role, ...rest] = seats;
  if (role === undefined) return true;
  return people.some(
    (person) =>
      person.roles.includes(role) &&
      canFill(
        rest,
        people.filter((other) => other !== person),
      ),
  );
}
