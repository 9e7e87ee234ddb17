// What a command of the command line is.
import type { ParseArgsOptionsConfig } from 'node:util';
import type { Output } from './output.ts';

/** The two programs of the package. */
export type BinName = 'intentplane' | 'intentplane-mcp';

/** 0 done, 1 refused or check failed, 2 usage or configuration, 3 environment (port, store, server). */
export type ExitCode = 0 | 1 | 2 | 3;

export interface CommandInput {
  readonly values: Readonly<
    Record<string, string | boolean | readonly (string | boolean)[] | undefined>
  >;
  readonly positionals: readonly string[];
  readonly output: Output;
}

export interface Command {
  /** Words that select it: `receipts show`. */
  readonly name: string;
  readonly summary: string;
  /** Arguments after the name, for the usage line. */
  readonly usage: string;
  /** One line that can be copied. */
  readonly example: string;
  readonly options: ParseArgsOptionsConfig;
  /** Words for the options, by name. */
  readonly optionHelp: Readonly<Record<string, string>>;
  /** Options that must be there, with a text. */
  readonly required: readonly string[];
  /** Fewest and most positionals. */
  readonly positionals: readonly [number, number];
  run(input: CommandInput): Promise<ExitCode>;
}

/** A usage error: exit code 2 and one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Text of an option that the command requires. */
export function requiredText(input: CommandInput, option: string): string {
  const value = optionalText(input, option);
  if (value === undefined) throw new UsageError(`--${option} is missing`);
  return value;
}

/** Text of an option, or undefined. */
export function optionalText(input: CommandInput, option: string): string | undefined {
  const value = input.values[option];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
