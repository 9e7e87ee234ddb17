// How adapters and faces speak to the operator: one line at a time, never to stdout.

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Takes one line without a newline. Must not throw. */
export type Log = (level: LogLevel, line: string) => void;
