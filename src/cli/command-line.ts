// Picks the command, reads its options, maps every way to fail to an exit code.
import { parseArgs } from 'node:util';
import { packageVersion } from '../config/package-version.ts';
import { type BinName, type Command, type ExitCode, UsageError } from './command.ts';
import { commandNames, loadCommand, loadCommands } from './commands.ts';
import { describeError } from './describe-error.ts';
import { commandHelp, overviewHelp, usageLine } from './help.ts';
import { createOutput } from './output.ts';

/** Runs one command line and sets the exit code of the process. */
export async function runCommandLine(bin: BinName, args: readonly string[]): Promise<void> {
  const isJson = args.includes('--json');
  const fail = (error: unknown): void => reportFailure(error, { bin, args, isJson });
  process.stdout.on('error', leaveBrokenPipe);
  process.once('uncaughtException', (error) => {
    fail(error);
    process.exit();
  });
  try {
    process.exitCode = await run(bin, args, isJson);
  } catch (error) {
    fail(error);
  }
}

/** Whoever read the answer has gone, as `| head` does: there is nobody to tell. */
function leaveBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function reportFailure(
  error: unknown,
  told: { readonly bin: BinName; readonly args: readonly string[]; readonly isJson: boolean },
): void {
  const { exitCode, line } = describeError(error);
  process.stderr.write(`${told.bin}: ${line}\n`);
  const isDebug = told.args.includes('--debug');
  if (isDebug && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
  if (told.isJson) process.stdout.write(`${JSON.stringify({ ok: false, error: line })}\n`);
  process.exitCode = exitCode;
}

async function run(bin: BinName, args: readonly string[], isJson: boolean): Promise<ExitCode> {
  if (args.includes('--version')) return print(packageVersion);
  const isHelp = args.includes('--help') || args.includes('-h');
  const { command, rest } = await select(bin, args);
  if (command === undefined) {
    if (isHelp || args.length === 0) return print(overviewHelp(bin, await loadCommands()));
    throw new UsageError(unknownCommand(bin, args[0] ?? ''));
  }
  if (isHelp) return print(commandHelp(bin, command));
  const { values, positionals } = readOptions(bin, command, rest);
  return command.run({ values, positionals, output: createOutput(isJson) });
}

function print(text: string): ExitCode {
  process.stdout.write(`${text}\n`);
  return 0;
}

interface Selection {
  readonly command: Command | undefined;
  readonly rest: readonly string[];
}

/** The longest name that the first words spell; `mcp` alone runs the proxy. */
async function select(bin: BinName, args: readonly string[]): Promise<Selection> {
  if (bin === 'intentplane-mcp') return { command: await loadCommand('mcp run'), rest: args };
  for (const length of [2, 1]) {
    const command = await loadCommand(args.slice(0, length).join(' '));
    if (command !== undefined) return { command, rest: args.slice(length) };
  }
  const rest = args.slice(1);
  return { command: args[0] === 'mcp' ? await loadCommand('mcp run') : undefined, rest };
}

function unknownCommand(bin: BinName, word: string): string {
  const longer = commandNames.filter((name) => name.startsWith(`${word} `));
  if (longer.length > 0) return `\`${word}\` needs a second word: ${longer.join(', ')}`;
  return `there is no command \`${word}\`: see ${bin} --help`;
}

const common = {
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function readOptions(
  bin: BinName,
  command: Command,
  args: readonly string[],
): ReturnType<typeof parseArgs> {
  const usage = `usage: ${usageLine(bin, command)}`;
  let parsed: ReturnType<typeof parseArgs>;
  try {
    const options = { ...command.options, ...common };
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const [what = ''] = (error as Error).message.split('. ');
    throw new UsageError(`${what}; ${usage}`);
  }
  const [min, max] = command.positionals;
  const count = parsed.positionals.length;
  if (count < min || count > max) throw new UsageError(usage);
  const missing = command.required.filter((name) => !hasText(parsed.values[name]));
  if (missing.length > 0) throw new UsageError(`--${missing.join(', --')} is missing; ${usage}`);
  return parsed;
}

const hasText = (value: unknown): boolean => typeof value === 'string' && value !== '';
