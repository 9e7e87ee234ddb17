// This process, and whether another one of the same host still runs.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { leaseMs } from '../stores/lease.ts';
import type { ProcessIdentity } from '../stores/store.ts';

export function currentProcess(): ProcessIdentity {
  return {
    processId: randomUUID(),
    host: hostname(),
    bootId: readText('/proc/sys/kernel/random/boot_id'),
    pid: process.pid,
    pidStart: pidStart(process.pid),
  };
}

/** Another host is judged by its lease alone; on this host pid, start time and boot decide. */
export function isAlive(
  other: ProcessIdentity & { readonly heartbeatMs: number },
  nowMs: number,
): boolean {
  const self = currentHost();
  if (other.host !== self.host) return nowMs < other.heartbeatMs + leaseMs;
  if (other.bootId !== self.bootId) return false;
  if (!exists(other.pid)) return false;
  const start = pidStart(other.pid);
  if (start === '' || other.pidStart === '') return nowMs < other.heartbeatMs + leaseMs;
  return start === other.pidStart;
}

let host: { readonly host: string; readonly bootId: string } | undefined;

function currentHost(): { readonly host: string; readonly bootId: string } {
  host ??= { host: hostname(), bootId: readText('/proc/sys/kernel/random/boot_id') };
  return host;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Field 22 of `/proc/<pid>/stat`: clock ticks since boot. The name before it may hold spaces. */
function pidStart(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // Not a Linux system: the lease decides.
    return '';
  }
}
