// What no two people may share: one person under two names would be four eyes with two.
import type { Report } from './build-context.ts';
import type { PersonConfig } from './config.ts';
import { emailKey } from './read-email.ts';

interface Unique {
  readonly key: string;
  readonly called: string;
  readonly of: (person: PersonConfig) => string | undefined;
}

const uniques: readonly Unique[] = [
  {
    key: 'email',
    called: 'e-mail',
    of: ({ email }) => (email === undefined ? undefined : emailKey(email)),
  },
  { key: 'oidc_subject', called: 'oidc_subject', of: ({ oidcSubject }) => oidcSubject },
  { key: 'passcode', called: 'passcode', of: ({ passcodeText }) => passcodeText },
];

/** Reports each thing that two people share, at the second of them. */
export function checkPeople(people: readonly PersonConfig[], report: Report): void {
  for (const [index, person] of people.entries()) {
    const earlier = people.slice(0, index);
    const twin = earlier.findIndex(({ id }) => id === person.id);
    if (twin >= 0) {
      report(
        [index, 'id'],
        `people[${twin}] and people[${index}] are both \`${person.id}\`: rename one`,
      );
      continue;
    }
    for (const { key, called, of } of uniques) {
      const value = of(person);
      const other = earlier.find((each) => value !== undefined && of(each) === value);
      if (other === undefined) continue;
      report(
        [index, key],
        `\`${other.id}\` and \`${person.id}\` have the same ${called}: each person needs an own one`,
      );
    }
  }
}
