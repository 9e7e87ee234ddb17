// A whole gateway in this process: real configuration, Cedar, registry, budget and store; the server behind it answers at once.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../src/config/config.ts';
import type { Answer, Gateway } from '../src/gateway/gateway.ts';
import type { GatewayParts } from '../src/gateway/gateway-parts.ts';
import type { PolicyVerdict } from '../src/policy/policy-engine.ts';
import type { LoadedParts } from '../src/server/load-parts.ts';
import type { Store } from '../src/stores/store.ts';
import { built } from './built.ts';

const { oneApprover, principalAlone } =
  await built<typeof import('../src/core/checks/quorum.ts')>('core/checks/quorum');
const { assembleGateway } = await built<typeof import('../src/gateway/assemble-gateway.ts')>(
  'gateway/assemble-gateway',
);
const { ClaimIndex, textsOf } =
  await built<typeof import('../src/gateway/claim-index.ts')>('gateway/claim-index');
const { openStore } =
  await built<typeof import('../src/server/open-store.ts')>('server/open-store');
const { prepare } = await built<typeof import('../src/server/prepare.ts')>('server/prepare');
const { prepareDefinition } =
  await built<typeof import('../src/server/tool-definitions.ts')>('server/tool-definitions');

export interface BenchGateway {
  readonly gateway: Gateway;
  readonly store: Store;
  readonly folder: string;
  readonly pay: (recipient: string, amount: number, subject: string) => Promise<Answer>;
  /** When the last operation was handed over to be sent (`performance.now()`): its intent was committed. */
  readonly sentAt: () => number;
  /** The policy engine alone, with the question of such a payment. */
  readonly ask: (subject: string) => PolicyVerdict;
}

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** A German IBAN with valid check digits for a running number. */
export function ibanOf(number: number): string {
  const account = `37040044${digits(number, 10)}`;
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${digits(Number(check), 2)}${account}`;
}

/** Ten policies, as a grown configuration has; two of them speak of payments. */
function policies(): string {
  const others = Array.from(
    { length: 7 },
    (_unused, index) =>
      `@id("other-${index}") forbid (principal, action == Action::"payment.transfer", resource) when { context.params.subject like "*forbidden-${index}*" };`,
  );
  return [
    '@id("small") permit (principal, action == Action::"payment.transfer", resource) when { context.params.amount <= 100000 };',
    '@id("confirmed") permit (principal, action == Action::"payment.transfer", resource) when { context.approval_level >= 1 };',
    '@id("never") forbid (principal, action == Action::"payment.transfer", resource) when { context.params.amount > 1000000 };',
    ...others,
  ].join('\n');
}

const toml = (store: string): string => `
[gateway]
data = "data"
store = "${store}"
rate_limit = 100000000
[gateway.log]
level = "silent"
[mandate]
budget = 9007199254740991
[registries.payees]
file = "payees.json"
normalize = "iban"
[[servers]]
name = "bank"
command = "true"
[[tools]]
server = "bank"
tool = "send_money"
action = "payment.transfer"
budget_param = "amount"
duplicate_window = 0
[tools.params.recipient]
critical = true
sources = ["registry:payees"]
[tools.params.amount]
type = "number"
scale = 100
[tools.params.subject]
[policy]
file = "policy.cedar"
`;

/** `store`: `sqlite::memory:`, `sqlite:store.db` or the URL of a migrated PostgreSQL. Each agent has a budget of its own and pays in turn. */
export async function createBenchGateway(options: {
  readonly store: string;
  readonly records: number;
  readonly agents?: number;
}): Promise<BenchGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'intentplane-bench-'));
  const payees = Object.fromEntries(
    Array.from({ length: options.records }, (_unused, index) => [`p${index}`, ibanOf(index)]),
  );
  writeFileSync(join(folder, 'payees.json'), JSON.stringify(payees));
  writeFileSync(join(folder, 'policy.cedar'), policies());
  writeFileSync(join(folder, 'intentplane.toml'), toml(options.store));
  const { config, parts } = prepare(join(folder, 'intentplane.toml'));
  let sentAt = 0;
  const { gateways, store } = await assemble(config, parts, {
    agents: options.agents ?? 1,
    onSent: () => {
      sentAt = performance.now();
    },
  });
  const [gateway] = gateways;
  if (gateway === undefined) throw new Error('a bench needs an agent');
  let turn = 0;
  const caller = {
    channel: 'library',
    client: undefined,
    signal: undefined,
    meta: undefined,
    onProgress: undefined,
    form: false,
  } as const;
  return {
    gateway,
    store,
    folder,
    sentAt: () => sentAt,
    ask: (subject) =>
      parts.policy.evaluate({
        principal: 'user',
        scopes: config.mandate.scopes,
        action: 'payment.transfer',
        resource: 'bank',
        context: { params: { amount: 1_000, subject }, origin: {} },
        level: 0,
      }),
    pay: (recipient, amount, subject) => {
      const args = { recipient, amount, subject };
      turn += 1;
      return (gateways[turn % gateways.length] ?? gateway).submit(
        { server: 'bank', tool: 'send_money', args, rawText: JSON.stringify(args) },
        caller,
      );
    },
  };
}

/** The same parts that a start makes, with a connector that answers at once. */
async function assemble(
  config: Config,
  parts: LoadedParts,
  { agents, onSent }: { readonly agents: number; readonly onSent: () => void },
): Promise<{ readonly gateways: readonly Gateway[]; readonly store: Store }> {
  const { store, started, identity, random } = await openStore(config);
  const text = { type: 'string' };
  const definition = prepareDefinition(
    {
      digest: '0'.repeat(64),
      identity: 'bench',
      definition: {
        name: 'send_money',
        inputSchema: {
          type: 'object',
          properties: { recipient: text, amount: { type: 'number' }, subject: text },
        },
      },
    },
    false,
  );
  const gatewayOf = (agent: string): Gateway =>
    assembleGateway({
      ...fixedParts(config, { agent, onSent }),
      store,
      policy: parts.policy,
      registries: parts.registries,
      definitionOf: () => definition,
      listed: () => undefined,
      approvals: {
        terms: { 1: principalAlone, 2: oneApprover },
        require: { 1: ['elicitation', 'passcode'], 2: ['passkey'] },
        formAllowed: true,
        pageAnswers: () => true,
        linkOf: () => undefined,
        expiresMs: config.approvals.expiresMs,
        openMax: 5,
      },
      rateLimit: 100_000_000,
      attemptTimeoutMs: () => 30_000,
      origin: started.origin,
      secret: started.secret,
      processId: identity.processId,
      nowMs: Date.now,
      random,
      log: () => {},
      mirror: undefined,
      onFatal: (error) => {
        throw error;
      },
    });
  const gateways = Array.from({ length: agents }, (_unused, index) => gatewayOf(`agent ${index}`));
  return { gateways, store };
}

/** What no benchmark varies. */
function fixedParts(
  config: Config,
  { agent, onSent }: { readonly agent: string; readonly onSent: () => void },
): Pick<
  GatewayParts,
  'contracts' | 'claims' | 'requestTexts' | 'request' | 'connector' | 'mandateDraft'
> {
  return {
    contracts: new Map([['bank\0send_money', config.contracts]]),
    claims: new ClaimIndex({}),
    requestTexts: textsOf([]),
    request: undefined,
    connector: {
      name: 'null',
      version: '1',
      idempotent: false,
      execute: () => {
        onSent();
        return Promise.resolve({ class: 'SUCCESS', result: { content: [] } } as const);
      },
    },
    mandateDraft: () => ({
      mandateId: randomUUID(),
      principal: 'user',
      tenant: 'user',
      agent,
      scopes: config.mandate.scopes,
      levelMin: 0,
      validForMs: 3_600_000_000,
      terms: '0'.repeat(64),
      budgets: config.mandate.budgets,
    }),
  };
}
