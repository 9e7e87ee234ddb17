// Lines for the operator, on stderr only. Values of calls never come here.
import { writeSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';

const ranks = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 } as const;

/** One line per event: JSON for machines, or words for a terminal. */
export function createLog(settings: Config['gateway']['log'], nowMs: () => number): LogLine {
  const least = ranks[settings.level];
  return (level, message, fields = {}) => {
    if (ranks[level] < least) return;
    const line =
      settings.format === 'json'
        ? jsonLine(nowMs(), { level, message, fields })
        : prettyLine(level, message, fields);
    write(line);
  };
}

interface Event {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function jsonLine(nowMs: number, { level, message, fields }: Event): string {
  return JSON.stringify({ time: new Date(nowMs).toISOString(), level, message, ...fields });
}

function prettyLine(
  level: string,
  message: string,
  fields: Readonly<Record<string, unknown>>,
): string {
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${String(value)}`);
  const prefix = level === 'info' ? '' : `${level}: `;
  return `intentplane: ${prefix}${message.replaceAll('\n', ' | ')}${shown.join('')}`;
}

function write(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // The host closed our stderr: nobody reads it, and serving goes on.
  }
}
