// Carries out a committed operation as one tool call, and says how sure its outcome is.
import type { Attempt, CommittedOperation, Connector, ConnectorOutcome } from '../connector.ts';
import type { ToolCallOutcome, ToolServers } from '../tool-servers.ts';
import { lookUpOperation } from './mcp-lookup.ts';

/** Errors by which a server says that it did not even begin. */
const rejections: ReadonlySet<number> = new Set([-32601, -32602]);

export function createMcpConnector(servers: ToolServers): Connector {
  return {
    name: 'mcp',
    version: '1',
    idempotent: true,
    promises: ({ idempotency, reconcile }) => ({
      keyLifetimeMs: idempotency?.lifetimeMs,
      canReconcile: reconcile !== undefined,
      absenceFinalAfterMs: reconcile?.absenceFinalAfterMs,
    }),
    reconcile: (operation, lookup) => lookUpOperation(servers, operation, lookup),
    async execute(operation: CommittedOperation, attempt: Attempt): Promise<ConnectorOutcome> {
      const outcome = await servers.call({
        server: operation.server,
        tool: operation.tool,
        argumentsText: operation.call,
        meta: attempt.meta,
        onProgress: attempt.onProgress,
        cancellation: undefined,
        isChecked: true,
      });
      return classify(outcome);
    },
  };
}

function classify(outcome: ToolCallOutcome): ConnectorOutcome {
  switch (outcome.kind) {
    case 'result': {
      const isError = outcome.result['isError'] === true;
      return { class: isError ? 'TOOL_ERROR' : 'SUCCESS', result: outcome.result };
    }
    case 'error': {
      const { code, message } = outcome.error;
      const isRejected = rejections.has(code);
      const reason = `the server answered with error ${code}`;
      return { class: isRejected ? 'REJECTED' : 'AMBIGUOUS', error: { code, message }, reason };
    }
    case 'not_sent':
      return { class: 'NOT_SENT', reason: outcome.reason };
    case 'lost':
      return { class: 'AMBIGUOUS', reason: outcome.reason };
    case 'cancelled':
      return { class: 'AMBIGUOUS', reason: 'the call was cancelled' };
  }
}
