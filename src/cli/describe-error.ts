// Every way a command can fail, as one line and an exit code.
import { type ExitCode, UsageError } from './command.ts';

/** Codes of our own that say that a person has to mend something outside. */
const environmentCodes = /^(STORE_|KEY_FILE_|LOG_|GUARD_)/;

export function describeError(error: unknown): {
  readonly exitCode: ExitCode;
  readonly line: string;
} {
  if (error instanceof UsageError) return { exitCode: 2, line: error.message };
  if (!(error instanceof Error)) return { exitCode: 1, line: String(error) };
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  // Every problem of a configuration, one line each.
  if (code === 'CONFIG_INVALID') return { exitCode: 2, line: error.message };
  const isOwn = typeof code === 'string' && environmentCodes.test(code);
  // A call of the system that failed: a file, a folder, a port.
  const isEnvironment = isOwn || typeof syscall === 'string';
  return { exitCode: isEnvironment ? 3 : 1, line: error.message.split('\n')[0] ?? 'failed' };
}
