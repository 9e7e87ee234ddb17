import { describe, expect, it } from 'vitest';
import { someFacts } from '../../testing/contract-builders.ts';
import type { Level } from '../decision.ts';
import type { Facts, RepeatFact } from '../facts.ts';
import { decideApproval } from './approval.ts';

const ready = (level: Level) => ({ level, values: [], rules: ['r'], reasons: [] }) as const;
const repeated = (repeat: RepeatFact): Facts => someFacts({ live: { repeat } });
const opId = 'o1';

describe('decideApproval', () => {
  it('runs what needs nobody, even when nobody could be reached', () => {
    const alone = someFacts({ channels: { 1: false, 2: false }, live: { openApprovals: 99 } });
    expect(decideApproval(ready(0), alone)).toEqual({ kind: 'allow', ...ready(0) });
  });

  it('asks at level 1', () => {
    expect(decideApproval(ready(1), someFacts())).toEqual({ kind: 'ask', ...ready(1) });
  });

  it('runs what was granted at this level or above, and asks again above it', () => {
    const granted = (level: 1 | 2) => repeated({ kind: 'granted', opId, level, changed: [] });
    expect(decideApproval(ready(1), granted(1))).toMatchObject({
      kind: 'allow',
      level: 1,
      consumes: opId,
    });
    expect(decideApproval(ready(1), granted(2))).toMatchObject({
      kind: 'allow',
      level: 2,
      consumes: opId,
    });
    expect(decideApproval(ready(0), granted(1))).toMatchObject({
      kind: 'allow',
      level: 1,
      consumes: opId,
    });
    const two = { ...granted(1), channels: { 1: true, 2: true } };
    expect(decideApproval(ready(2), two)).toEqual({ kind: 'ask', ...ready(2) });
  });

  it('joins a request that waits at this level or above, and opens another above it', () => {
    const open = (level: 1 | 2) => repeated({ kind: 'open', opId, level });
    expect(decideApproval(ready(1), open(1))).toMatchObject({ kind: 'ask', level: 1, joins: opId });
    expect(decideApproval(ready(1), open(2))).toMatchObject({ kind: 'ask', level: 2, joins: opId });
    expect(decideApproval(ready(2), { ...open(1), channels: { 1: true, 2: true } })).toEqual({
      kind: 'ask',
      ...ready(2),
    });
  });

  it('denies where no channel reaches a person of that level', () => {
    const failures = [{ code: 'APPROVAL_NO_CHANNEL', detail: 'level 2' }];
    expect(decideApproval(ready(2), someFacts())).toEqual({
      kind: 'deny',
      stage: 'approval',
      failures,
    });
    const noPage = someFacts({ channels: { 1: false, 2: true } });
    expect(decideApproval(ready(1), noPage)).toMatchObject({
      failures: [{ code: 'APPROVAL_NO_CHANNEL', detail: 'level 1' }],
    });
  });

  it('opens as many requests as may be open, and not one more', () => {
    const open = (openApprovals: number): Facts => someFacts({ live: { openApprovals } });
    expect(decideApproval(ready(1), open(4))).toMatchObject({ kind: 'ask' });
    expect(decideApproval(ready(1), open(5))).toEqual({
      kind: 'deny',
      stage: 'approval',
      failures: [{ code: 'APPROVAL_TOO_MANY' }],
    });
  });

  it('joins an open request also when no further one may be opened', () => {
    const full = someFacts({
      live: { openApprovals: 5, repeat: { kind: 'open', opId, level: 1 } },
    });
    expect(decideApproval(ready(1), full)).toMatchObject({ kind: 'ask', joins: opId });
  });
});
