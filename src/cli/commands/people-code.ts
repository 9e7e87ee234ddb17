// `intentplane people code`: a one-time code for a person who is there already.
import { putPerson } from '../../approvals/people/plan-people.ts';
import { deedOf, handleOf, rowOf, withPeople, writePeople } from '../administer-people.ts';
import { type Command, UsageError } from '../command.ts';

export const peopleCodeCommand: Command = {
  name: 'people code',
  summary: 'print a one-time code with which a person enrols a passkey or a passcode',
  usage: 'PERSON --config FILE [--by PERSON]',
  example: 'intentplane people code ann --config ./intentplane.toml',
  options: { config: { type: 'string' }, by: { type: 'string' } },
  optionHelp: {
    config: 'the TOML file',
    by: 'who does it, asked for their passcode; the owner when absent',
  },
  required: ['config'],
  positionals: [1, 1],
  run: (input) =>
    withPeople(input, async (desk) => {
      const handle = handleOf(input);
      const known = rowOf(desk, handle);
      if (known === undefined || known.person.status !== 'active') {
        throw new UsageError(`\`${handle}\` is nobody here: see \`intentplane people list\``);
      }
      const deed = await deedOf(input, desk, handle);
      if (deed === undefined) return 1;
      const { person, version } = known;
      return writePeople(input, desk, {
        // The owner is written down with the first code.
        writes:
          version === undefined
            ? putPerson(person, undefined, { ...deed, step: 'added' })
            : { changes: [], leaves: [] },
        said: `a code for ${handle}`,
        codeFor: person,
        deed,
      });
    }),
};
