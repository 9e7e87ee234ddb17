import { spawn, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { currentProcess, isAlive } from './process-identity.ts';

const nowMs = 1_800_000_000_000;
const fresh = { heartbeatMs: nowMs - 1_000 };
const silent = { heartbeatMs: nowMs - 30_000 };

describe('isAlive', () => {
  it('knows this process, however long its heartbeat is', () => {
    const self = currentProcess();
    expect(self.pid).toBe(process.pid);
    expect(isAlive({ ...self, ...fresh }, nowMs)).toBe(true);
    if (self.pidStart !== '') expect(isAlive({ ...self, ...silent }, nowMs)).toBe(true);
  });

  it('calls a process that has ended dead at once', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(isAlive({ ...currentProcess(), pid, ...fresh }, nowMs)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is not deceived by a pid that is used again', () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    try {
      const self = currentProcess();
      expect(isAlive({ ...self, pid: other.pid ?? 0, ...fresh }, nowMs)).toBe(false);
      expect(isAlive({ ...self, bootId: 'another boot', ...fresh }, nowMs)).toBe(false);
    } finally {
      other.kill('SIGKILL');
    }
  });

  it('judges another host, or a system that tells no start time, by the lease of 30 s', () => {
    const self = currentProcess();
    for (const other of [
      { ...self, host: 'elsewhere' },
      { ...self, pidStart: '' },
    ]) {
      expect(isAlive({ ...other, heartbeatMs: nowMs - 29_999 }, nowMs)).toBe(true);
      expect(isAlive({ ...other, heartbeatMs: nowMs - 30_000 }, nowMs)).toBe(false);
    }
  });

  it('names each process anew', () => {
    expect(currentProcess().processId).not.toBe(currentProcess().processId);
  });
});
