// One gateway process: the product's own gateway on a simulated store and a simulated target.

import type { Connector } from '../../src/connectors/connector.ts';
import { oneApprover, principalAlone } from '../../src/core/checks/quorum.ts';
import { type AssembledGateway, assembleGateway } from '../../src/gateway/assemble-gateway.ts';
import { ClaimIndex, textsOf } from '../../src/gateway/claim-index.ts';
import type { GatewayParts } from '../../src/gateway/gateway-parts.ts';
import type { Store } from '../../src/stores/store.ts';
import {
  simActions,
  simApprovalMs,
  simAttemptMs,
  simContracts,
  simDefinition,
  simLimits,
  simMandateMs,
  simOpenApprovalsMax,
  simPolicy,
  simPrincipal,
} from './sim-calls.ts';
import type { SimStore } from './sim-store.ts';

export interface SimProcess {
  readonly processId: string;
  readonly host: string;
  readonly store: SimStore;
  /** Present once the store has started. */
  gateway?: AssembledGateway;
  state: 'starting' | 'serving' | 'stopping' | 'dead';
  /** Its host sleeps; the others think that it is dead. */
  isPaused: boolean;
  /** Faults of its store so far. */
  faults: number;
}

/** Terms of the mandate: equal for all processes of a history. */
const terms = 'ef'.repeat(32);

export interface SimParts {
  readonly processId: string;
  readonly store: Store;
  readonly connector: Connector;
  readonly origin: string;
  readonly secret: Uint8Array;
  readonly nowMs: () => number;
  readonly random: (size: number) => Uint8Array;
  readonly definitionVersion: () => number;
  readonly log: GatewayParts['log'];
  readonly onFatal: () => void;
}

export function simGateway(
  parts: SimParts,
  change: (parts: GatewayParts) => Partial<GatewayParts>,
): AssembledGateway {
  const whole: GatewayParts = {
    store: parts.store,
    connector: parts.connector,
    policy: simPolicy,
    registries: new Map(),
    contracts: simContracts,
    claims: new ClaimIndex({}),
    requestTexts: textsOf([]),
    request: undefined,
    definitionOf: (_server, tool) => simDefinition(tool, parts.definitionVersion()),
    listed: () => undefined,
    mandateDraft: () => ({
      mandateId: Buffer.from(parts.random(16)).toString('hex'),
      principal: simPrincipal,
      tenant: 't',
      agent: 'agent',
      scopes: simActions.map(({ action }) => action),
      levelMin: 0,
      validForMs: simMandateMs,
      terms,
      budgets: [
        { kind: 'amount', limit: simLimits.amount },
        { kind: 'calls', limit: simLimits.calls },
      ],
    }),
    approvals: {
      terms: { 1: principalAlone, 2: oneApprover },
      require: { 1: ['elicitation', 'passcode'], 2: ['passkey'] },
      formAllowed: true,
      pageAnswers: () => true,
      linkOf: () => undefined,
      expiresMs: { 1: simApprovalMs, 2: simApprovalMs },
      openMax: simOpenApprovalsMax,
    },
    rateLimit: 10_000,
    attemptTimeoutMs: () => simAttemptMs,
    origin: parts.origin,
    secret: parts.secret,
    processId: parts.processId,
    nowMs: parts.nowMs,
    random: parts.random,
    log: parts.log,
    mirror: undefined,
    onFatal: parts.onFatal,
  };
  return assembleGateway({ ...whole, ...change(whole) });
}
