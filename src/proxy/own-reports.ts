// Reports of the proxy itself, about calls that never became a proposal.
import type { Report } from './report-result.ts';

const nothingDecided = {
  decisionId: undefined,
  opId: undefined,
  approval: undefined,
  unknownSinceMs: undefined,
  waitSeconds: undefined,
  reason: undefined,
} as const;

/** A passthrough tool whose definition is not the accepted one. */
export const toolChanged: Report = {
  ...nothingDecided,
  status: 'denied',
  stage: 'contract',
  codes: ['CONTRACT_TOOL_CHANGED'],
  failures: [{ code: 'CONTRACT_TOOL_CHANGED' }],
  next: ['ask_owner', 'stop'],
};

/** Every slot is taken and the queue is full. */
export const tooManyCalls: Report = {
  ...nothingDecided,
  status: 'denied',
  stage: 'authn',
  codes: ['RATE_LIMITED'],
  failures: [{ code: 'RATE_LIMITED', detail: 'too many calls are running and waiting' }],
  next: ['wait', 'repeat_same_call'],
  waitSeconds: 5,
};

/** A tool that was never seen, on a server that does not start. */
export const notRunning = (server: string): Report => ({
  ...nothingDecided,
  status: 'failed',
  stage: 'execution',
  codes: ['EXECUTION_FAILED'],
  failures: [{ code: 'EXECUTION_FAILED' }],
  next: ['repeat_same_call'],
  reason: `${server} is not running, nothing was sent`,
});
