import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { attemptKey } from '../../core/operation.ts';
import {
  type ConnectorStage,
  type TargetMode,
  testConnector,
} from '../../testing/connector-conformance.ts';
import { aContract, aParam } from '../../testing/contract-builders.ts';
import type { ToolCallOutcome, ToolServers } from '../tool-servers.ts';
import { createMcpConnector } from './mcp-connector.ts';
import { createMcpToolServers } from './mcp-tool-servers.ts';

const ledgerServer = fileURLToPath(
  new URL('../../../test/fixtures/servers/ledger-server.ts', import.meta.url),
);

const contract = aContract([aParam('amount', { type: 'number', scale: 100 })], {
  budgetParam: 'amount',
  idempotency: { argument: 'idempotency_key', lifetimeMs: 86_400_000 },
  reconcile: {
    server: 'bank',
    tool: 'find_payment',
    arguments: { key: `\${key}` },
    succeeded: { pointer: '/status', values: ['booked'], isError: false },
    absent: { pointer: '/status', values: ['none'], isError: false },
    amount: '/amount',
    reference: '/reference',
    key: '/key',
    absenceFinalAfterMs: 60_000,
  },
});

const modes: Readonly<Record<Exclude<TargetMode, 'down'>, string>> = {
  well: '',
  'dies-before-effect': 'die-before-effect',
  'dies-after-effect': 'die-after-effect',
  'never-answers': 'no-answer',
  rejects: 'reject',
  'finds-nothing': 'find-nothing',
  'finds-other-amount': 'find-other-amount',
  'finds-no-amount': 'find-no-amount',
  'finds-other-key': 'find-other-key',
  'finds-odd-status': 'find-odd-status',
  'dies-when-asked': 'find-dies',
};

async function ledgerStage(): Promise<ConnectorStage> {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  const [ledger, mode] = [join(folder, 'ledger.jsonl'), join(folder, 'mode')];
  const servers = createMcpToolServers({
    servers: [
      {
        name: 'bank',
        command: process.execPath,
        args: [ledgerServer, ledger, mode],
        env: { ...process.env } as Record<string, string>,
        cwd: folder,
        timeoutMs: 30_000,
        callTimeoutMs: 1_500,
        restart: 'on-crash',
      },
    ],
    version: '0',
    secrets: [],
    log: () => {},
  });
  servers.start();
  await servers.ready('bank');
  return {
    connector: createMcpConnector(servers),
    contract,
    operation: (opId, amount) => ({
      opId,
      action: 'bank.pay',
      server: 'bank',
      tool: 'pay',
      call: JSON.stringify({ amount, idempotency_key: attemptKey(opId) }),
    }),
    effects: () =>
      existsSync(ledger)
        ? readFileSync(ledger, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => (JSON.parse(line) as { key: string }).key)
        : [],
    behave: async (wanted) => {
      if (wanted === 'down') return servers.close();
      writeFileSync(mode, modes[wanted]);
      await servers.ready('bank');
    },
    close: async () => {
      await servers.close();
      rmSync(folder, { recursive: true });
    },
  };
}

testConnector('MCP connector', ledgerStage);

describe('MCP connector', () => {
  const outcomeOf = async (outcome: ToolCallOutcome): Promise<string> => {
    const servers = { call: () => Promise.resolve(outcome) } as unknown as ToolServers;
    const operation = { opId: '1', action: 'a', server: 's', tool: 't', call: '{}' };
    const attempt = { key: 'k', attempt: 1, deadlineMs: 1, meta: undefined, onProgress: undefined };
    return (await createMcpConnector(servers).execute(operation, attempt)).class;
  };
  const error = (code: number): ToolCallOutcome => ({
    kind: 'error',
    error: { code, message: '' },
  });

  verifies(
    'EXE-04',
    'puts every end of a call into its class, and an unlisted error into ambiguous',
    async () => {
      const table: readonly (readonly [outcome: ToolCallOutcome, wanted: string])[] = [
        [{ kind: 'not_sent', reason: 'could not be started' }, 'NOT_SENT'],
        [error(-32601), 'REJECTED'],
        [error(-32602), 'REJECTED'],
        [error(-32603), 'AMBIGUOUS'],
        [error(-32000), 'AMBIGUOUS'],
        [error(429), 'AMBIGUOUS'],
        [{ kind: 'lost', reason: 'it did not answer' }, 'AMBIGUOUS'],
        [{ kind: 'cancelled' }, 'AMBIGUOUS'],
        [{ kind: 'result', result: { isError: true } }, 'TOOL_ERROR'],
        [{ kind: 'result', result: { isError: false } }, 'SUCCESS'],
        [{ kind: 'result', result: {} }, 'SUCCESS'],
      ];
      for (const [outcome, wanted] of table) expect(await outcomeOf(outcome)).toBe(wanted);
    },
  );
});
