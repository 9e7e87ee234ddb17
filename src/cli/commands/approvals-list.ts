// `intentplane approvals list`: the requests that wait for a person.
import { stateOf } from '../../gateway/approval-stats.ts';
import { openStoreForReading } from '../../server/open-store.ts';
import { prepare } from '../../server/prepare.ts';
import { type Command, requiredText } from '../command.ts';
import { alignColumns } from '../output.ts';

/** No request is valid for longer: 72 h. */
const validMaxMs = 259_200_000;

export const approvalsListCommand: Command = {
  name: 'approvals list',
  summary: 'list the requests that wait for a person',
  usage: '--config FILE',
  example: 'intentplane approvals list --config ./intentplane.toml',
  options: { config: { type: 'string' } },
  optionHelp: { config: 'the TOML file' },
  required: ['config'],
  positionals: [0, 0],
  run: async (input) => {
    const { config } = prepare(requiredText(input, 'config'));
    const store = await openStoreForReading(config);
    try {
      const nowMs = Date.now();
      const { requests } = await store.readApprovalFigures({ sinceMs: nowMs - validMaxMs });
      const open = requests
        .map((request) => ({ ...request, state: stateOf(request, nowMs) }))
        .filter(({ state }) => state === 'REQUESTED' || state === 'GRANTED');
      const rows = open.map(({ approvalId, opId, action, level, state, createdMs, expiresMs }) => ({
        approval_id: approvalId,
        op_id: opId,
        action,
        level,
        state,
        created_at: new Date(createdMs).toISOString(),
        expires_at: new Date(expiresMs).toISOString(),
      }));
      input.output.answer(
        { ok: true, approvals: rows },
        rows.length === 0
          ? ['nothing waits for anybody']
          : alignColumns(
              rows.map((row) => [
                row.approval_id,
                row.action,
                `level ${row.level}`,
                row.state,
                `expires ${row.expires_at}`,
              ]),
            ),
      );
      return 0;
    } finally {
      await store.close();
    }
  },
};
