// `intentplane approvals stats`: how often people were asked, how they answered, what could be allowed.
import { moneyText } from '../../core/checks/money-text.ts';
import { shownDrafts } from '../../gateway/amendment-drafts.ts';
import {
  type ApprovalStats,
  approvalStats,
  type LevelStats,
} from '../../gateway/approval-stats.ts';
import type { ShownDraft } from '../../gateway/gateway.ts';
import { openStoreForReading } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import {
  type Command,
  type CommandInput,
  optionalText,
  requiredText,
  UsageError,
} from '../command.ts';

const sinceDefault = '30d';
const unitsMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

export const approvalsStatsCommand: Command = {
  name: 'approvals stats',
  summary:
    'how often people were asked and how they answered, and what was approved again and again',
  usage: '--config FILE [--since TIME]',
  example: 'intentplane approvals stats --config ./intentplane.toml --since 7d',
  options: { config: { type: 'string' }, since: { type: 'string' } },
  optionHelp: {
    config: 'the TOML file',
    since: `how far back: 30d, 12h or 90m (${sinceDefault})`,
  },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const nowMs = Date.now();
    const sinceMs = nowMs - spanOf(input);
    const { config } = prepare(requiredText(input, 'config'));
    const store = await openStoreForReading(config);
    try {
      const stats = approvalStats(await store.readApprovalFigures({ sinceMs }), nowMs);
      const drafts = await shownDrafts(store, await store.readDrafts());
      const since = new Date(sinceMs).toISOString();
      input.output.answer({ ok: true, since, ...statsData(stats), drafts: drafts.map(draftData) }, [
        `since ${since}`,
        ...statsLines(stats),
        ...drafts.map(draftLine),
      ]);
      return 0;
    } finally {
      await store.close();
    }
  },
};

function spanOf(input: CommandInput): number {
  const text = optionalText(input, 'since') ?? sinceDefault;
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([dhm])$/.exec(text) ?? [];
  const unitMs = unitsMs[unit];
  if (unitMs === undefined) throw new UsageError('--since takes a time like 30d, 12h or 90m');
  return Number(count) * unitMs;
}

function statsData(stats: ApprovalStats) {
  return {
    actions: stats.actions,
    prompts: stats.prompts,
    prompts_per_100: stats.promptsPer100 ?? null,
    open: stats.open,
    expired: stats.expired,
    rejected: stats.rejected,
    levels: stats.levels.map(({ level, prompts, answers, ...rates }) => ({
      level,
      prompts,
      answers,
      approve_rate: rates.approveRate ?? null,
      median_answer_ms: rates.medianAnswerMs ?? null,
      hint: hintOf(rates) ?? null,
    })),
  };
}

const hintOf = ({ isRubberStamped }: Pick<LevelStats, 'isRubberStamped'>): string | undefined =>
  isRubberStamped
    ? 'nearly everything is approved in under 3 seconds: ask less often, or nobody reads it'
    : undefined;

function statsLines(stats: ApprovalStats): readonly string[] {
  const { actions, prompts, promptsPer100, open, expired, rejected } = stats;
  const per100 = promptsPer100 === undefined ? '' : `, ${promptsPer100} per 100`;
  return [
    `${prompts} requests for ${actions} actions${per100}`,
    `${open} open, ${expired} expired, ${rejected} rejected`,
    ...stats.levels.filter(({ answers }) => answers > 0).flatMap(levelLines),
  ];
}

function levelLines(stats: LevelStats): readonly string[] {
  const { level, answers, approveRate = 0, medianAnswerMs = 0 } = stats;
  const seconds = Math.round(medianAnswerMs / 100) / 10;
  const hint = hintOf(stats);
  return [
    `level ${level}: ${answers} answers, ${approveRate} % approved, median ${seconds} s`,
    ...(hint === undefined ? [] : [`level ${level}: ${hint}`]),
  ];
}

function draftData(draft: ShownDraft) {
  return {
    draft_id: draft.draftId,
    action: draft.action,
    recipient_paths: draft.recipientPaths,
    recipient: draft.recipient ?? null,
    ceiling: draft.ceiling,
    currency: draft.currency ?? null,
    basis: draft.basis,
    created_at: new Date(draft.createdMs).toISOString(),
    expires_at: new Date(draft.expiresMs).toISOString(),
  };
}

function draftLine({ action, basis, ceiling, currency, draftId }: ShownDraft): string {
  const upTo = currency === undefined ? String(ceiling) : moneyText(ceiling, currency);
  return `draft ${draftId}: ${action} to one recipient up to ${upTo}, approved ${basis.length} times; allows nothing until it is signed`;
}
