// `[approvals] self_approval`: what one person alone may do at level 2.
import type { Report } from './build-context.ts';
import type { ApprovalsConfig } from './config.ts';
import type { SelfApprovalShape } from './file-shape.ts';

const hourMs = 3_600_000;
const waitDefaultMs = 24 * hourMs;
const waitMinMs = hourMs;
/** No request lives longer than 72 h, and the second signature has an hour after the wait. */
const waitMaxMs = 71 * hourMs;

/** Undefined: never alone. */
export function readSelfApproval(
  value: SelfApprovalShape | undefined,
  report: Report,
): ApprovalsConfig['solo'] {
  if (value === undefined || value === 'never') return undefined;
  const waitMs = value === 'solo' ? waitDefaultMs : (value.wait ?? waitDefaultMs);
  if (waitMs < waitMinMs || waitMs > waitMaxMs) {
    report(['self_approval', 'wait'], 'must be from 1h to 71h');
  }
  return { waitMs };
}
