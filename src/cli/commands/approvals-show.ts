// `intentplane approvals show`: one request as its page shows it. It decides nothing.
import type { ApprovalDetail, HistoryNote, ShownValue } from '../../gateway/gateway.ts';
import { readDetail } from '../../gateway/pending-approval.ts';
import { openStoreForReading } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import type { Store } from '../../stores/store.ts';
import { type Command, type CommandInput, requiredText, UsageError } from '../command.ts';
import { alignColumns } from '../output.ts';

export const approvalsShowCommand: Command = {
  name: 'approvals show',
  summary: 'show one request: its values, where they come from, and what was done before',
  usage: 'ID --config FILE',
  example:
    'intentplane approvals show 3f6c8a0b5d2e4f719c8b7a6d5e4f3c2b --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file' },
  required: ['config'],
  positionals: [1, 1],
  run: async (input) => {
    const approvalId = idOf(input);
    const { config } = prepare(requiredText(input, 'config'));
    const store = await openStoreForReading(config);
    try {
      const found = await shownOf(store, approvalId);
      if ('refusal' in found) {
        const { refusal } = found;
        input.output.answer({ ok: false, approval_id: approvalId, error: refusal }, [refusal]);
        return 1;
      }
      input.output.answer({ ok: true, approval: found.data }, found.lines);
      return 0;
    } finally {
      await store.close();
    }
  },
};

function idOf({ positionals }: CommandInput): string {
  const [id = ''] = positionals;
  if (/^[0-9a-f]{32}$/.test(id)) return id;
  throw new UsageError(
    `\`${id.slice(0, 80)}\` is no id of a request: 32 hex digits, see \`intentplane approvals list\``,
  );
}

type Shown =
  | { readonly data: object; readonly lines: readonly string[] }
  | { readonly refusal: string };

async function shownOf(store: Store, approvalId: string): Promise<Shown> {
  let changed: string | undefined;
  const found = await readDetail(store, approvalId, {
    nowMs: Date.now(),
    onChanged: (opId) => {
      changed = opId;
    },
  });
  if (changed !== undefined) {
    const refusal = `operation ${changed} is not what its hash says, or was erased: it is not shown`;
    return { refusal };
  }
  if (found === undefined) {
    return { refusal: `there is no request ${approvalId}: see \`intentplane approvals list\`` };
  }
  const { stored, sentence, detail } = found;
  const { level, state, createdMs, expiresMs, opId } = stored.approval;
  const data = {
    approval_id: approvalId,
    op_id: opId,
    action: detail.action,
    sentence,
    level,
    state,
    created_at: new Date(createdMs).toISOString(),
    expires_at: new Date(expiresMs).toISOString(),
    principal: detail.principal,
    agent: detail.agent,
    op_hash: detail.opHash,
    values: detail.values.map(described),
    rest: detail.rest ?? null,
    history: detail.history,
    reasons: detail.reasons,
  };
  return { data, lines: linesOf(data, detail) };
}

function described({ label, path, display, source, ...record }: ShownValue) {
  return {
    label,
    path,
    value: display,
    source: source === '' ? null : source,
    record: record.recordId ?? null,
    version: record.recordVersion ?? null,
    warnings: record.warnings,
  };
}

function linesOf(
  head: {
    readonly sentence: string;
    readonly state: string;
    readonly level: number;
    readonly expires_at: string;
  },
  { values, history, reasons, agent, principal, opHash, rest }: ApprovalDetail,
): readonly string[] {
  return [
    printable(head.sentence),
    `${head.state}, level ${head.level}, expires ${head.expires_at}`,
    ...alignColumns(
      values.map(({ label, display, source }) => [
        `  ${printable(label)}`,
        printable(display),
        source === '' ? 'written by the agent' : printable(source),
      ]),
    ),
    ...history.map((note) => `before: ${noteLine(note)}`),
    `asked by ${printable(agent)} for ${printable(principal)}`,
    ...reasons.map((reason) => `why: ${printable(reason)}`),
    `op_hash ${opHash}`,
    ...(rest === undefined ? [] : [`untrusted, as the agent wrote it: ${printable(rest)}`]),
  ];
}

function noteLine(note: HistoryNote): string {
  switch (note.kind) {
    case 'first_recipient':
      return 'nothing was done for this recipient';
    case 'amount_multiple':
      return `the amount is ${note.multiple} times the median of the last ${note.of}`;
    case 'field_changed':
      return `not as the last time: ${printable(note.label)}`;
    case 'record_changed':
      return `the record behind ${printable(note.label)} was changed ${note.daysAgo} days ago`;
    case 'recent_denials':
      return `${note.count} refused within the last hour`;
  }
}

/** A text of somebody else must not move the cursor or hide in a line of the terminal. */
const printable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
