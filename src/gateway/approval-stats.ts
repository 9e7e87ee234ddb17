// How often people are asked, and how they answer: prompts that nobody reads protect nobody.
import type { ApprovalFigure, ApprovalFigures } from '../core/history.ts';
import { median } from '../core/median.ts';

/** More than this share of approvals, in less than this time, is hardly read: 98 % and 3 s. */
const approveRateMax = 98;
const answerMsMin = 3_000;

/** Answers at one level; rates in percent, absent where nobody answered. */
export interface LevelStats {
  readonly level: 1 | 2;
  readonly prompts: number;
  readonly answers: number;
  readonly approveRate: number | undefined;
  /** From the request to each answer. */
  readonly medianAnswerMs: number | undefined;
  /** Nearly everything is approved, faster than it can be read. */
  readonly isRubberStamped: boolean;
}

export interface ApprovalStats {
  /** Operations that were asked about or sent. */
  readonly actions: number;
  readonly prompts: number;
  /** Undefined without an action. */
  readonly promptsPer100: number | undefined;
  readonly open: number;
  readonly expired: number;
  readonly rejected: number;
  readonly levels: readonly LevelStats[];
}

/** Pure. A request whose time is over counts as expired although nobody has written it down yet. */
export function approvalStats(figures: ApprovalFigures, nowMs: number): ApprovalStats {
  const { operations: actions, requests } = figures;
  const states = requests.map((request) => stateOf(request, nowMs));
  const countOf = (state: string): number => states.filter((each) => each === state).length;
  return {
    actions,
    prompts: requests.length,
    promptsPer100: actions === 0 ? undefined : rounded((requests.length / actions) * 100),
    open: countOf('REQUESTED') + countOf('GRANTED'),
    expired: countOf('EXPIRED'),
    rejected: countOf('REJECTED'),
    levels: ([1, 2] as const).map((level) => levelStats(level, requests)),
  };
}

/** As of now. */
export function stateOf(request: ApprovalFigure, nowMs: number): ApprovalFigure['state'] {
  const isOpen = request.state === 'REQUESTED' || request.state === 'GRANTED';
  return isOpen && nowMs >= request.expiresMs ? 'EXPIRED' : request.state;
}

function levelStats(level: 1 | 2, all: readonly ApprovalFigure[]): LevelStats {
  const requests = all.filter((request) => request.level === level);
  const answers = requests.flatMap(({ createdMs, answers: list }) =>
    list.map(({ approves, atMs }) => ({ approves, afterMs: atMs - createdMs })),
  );
  const approvals = answers.filter(({ approves }) => approves).length;
  const rate = answers.length === 0 ? undefined : (approvals / answers.length) * 100;
  const medianAnswerMs = median(answers.map(({ afterMs }) => afterMs));
  return {
    level,
    prompts: requests.length,
    answers: answers.length,
    approveRate: rate === undefined ? undefined : rounded(rate),
    medianAnswerMs,
    isRubberStamped:
      (rate ?? 0) > approveRateMax && medianAnswerMs !== undefined && medianAnswerMs < answerMsMin,
  };
}

const rounded = (number: number): number => Math.round(number * 10) / 10;
