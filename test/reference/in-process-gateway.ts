// A gateway in this process: real configuration, policies, registries, memory store and decisions; only the server behind it is a list.

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import type { Connector, ConnectorOutcome } from '../../src/connectors/connector.ts';
import { oneApprover, principalAlone } from '../../src/core/checks/quorum.ts';
import type { Contract } from '../../src/core/contract.ts';
import type { JsonObject } from '../../src/core/json-value.ts';
import type { MandateDraft } from '../../src/core/moves/plan-mandate.ts';
import { sha256Hex } from '../../src/core/sha256.ts';
import { type AssembledGateway, assembleGateway } from '../../src/gateway/assemble-gateway.ts';
import { ClaimIndex, textsOf } from '../../src/gateway/claim-index.ts';
import type { Answer, Caller, Gateway } from '../../src/gateway/gateway.ts';
import type { GatewayParts } from '../../src/gateway/gateway-parts.ts';
import { requestTexts } from '../../src/gateway/request-texts.ts';
import { prepare } from '../../src/server/prepare.ts';
import { prepareDefinition } from '../../src/server/tool-definitions.ts';
import { createMemoryStore } from '../../src/stores/memory/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';

/** What reached the server. */
export interface Effect {
  readonly opId: string;
  readonly action: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface InProcessOptions {
  /** File name → text; `intentplane.toml` must be among them. */
  readonly files: Readonly<Record<string, string>>;
  /** `server.tool` → input schema. */
  readonly schemas: Readonly<Record<string, JsonObject>>;
  readonly nowMs?: () => number;
  readonly outcome?: (effect: Effect) => ConnectorOutcome;
  /** Replaces parts before the gateway is made, e.g. by ones that fail. */
  readonly change?: (parts: GatewayParts) => Partial<GatewayParts>;
}

export interface InProcessGateway {
  readonly gateway: AssembledGateway;
  readonly store: Store;
  readonly config: Config;
  readonly effects: Effect[];
  /** One call as the proxy would hand it on. */
  readonly call: (name: string, args: unknown, caller?: Partial<Caller>) => Promise<Answer>;
}

const okResult: ConnectorOutcome = {
  class: 'SUCCESS',
  result: { content: [{ type: 'text', text: 'done' }] },
};

export async function createInProcessGateway(options: InProcessOptions): Promise<InProcessGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'intentplane-test-'));
  for (const [name, text] of Object.entries(options.files)) writeFileSync(join(folder, name), text);
  const { config, parts: loaded } = prepare(join(folder, 'intentplane.toml'));
  const nowMs = options.nowMs ?? Date.now;
  const effects: Effect[] = [];
  const store = createMemoryStore({
    identity: { processId: randomUUID(), host: 'h', bootId: 'b', pid: 1, pidStart: '1' },
    isAlive: () => true,
    nowMs,
    random: (size) => randomBytes(size),
    origin: config.gateway.name,
    gatewayVersion: '0',
    configDigest: config.digest,
  });
  const started = await store.start();
  const connector: Connector = {
    name: 'list',
    version: '1',
    idempotent: false,
    execute: (operation) => {
      const args = JSON.parse(operation.call) as Record<string, unknown>;
      const effect = { opId: operation.opId, action: operation.action, args };
      effects.push(effect);
      return Promise.resolve(options.outcome?.(effect) ?? okResult);
    },
  };
  const definitions = new Map(
    Object.entries(options.schemas).map(([name, inputSchema]) => [
      name,
      prepareDefinition(
        { definition: { name, inputSchema }, digest: sha256Hex(name), identity: 'i' },
        false,
      ),
    ]),
  );
  const parts: GatewayParts = {
    store,
    policy: loaded.policy,
    registries: loaded.registries,
    contracts: byTool(config.contracts),
    claims: new ClaimIndex(config.mandate.claims),
    requestTexts:
      config.mandate.request === undefined ? textsOf([]) : requestTexts(config.mandate.request),
    request: config.mandate.request,
    connector,
    definitionOf: (server, tool) => definitions.get(`${server}.${tool}`) ?? { kind: 'unknown' },
    listed: () => undefined,
    mandateDraft: () => draftOf(config),
    approvals: {
      terms: { 1: principalAlone, 2: oneApprover },
      require: { 1: ['elicitation', 'passcode'], 2: ['passkey'] },
      formAllowed: true,
      pageAnswers: () => true,
      linkOf: (id) => `http://localhost:1/a/${id}`,
      expiresMs: config.approvals.expiresMs,
      openMax: 5,
    },
    rateLimit: config.gateway.rateLimit,
    attemptTimeoutMs: () => 30_000,
    origin: started.origin,
    secret: started.secret,
    processId: randomUUID(),
    nowMs,
    random: (size) => randomBytes(size),
    log: () => {},
    mirror: undefined,
    onFatal: () => {},
  };
  const gateway = assembleGateway({ ...parts, ...options.change?.(parts) });
  return {
    gateway,
    store,
    config,
    effects,
    call: (name, args, caller) => submit(gateway, { name, args, caller }),
  };
}

function draftOf({ mandate, digest }: Config): MandateDraft {
  const { principal, tenant, agent, scopes, budgets, expiresInMs } = mandate;
  return {
    mandateId: randomUUID(),
    principal,
    tenant,
    agent,
    scopes,
    levelMin: 0,
    validForMs: expiresInMs,
    terms: digest,
    budgets,
  };
}

function byTool(contracts: readonly Contract[]): ReadonlyMap<string, readonly Contract[]> {
  const found = new Map<string, Contract[]>();
  for (const contract of contracts) {
    const key = `${contract.server}\0${contract.tool}`;
    found.set(key, [...(found.get(key) ?? []), contract]);
  }
  return found;
}

function submit(
  gateway: Gateway,
  about: {
    readonly name: string;
    readonly args: unknown;
    readonly caller: Partial<Caller> | undefined;
  },
): Promise<Answer> {
  const [server = '', tool = ''] = about.name.split('.');
  const args = about.args as never;
  return gateway.submit(
    { server, tool, args, rawText: JSON.stringify(args ?? {}) },
    {
      channel: 'mcp',
      client: 'test',
      signal: undefined,
      meta: undefined,
      onProgress: undefined,
      form: false,
      ...about.caller,
    },
  );
}
