// `intentplane people list`: who may answer requests, and with what.

import { withPeople } from '../administer-people.ts';
import type { Command } from '../command.ts';
import { alignColumns } from '../output.ts';

export const peopleListCommand: Command = {
  name: 'people list',
  summary: 'list the people who may answer requests',
  usage: '--config FILE',
  example: 'intentplane people list --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file' },
  required: ['config'],
  positionals: [0, 0],
  run: (input) =>
    withPeople(input, async ({ people, config }) => {
      const byHandle = people.persons.toSorted((a, b) => (a.handle < b.handle ? -1 : 1));
      const rows = byHandle.map((person) => ({
        id: person.handle,
        name: person.name,
        roles: person.roles,
        status: person.status,
        owner: person.handle === config.mandate.principal,
        passkeys: people.credentials.filter(
          ({ personId, status }) => personId === person.personId && status === 'active',
        ).length,
        passcode: person.passcode !== undefined,
        from: person.origin === 'config' ? 'configuration' : 'command',
      }));
      input.output.answer(
        { ok: true, people: rows },
        rows.length === 0
          ? [`nobody is written down: only the owner \`${config.mandate.principal}\` can answer`]
          : alignColumns(
              rows.map((row) => [
                row.id,
                row.status,
                row.roles.join(', ') || 'no role',
                `${row.passkeys} passkeys`,
                row.passcode ? 'passcode' : 'no passcode',
                row.from,
              ]),
            ),
      );
      return 0;
    }),
};
