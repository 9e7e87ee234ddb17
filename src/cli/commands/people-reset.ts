// `intentplane people reset`: a key was lost. Passkeys and sessions end, a new code is printed.
import { resetPerson } from '../../approvals/people/plan-people.ts';
import { deedOf, handleOf, rowOf, withPeople, writePeople } from '../administer-people.ts';
import { type Command, UsageError } from '../command.ts';

export const peopleResetCommand: Command = {
  name: 'people reset',
  summary: 'take away passkeys and sessions of a person and print a new code',
  usage: 'PERSON --config FILE [--by PERSON]',
  example: 'intentplane people reset ann --config ./intentplane.toml --by bob',
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
      const deed = await deedOf(input, desk, handle);
      if (deed === undefined) return 1;
      const { person, version } = known;
      const { store, records } = desk;
      const owner = person.personId;
      const credentials = records.filter(
        (record) => record.kind === 'credential' && record.owner === owner,
      );
      const others = await store.readRecords({ kind: 'session', owner });
      return writePeople(input, desk, {
        writes: resetPerson(person, { version, credentials, others }, deed),
        said: `${credentials.length} passkeys of ${handle} are taken away; approvals they gave and that were not used yet are void`,
        codeFor: person,
        deed,
      });
    }),
};
