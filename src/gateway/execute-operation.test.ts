import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import type { ConnectorOutcome } from '../connectors/connector.ts';
import type { OutcomeReport } from '../core/moves/plan-outcome.ts';
import { planOutcome } from '../core/moves/plan-outcome.ts';
import type { OperationRow } from '../core/operation.ts';
import { aContract } from '../testing/contract-builders.ts';
import { anOperationRow, testNowMs } from '../testing/move-builders.ts';
import { executeOperation } from './execute-operation.ts';
import type { GatewayParts } from './gateway-parts.ts';

const caller = {
  channel: 'mcp',
  client: 'test',
  signal: undefined,
  meta: undefined,
  onProgress: undefined,
  form: false,
} as const;

/** Executes attempt 1 of `process-1` while the row stands as given. */
async function execute(row: OperationRow) {
  const sent: string[] = [];
  const reports: OutcomeReport[] = [];
  const parts = {
    processId: 'process-1',
    nowMs: () => testNowMs,
    log: () => {},
    mirror: undefined,
    connector: {
      execute: ({ opId }: { readonly opId: string }): Promise<ConnectorOutcome> => {
        sent.push(opId);
        return Promise.resolve({ class: 'SUCCESS', result: { content: [] } });
      },
    },
    store: {
      readOperation: () => Promise.resolve({ row, call: '{}', preimage: '', approval: undefined }),
      finish: (report: OutcomeReport) => {
        reports.push(report);
        const plan = planOutcome(report, { nowMs: testNowMs, operation: row, reserved: [] });
        return Promise.resolve(plan);
      },
    },
  } as unknown as GatewayParts;
  const answer = await executeOperation(parts, {
    opId: row.opId,
    attempt: 1,
    decisionId: row.opId,
    contract: aContract([]),
    values: [],
    caller,
  });
  return { answer, sent, reports };
}

describe('executeOperation', () => {
  it('sends what stands as this process committed it', async () => {
    const row = anOperationRow({ owner: 'process-1' });
    const { answer, sent } = await execute(row);
    expect(sent).toEqual([row.opId]);
    expect(answer).toMatchObject({ kind: 'executed', opId: row.opId });
  });

  verifies('EXE-28', 'sends nothing when the operation was taken from its owner', async () => {
    const unknown = await execute(anOperationRow({ state: 'UNKNOWN', owner: 'process-1' }));
    expect(unknown.sent).toEqual([]);
    expect(unknown.reports).toMatchObject([{ class: 'NOT_SENT', attempt: 1, owner: 'process-1' }]);
    expect(unknown.answer).toMatchObject({ report: { status: 'failed' } });
    const settled = await execute(anOperationRow({ state: 'SUCCEEDED', owner: 'process-1' }));
    expect(settled.sent).toEqual([]);
    expect(settled.answer).toMatchObject({ report: { status: 'unknown' } });
  });

  it.each([
    { why: 'another owner', over: { owner: 'process-2' } },
    { why: 'another attempt', over: { owner: 'process-1', attempt: 2 } },
  ])('sends nothing for $why', async ({ over }) => {
    expect((await execute(anOperationRow(over))).sent).toEqual([]);
  });
});
