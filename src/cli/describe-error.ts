// Every way a command can fail, as one line and an exit code.
import { type ExitCode, UsageError } from './command.ts';

/** Codes of infrastructure that a person has to mend. */
const environmentCodes = /^(STORE_|KEY_FILE_|LOG_|EADDRINUSE|EACCES|ENOSPC|EROFS)/;

export function describeError(error: unknown): {
  readonly exitCode: ExitCode;
  readonly line: string;
} {
  if (error instanceof UsageError) return { exitCode: 2, line: error.message };
  if (!(error instanceof Error)) return { exitCode: 1, line: String(error) };
  const { code } = error as { readonly code?: unknown };
  // Every problem of a configuration, one line each.
  if (code === 'CONFIG_INVALID') return { exitCode: 2, line: error.message };
  const isEnvironment = typeof code === 'string' && environmentCodes.test(code);
  return { exitCode: isEnvironment ? 3 : 1, line: error.message.split('\n')[0] ?? 'failed' };
}
