// Help texts, from the table of commands.
import type { BinName, Command } from './command.ts';
import { alignColumns } from './output.ts';

export function overviewHelp(bin: BinName, commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  ${command.name}`, command.summary]);
  return [
    `${bin}: a gate between an agent and its tools`,
    '',
    'Commands:',
    ...alignColumns(rows),
    '',
    `${bin} <command> --help says more. Every command that prints data takes --json.`,
  ].join('\n');
}

/** How the command is called, in one line. */
export function usageLine(bin: BinName, command: Command): string {
  const name = bin === 'intentplane-mcp' ? '' : ` ${command.name}`;
  return `${bin}${name} ${command.usage}`.trimEnd();
}

export function commandHelp(bin: BinName, command: Command): string {
  const options = Object.entries({
    ...command.optionHelp,
    json: 'print one JSON object',
    debug: 'print stack traces',
  }).map(([option, text]) => [`  --${option}`, text]);
  return [
    usageLine(bin, command),
    '',
    command.summary,
    '',
    'Options:',
    ...alignColumns(options),
    '',
    'Example:',
    `  ${command.example}`,
  ].join('\n');
}
