// The machine under a figure: versions, cores, and how much of it other programs took.
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { median } from './report.ts';

export interface Share {
  readonly busyTicks: number;
  readonly allTicks: number;
  readonly ownMs: number;
}

export interface Machine {
  readonly node: string;
  readonly sqlite: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  /** Share of all cores that other processes than this one and its ended children used; null where the system does not tell. */
  readonly othersShare: number | null;
  /** One Ed25519 signature of 1 KiB, in µs: how fast this machine is just now, beside any other one. */
  readonly signUs: number;
}

/** Ticks of all cores and CPU time of this process and its ended children. */
export function machineShare(): Share {
  try {
    const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/);
    const ticks = fields.map(Number);
    const allTicks = ticks.slice(0, 8).reduce((sum, value) => sum + value, 0);
    const idleTicks = (ticks[3] ?? 0) + (ticks[4] ?? 0);
    return { busyTicks: allTicks - idleTicks, allTicks, ownMs: ownCpuMs() };
  } catch {
    return { busyTicks: 0, allTicks: 0, ownMs: 0 };
  }
}

/** Fields 14 to 17 of /proc/self/stat: user and system time, own and of ended children, in ticks of 10 ms. */
function ownCpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return [11, 12, 13, 14].reduce((sum, index) => sum + (fields[index] ?? 0), 0) * 10;
}

export function readMachine(before: Share): Machine {
  const after = machineShare();
  const all = after.allTicks - before.allTicks;
  const own = (after.ownMs - before.ownMs) / 10;
  const others = all === 0 ? null : Math.max(0, (after.busyTicks - before.busyTicks - own) / all);
  return {
    node: process.versions.node,
    sqlite: process.versions['sqlite'] ?? '',
    cpu: cpus()[0]?.model.trim() ?? '',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    othersShare: others === null ? null : Math.round(others * 100) / 100,
    signUs: Math.round(signUs()),
  };
}

/** Median of 1,000 signatures after a warm-up. */
function signUs(): number {
  const { privateKey } = generateKeyPairSync('ed25519');
  const bytes = new Uint8Array(1_024);
  const times = Array.from({ length: 1_500 }, () => {
    const start = performance.now();
    sign(null, bytes, privateKey);
    return (performance.now() - start) * 1_000;
  });
  return median(times.slice(500));
}
