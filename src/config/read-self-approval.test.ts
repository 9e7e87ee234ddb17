import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const text = (value: string): string => `${base}[approvals]\nself_approval = ${value}\n`;
const solo = (value: string): unknown => configOf(text(value)).approvals.solo;
const hour = 3_600_000;

describe('[approvals] self_approval', () => {
  it('is never, or alone with a wait', () => {
    expect(solo('"never"')).toBeUndefined();
    expect(solo('"solo"')).toEqual({ waitMs: 24 * hour });
    expect(solo('{ mode = "solo" }')).toEqual({ waitMs: 24 * hour });
    expect(solo('{ mode = "solo", wait = "1h" }')).toEqual({ waitMs: hour });
    expect(solo('{ mode = "solo", wait = "71h" }')).toEqual({ waitMs: 71 * hour });
  });

  verifies('CFG-23', 'waits long enough to object, and no longer than a request lives', () => {
    for (const wait of ['0', '"59m"', '"72h"']) {
      expect(problemsOf(text(`{ mode = "solo", wait = ${wait} }`)), wait).toEqual([
        '7 approvals.self_approval.wait: must be from 1h to 71h',
      ]);
    }
  });

  verifies('CFG-23', 'refuses every other form', () => {
    for (const value of ['true', '"always"', '{ mode = "never" }', '{ wait = "2h" }']) {
      expect(problemsOf(text(value)), value).toEqual([
        '7 approvals.self_approval: must be "never", "solo" or { mode = "solo", wait = "24h" }',
      ]);
    }
    expect(problemsOf(text('{ mode = "solo", wait = "x" }'))).toEqual([
      '7 approvals.self_approval.wait: must be a time such as 30s, 15m or 12h',
    ]);
    expect(problemsOf(text('{ mode = "solo", wiat = "24h" }'))).toEqual([
      '7 approvals.self_approval.wiat: unknown key `wiat`: did you mean `wait`?',
    ]);
  });
});
