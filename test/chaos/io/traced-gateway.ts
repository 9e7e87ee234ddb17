// A gateway under strace, some of whose system calls fail on order.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { World } from '../../fixtures/product/world.ts';
import { mainPath } from '../../fixtures/product/world-files.ts';
import { RawClient } from '../../fixtures/raw-client.ts';

/** Which call fails how, and at which of its calls by one thread. */
export interface Fault {
  readonly call: 'fsync' | 'pwrite64' | 'rename';
  readonly error: 'EIO' | 'ENOSPC';
  readonly at: number;
  /** All later calls fail as well. */
  readonly isLasting: boolean;
}

/** One call that was made to fail. */
export interface FailedCall {
  readonly call: string;
  readonly error: string;
  /** Last part of the path; unnamed temporary parts left out. */
  readonly file: string;
}

const strace = '/usr/bin/strace';

/** Why calls of a child cannot be made to fail here; undefined when they can. */
export function noTraceReason(): string | undefined {
  const canTrace = spawnSync(strace, ['-o', '/dev/null', '/bin/true']).status === 0;
  return canTrace ? undefined : 'the system calls of a child cannot be changed here';
}

const traceFile = (world: World): string => world.path('trace.txt');

/** Started, without a handshake. */
export function startTraced(world: World, { call, error, at, isLasting }: Fault): RawClient {
  const calls = call === 'fsync' ? 'fsync,fdatasync' : call;
  const when = `${at}${isLasting ? '+' : ''}`;
  world.write('trace.txt', '');
  return new RawClient({
    command: strace,
    // Node keeps compiled code by renames as well: only those of the guard are meant.
    ...(call === 'rename' ? { env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' } } : {}),
    args: [
      ...['-f', '--seccomp-bpf', '-y', '-o', traceFile(world), '-e', `trace=${calls}`],
      ...['-e', `inject=${calls}:error=${error}:when=${when}`],
      ...[process.execPath, mainPath, 'mcp', 'run', '--config', world.configFile],
    ],
  });
}

/** The calls that failed so far. */
export function failedCalls(world: World): readonly FailedCall[] {
  if (!existsSync(traceFile(world))) return [];
  const lines = readFileSync(traceFile(world), 'utf8').split('\n');
  return lines
    .filter((line) => line.includes('(INJECTED)'))
    .map((line) => {
      const [, call = '?'] = /(\w+)\(/.exec(line) ?? [];
      const [, error = '?'] = /= -1 (\w+)/.exec(line) ?? [];
      return { call, error, file: fileOf(line) };
    });
}

function fileOf(line: string): string {
  const path = /<([^>]*)>/.exec(line)?.[1] ?? /"([^"]*)"/.exec(line)?.[1] ?? '';
  return (path.split('/').at(-1) ?? '').replace(/\.[0-9a-f]{16}\.tmp$/, '.tmp');
}
