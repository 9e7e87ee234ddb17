import { describe, expect } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import type { LeafDraft } from '../core/leaf.ts';
import { ClockWatch } from './watch-clock.ts';

describe('ClockWatch', () => {
  verifies('EXE-41', 'notes a step of more than two seconds, back or forward, once', async () => {
    const leaves: LeafDraft[] = [];
    const lines: string[] = [];
    const clocks = { now: 1_800_000_000_000, steady: 5_000 };
    const watch = new ClockWatch(
      { appendLeaves: async (drafts) => void leaves.push(...drafts) },
      { nowMs: () => clocks.now, steadyMs: () => clocks.steady },
      (_level, line) => void lines.push(line),
    );
    const heartbeat = async (stepMs: number): Promise<readonly unknown[]> => {
      clocks.steady += 5_000;
      clocks.now += 5_000 + stepMs;
      await watch.check();
      return leaves.splice(0).map(({ open }) => open);
    };
    expect(await heartbeat(0)).toEqual([]);
    expect(await heartbeat(2_000)).toEqual([]);
    expect(await heartbeat(-2_000)).toEqual([]);
    expect(await heartbeat(2_001)).toEqual([{ kind: 'clock_step', figures: { ms: 2_001 } }]);
    expect(await heartbeat(0)).toEqual([]);
    expect(await heartbeat(-3_600_000)).toEqual([
      { kind: 'clock_step', figures: { ms: -3_600_000 } },
    ]);
    expect(lines).toEqual([
      'the clock went 2001 ms forward: check the time of this machine',
      'the clock went 3600000 ms back: check the time of this machine',
    ]);
  });
});
