// The named points at which a gateway can be told to kill itself, and the moment when it does.
import { appendFileSync } from 'node:fs';

/** Point → how often it is passed at most before the process dies there; more is more chance. */
export const killPoints = {
  'start.before': 1,
  'start.orphans': 1,
  'start.after': 1,
  'decide.before': 12,
  'transaction.inside': 2,
  'dispatch.after': 12,
  'ask.after': 1,
  'granted.after': 1,
  'send.before': 12,
  'send.after': 12,
  'send.answered': 12,
  'finish.before': 12,
  'finish.after': 12,
  'answer.before': 1,
  'answer.after': 1,
  'reconcile.before': 1,
  'reconcile.after': 1,
  'checkpoint.before': 2,
  'guard.before': 2,
  'guard.after': 2,
  'sign.before': 2,
  'sign.after': 2,
  'checkpoint.after': 2,
} as const;

export type KillPoint = keyof typeof killPoints;

export const killPointNames: readonly KillPoint[] = Object.keys(killPoints) as KillPoint[];

/** Which point, at which of its passings, and the file in which the process says that it got there. */
export interface KillOrder {
  readonly point: KillPoint;
  readonly at: number;
  readonly file: string;
}

/** The order as the environment of the process that is to die. */
export const killEnvironment = ({ point, at, file }: KillOrder): Record<string, string> => ({
  CHAOS_KILL_POINT: point,
  CHAOS_KILL_AT: String(at),
  CHAOS_KILL_FILE: file,
});

const wanted = process.env['CHAOS_KILL_POINT'];
let left = Number(process.env['CHAOS_KILL_AT']);

/** Passes a point; does not return at the one, and the time, that was ordered. */
export function pass(point: KillPoint): void {
  if (point !== wanted) return;
  left -= 1;
  if (left > 0) return;
  appendFileSync(process.env['CHAOS_KILL_FILE'] ?? '', `${point}\n`);
  process.kill(process.pid, 'SIGKILL');
}
