// `intentplane people add`: one more person, with a code to enrol with.
import { putPerson } from '../../approvals/people/plan-people.ts';
import {
  deedOf,
  handleOf,
  newPerson,
  rowOf,
  withPeople,
  writePeople,
} from '../administer-people.ts';
import { type Command, optionalText, UsageError } from '../command.ts';

export const peopleAddCommand: Command = {
  name: 'people add',
  summary: 'add a person and print the code that they enrol with',
  usage: 'PERSON --config FILE [--name NAME] [--email ADDRESS] [--roles ROLES] [--by PERSON]',
  example: 'intentplane people add ann --config ./intentplane.toml --roles approver',
  options: {
    config: { type: 'string' },
    name: { type: 'string' },
    email: { type: 'string' },
    roles: { type: 'string' },
    by: { type: 'string' },
  },
  optionHelp: {
    config: 'the TOML file',
    name: 'name that others see; PERSON when absent',
    email: 'where notices go',
    roles: 'roles with commas in between, such as approver,admin',
    by: 'who does it, asked for their passcode; the owner when absent',
  },
  required: ['config'],
  positionals: [1, 1],
  run: (input) =>
    withPeople(input, async (desk) => {
      const handle = handleOf(input);
      const known = rowOf(desk, handle);
      if (known !== undefined && known.version !== undefined && known.person.status === 'active') {
        throw new UsageError(`\`${handle}\` is there already: see \`intentplane people list\``);
      }
      const roles = rolesOf(optionalText(input, 'roles') ?? '');
      const deed = await deedOf(input, desk, handle);
      if (deed === undefined) return 1;
      const { secret } = desk;
      const [name, email] = [optionalText(input, 'name'), optionalText(input, 'email')];
      const person = newPerson(handle, { secret, roles, name, email });
      return writePeople(input, desk, {
        writes: putPerson(person, known?.version, { ...deed, step: 'added' }),
        said: `${handle} is added${roles.length === 0 ? ', without a role' : ` as ${roles.join(', ')}`}`,
        codeFor: person,
        deed,
      });
    }),
};

function rolesOf(text: string): readonly string[] {
  const roles = text.split(',').flatMap((role) => role.trim() || []);
  const wrong = roles.find((role) => !/^[a-z][a-z0-9_-]{0,63}$/.test(role));
  if (wrong === undefined) return [...new Set(roles)];
  throw new UsageError(`\`${wrong}\` is no role: write names such as approver or admin`);
}
