// `intentplane people remove`: from now on nothing this person says counts.
import { resetPerson } from '../../approvals/people/plan-people.ts';
import { deedOf, handleOf, rowOf, withPeople, writePeople } from '../administer-people.ts';
import { type Command, UsageError } from '../command.ts';

export const peopleRemoveCommand: Command = {
  name: 'people remove',
  summary: 'remove a person who was added by command',
  usage: 'PERSON --config FILE [--by PERSON]',
  example: 'intentplane people remove ann --config ./intentplane.toml',
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
      if (known?.version === undefined || known.person.status !== 'active') {
        throw new UsageError(`\`${handle}\` is nobody here: see \`intentplane people list\``);
      }
      if (known.person.origin === 'config') {
        throw new UsageError(`\`${handle}\` stands in the configuration: take the entry out there`);
      }
      const deed = await deedOf(input, desk, handle);
      if (deed === undefined) return 1;
      const owner = known.person.personId;
      const credentials = desk.records.filter(
        (record) => record.kind === 'credential' && record.owner === owner,
      );
      const others = await desk.store.readRecords({ kind: 'session', owner });
      const gone = { ...known.person, status: 'removed' } as const;
      return writePeople(input, desk, {
        writes: resetPerson(gone, { version: known.version, credentials, others }, deed),
        said: `${handle} is removed; approvals they gave and that were not used yet are void`,
        codeFor: undefined,
        deed,
      });
    }),
};
