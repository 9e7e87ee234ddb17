// Picks the command, reads its options, maps every way to fail to an exit code.
import { parseArgs } from 'node:util';
import { packageVersion } from '../config/package-version.ts';
import { type BinName, type Command, type ExitCode, UsageError } from './command.ts';
import { loadCommand, loadCommands } from './commands.ts';
import { describeError } from './describe-error.ts';
import { commandHelp, overviewHelp } from './help.ts';
import { createOutput } from './output.ts';

/** Runs one command line and sets the exit code of the process. */
export async function runCommandLine(bin: BinName, args: readonly string[]): Promise<void> {
  const isJson = args.includes('--json');
  const isDebug = args.includes('--debug');
  try {
    process.exitCode = await run(bin, args, isJson);
  } catch (error) {
    const { exitCode, line } = describeError(error);
    process.stderr.write(`${bin}: ${line}\n`);
    if (isDebug && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
    if (isJson) process.stdout.write(`${JSON.stringify({ ok: false, error: line })}\n`);
    process.exitCode = exitCode;
  }
}

async function run(bin: BinName, args: readonly string[], isJson: boolean): Promise<ExitCode> {
  const isHelp = args.includes('--help') || args.includes('-h');
  if (args.includes('--version')) return print(packageVersion);
  const found =
    bin === 'intentplane-mcp'
      ? { command: await loadCommand('mcp run'), rest: args }
      : await select(args);
  if (found.command === undefined) {
    if (isHelp || args.length === 0) return print(overviewHelp(bin, await loadCommands()));
    throw new UsageError(`there is no command \`${args[0]}\`: see ${bin} --help`);
  }
  if (isHelp) return print(commandHelp(bin, found.command));
  const { values, positionals } = readOptions(found.command, found.rest);
  return found.command.run({ values, positionals, output: createOutput(isJson) });
}

function print(text: string): ExitCode {
  process.stdout.write(`${text}\n`);
  return 0;
}

/** The longest name that the first words spell. */
async function select(args: readonly string[]): Promise<{
  readonly command: Command | undefined;
  readonly rest: readonly string[];
}> {
  for (const length of [2, 1]) {
    const command = await loadCommand(args.slice(0, length).join(' '));
    if (command !== undefined) return { command, rest: args.slice(length) };
  }
  const [first] = args;
  const fallback = first === 'mcp' ? await loadCommand('mcp run') : undefined;
  return { command: fallback, rest: args.slice(1) };
}

function readOptions(command: Command, args: readonly string[]): ReturnType<typeof parseArgs> {
  const common = {
    json: { type: 'boolean' },
    debug: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({
      args: [...args],
      options: { ...command.options, ...common },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}: see --help`);
  }
  const [min, max] = command.positionals;
  const count = parsed.positionals.length;
  if (count < min || count > max) throw new UsageError(`usage: ${command.name} ${command.usage}`);
  return parsed;
}
