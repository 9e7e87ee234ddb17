// `[[people]]`: who may answer requests besides the owner.
import { type BuildContext, reporter } from './build-context.ts';
import { principalDefault } from './build-mandate.ts';
import type { PersonConfig } from './config.ts';
import type { FileShape, PersonShape } from './file-shape.ts';
import { readPasscode } from './read-passcode.ts';

export function buildPeople(shape: FileShape, context: BuildContext): PersonConfig[] {
  const { people = [] } = shape;
  refuseTwins(people, context);
  refuseTwoPasscodes(shape, context);
  return people.map((person, i) => buildPerson(person, i, context));
}

function buildPerson(person: PersonShape, i: number, context: BuildContext): PersonConfig {
  const passcode = readPasscode(person.passcode, context, ['people', i]);
  return {
    id: person.id,
    name: person.name ?? person.id,
    email: person.email,
    roles: person.roles ?? [],
    passcode: passcode?.parsed,
    passcodeText: passcode?.text,
    oidcSubject: person.oidc_subject,
    awayUntilMs: person.away_until,
  };
}

/** The owner may stand in the list too; the passcode in one of both places. */
function refuseTwoPasscodes(
  { people = [], mandate, approvals }: FileShape,
  context: BuildContext,
): void {
  const principal = mandate?.principal ?? principalDefault;
  const i = people.findIndex(({ id }) => id === principal);
  const own = people[i]?.passcode;
  if (own === undefined || approvals?.passcode === undefined || own === approvals.passcode) return;
  reporter(context, ['people', i])(
    ['passcode'],
    `is another one than that of [approvals], and both are of \`${principal}\`: keep one`,
  );
}

/** Two people who could be taken for each other. */
function refuseTwins(people: readonly PersonShape[], context: BuildContext): void {
  const report = reporter(context, ['people']);
  for (const key of ['id', 'email', 'oidc_subject'] as const) {
    for (const [i, person] of people.entries()) {
      const value = person[key];
      const first = people.findIndex((each) => each[key] === value);
      if (value === undefined || first === i) continue;
      report([i, key], `\`${value}\` is that of people[${first}] already`);
    }
  }
}
