import { describe, expect, it } from 'vitest';
import type { Deny } from '../core/decision.ts';
import type { OutcomeClass } from '../core/operation.ts';
import { anOperationRow } from '../testing/move-builders.ts';
import { aProposal } from '../testing/store-builders.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { tellSuccess } from './tell-success.ts';

const opId = 'a'.repeat(32);
const decision: Deny = {
  kind: 'deny',
  stage: 'execution',
  failures: [{ code: 'EXECUTION_DUPLICATE', opId, detail: 'untold_success' }],
  tells: opId,
};

const tell = (outcome: OutcomeClass, result: string | undefined) => {
  const row = anOperationRow({ opId, state: 'SUCCEEDED', outcome });
  const readOperation = () =>
    Promise.resolve({ row, approval: undefined, preimage: '', call: '{}', result });
  const draft = aProposal({ mandateId: 'm', owner: 'process-1' });
  return tellSuccess({ store: { readOperation } } as unknown as GatewayParts, {
    decision,
    draft,
    opId,
  });
};

describe('tellSuccess', () => {
  it.each(['SUCCESS', 'ODD_ANSWER'] as const)('hands on the kept answer of %s', async (outcome) => {
    expect(await tell(outcome, '{"content":[]}')).toMatchObject({
      kind: 'executed',
      result: { content: [] },
      earlier: { opId },
    });
  });

  it('says that it succeeded when its answer was not kept', async () => {
    expect(await tell('SUCCESS', undefined)).toMatchObject({
      report: {
        codes: ['EXECUTION_DUPLICATE'],
        opId,
        reason: 'it succeeded; its answer was not kept',
      },
    });
  });

  it('hands on no error as the answer of what a person found to have succeeded', async () => {
    for (const outcome of ['TOOL_ERROR', 'AMBIGUOUS'] as const) {
      const answer = await tell(outcome, '{"content":[],"isError":true}');
      expect(answer).toMatchObject({ kind: 'report', report: { opId } });
    }
  });
});
