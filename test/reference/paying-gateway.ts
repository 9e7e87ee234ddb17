// A gateway in this process in front of one `bank.pay`, whose connector does what a test says.
import type {
  Connector,
  ConnectorOutcome,
  Lookup,
  TargetPromises,
} from '../../src/connectors/connector.ts';
import type { LookupFinding } from '../../src/core/checks/judge-lookup.ts';
import type { AssembledGateway } from '../../src/gateway/assemble-gateway.ts';
import type { Answer } from '../../src/gateway/gateway.ts';
import type { GatewayParts } from '../../src/gateway/gateway-parts.ts';
import { createInProcessGateway, type InProcessGateway } from './in-process-gateway.ts';

/** One attempt as the connector got it. */
interface Sent {
  readonly call: string;
  readonly key: string;
  readonly attempt: number;
}

/** Target and clock of a test; everything may be changed while it runs. */
interface PayingTarget {
  nowMs: number;
  /** What the target says to the next attempts; the last one is said for ever. */
  outcomes: (ConnectorOutcome | Error)[];
  /** What it says when it is asked. */
  finding: LookupFinding | Error;
  readonly sent: Sent[];
  readonly lookups: Lookup[];
}

export interface PayingGateway extends InProcessGateway {
  readonly gateway: AssembledGateway;
  readonly target: PayingTarget;
  readonly pay: (args: object) => Promise<Answer>;
  readonly alarms: () => Promise<readonly (string | undefined)[]>;
}

export const paid: ConnectorOutcome = {
  class: 'SUCCESS',
  result: { content: [{ type: 'text', text: 'paid' }] },
};
export const lost: ConnectorOutcome = { class: 'AMBIGUOUS', reason: 'it did not answer' };

const config = (tool: string): string => `
[gateway]
store = "sqlite::memory:"
[mandate]
principal = "maya"
budget = 100000
expires_in = "30d"
[[servers]]
name = "bank"
command = "true"
[[tools]]
server = "bank"
tool = "pay"
budget_param = "amount"
duplicate_window = 0
${tool}
[tools.params.invoice]
normalize = "lower"
[tools.params.amount]
type = "integer"
[policy]
file = "policy.cedar"
`;

const schemaOf = (tool: string) => ({
  type: 'object',
  properties: {
    invoice: { type: 'string' },
    amount: { type: 'integer' },
    idempotency_key: { type: 'string' },
  },
  required: tool.includes('idempotency') ? ['idempotency_key'] : [],
});

export const idempotency = 'idempotency = { argument = "idempotency_key", lifetime = "24h" }';
export const reconcile = `
[tools.reconcile]
tool = "bank.find"
arguments = { key = "\${key}" }
succeeded = { pointer = "/status", value = "booked" }
absent = { pointer = "/status", value = "none" }
absence_final_after = "1m"
`;

export async function payingGateway(
  tool: string,
  change: (parts: GatewayParts) => Partial<GatewayParts> = () => ({}),
): Promise<PayingGateway> {
  const target: PayingTarget = {
    nowMs: Date.UTC(2026, 10, 30, 9),
    outcomes: [paid],
    finding: { kind: 'absent' },
    sent: [],
    lookups: [],
  };
  const world = await createInProcessGateway({
    files: {
      'intentplane.toml': config(tool),
      'policy.cedar':
        '@id("small") permit (principal, action, resource) when { context.params.amount <= 500 }; @id("asked") permit (principal, action, resource) when { context.approval_level >= 1 };',
    },
    schemas: { 'bank.pay': schemaOf(tool) },
    nowMs: () => target.nowMs,
    change: (parts) => ({ connector: connectorOf(target), ...change(parts) }),
  });
  return {
    ...world,
    gateway: world.gateway as AssembledGateway,
    target,
    pay: (args) => world.call('bank.pay', args),
    alarms: async () => {
      const leaves = await world.store.readLeaves({ from: 0, count: 1_000 });
      return leaves
        .filter(({ type }) => type === 'alarm')
        .map(({ bytes }) => (JSON.parse(Buffer.from(bytes).toString()) as { kind?: string }).kind);
    },
  };
}

function connectorOf(target: PayingTarget): Connector {
  return {
    name: 'list',
    version: '1',
    idempotent: true,
    promises: ({ idempotency: terms, reconcile: rule }): TargetPromises => ({
      keyLifetimeMs: terms?.lifetimeMs,
      canReconcile: rule !== undefined,
      absenceFinalAfterMs: rule?.absenceFinalAfterMs,
    }),
    execute: ({ call }, { key, attempt }) => {
      target.sent.push({ call, key, attempt });
      const outcome =
        (target.outcomes.length > 1 ? target.outcomes.shift() : target.outcomes[0]) ?? paid;
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    },
    reconcile: (_operation, lookup) => {
      target.lookups.push(lookup);
      const { finding } = target;
      return finding instanceof Error ? Promise.reject(finding) : Promise.resolve(finding);
    },
  };
}
