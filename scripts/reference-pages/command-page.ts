// The page of the command line, from the same table that the help texts are made of.
import type { Command } from '../../src/cli/command.ts';
import { loadCommands } from '../../src/cli/commands.ts';
import { generatedNote, tableRow } from './markdown.ts';

const exitCodes: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'done'],
  ['1', 'refused, or a check failed'],
  ['2', 'usage or configuration'],
  ['3', 'environment: port, store, key file, Node version'],
];

/** The whole page. */
export async function commandPage(): Promise<string> {
  const all = await loadCommands();
  return [
    '# Command line',
    '',
    generatedNote,
    '',
    'The package has two programs: `intentplane` with the commands below, and `intentplane-mcp`, which is',
    '`intentplane mcp run` under the name that configurations of hosts use.',
    '',
    'Standard output holds the answer and nothing else; warnings, questions and errors go to standard error.',
    'Every command that prints data takes `--json` and then prints one JSON object with `ok` among its keys.',
    '`--help` explains a command, `--version` prints the version, `--debug` adds stack traces to errors.',
    '',
    tableRow(['exit code', 'meaning']),
    tableRow(['---', '---']),
    ...exitCodes.map(tableRow),
    '',
    tableRow(['command', 'what it does']),
    tableRow(['---', '---']),
    ...all.map(({ name, summary }) => tableRow([`[\`${name}\`](#${anchor(name)})`, summary])),
    ...all.flatMap(commandPart),
    '',
  ].join('\n');
}

const anchor = (name: string): string => `intentplane-${name.replaceAll(' ', '-')}`;

function commandPart(command: Command): readonly string[] {
  const { name, summary, usage, example, optionHelp } = command;
  const options = Object.entries(optionHelp);
  return [
    '',
    `## intentplane ${name}`,
    '',
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    '',
    '```text',
    `intentplane ${name} ${usage}`.trimEnd(),
    '```',
    ...(options.length === 0
      ? []
      : [
          '',
          tableRow(['option', 'meaning']),
          tableRow(['---', '---']),
          ...options.map(([option, text]) => tableRow([`\`--${option}\``, text])),
        ]),
    '',
    'Example:',
    '',
    '```sh',
    example,
    '```',
  ];
}
