// Identities, texts and bindings of one proposal, ready for the store.

import { utf8Length } from '../core/checks/strict-json.ts';
import { rawKeptMax } from '../core/moves/decision-leaves.ts';
import type { ProposalDraft } from '../core/moves/proposal-draft.ts';
import type { MandateRow } from '../core/operation.ts';
import { sha256Hex } from '../core/sha256.ts';
import { approvalSentence } from './approval-sentence.ts';
import { comparedCall } from './compared-call.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Caller, ToolCall } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { withKey } from './key-argument.ts';
import { onceKeyOf } from './once-key.ts';
import { randomHex, toBase64Url } from './random-id.ts';
import type { ReadProposal } from './read-proposal.ts';

/** Name in the log for calls of tools that are hidden or do not exist: what the agent called them is committed only. */
const unknownAction = 'unknown';

/** Open requests of both levels end with this at the latest: 72 h. */
export interface DraftContext {
  readonly call: ToolCall;
  readonly caller: Caller;
  readonly proposal: ReadProposal;
  readonly mandate: MandateRow;
  /** Instead of a new id: the one that a caller's key stands for. */
  readonly opId?: string | undefined;
}

const emptyDigest = sha256Hex('');

export function draftProposal(parts: GatewayParts, context: DraftContext): ProposalDraft {
  const { call, caller, proposal, mandate } = context;
  const { contract, resolved } = proposal;
  const isKept = call.rawText.length <= rawKeptMax;
  const hasRest = resolved !== undefined && Object.keys(resolved.rest).length > 0;
  const opId = context.opId ?? randomHex(parts.random, 16);
  return {
    opId,
    approvalId: randomHex(parts.random, 16),
    nonce: toBase64Url(parts.random(32)),
    channel: caller.channel,
    client: caller.client,
    action: contract?.action ?? unknownAction,
    raw: isKept ? call.rawText : undefined,
    rawHash: isKept ? undefined : sha256Hex(call.rawText),
    rawBytes: utf8Length(call.rawText),
    mandateId: mandate.mandateId,
    fingerprint: fingerprint(parts, context),
    ...onceKey(parts, context),
    ...compared(parts, context),
    binding: bindingOf(parts, context),
    call:
      resolved === undefined || contract === undefined
        ? undefined
        : JSON.stringify(withKey(contract, resolved.args, opId)),
    rest: hasRest ? JSON.stringify(resolved.rest) : undefined,
    ...sentences(proposal),
    labels: Object.fromEntries(
      (contract?.params ?? []).flatMap((param) =>
        param.label === undefined ? [] : [[param.name, param.label]],
      ),
    ),
    owner: parts.processId,
    attemptTimeoutMs: parts.attemptTimeoutMs(call.server),
    approvalExpiresMs: parts.approvals.expiresMs,
    approvalTerms: parts.approvals.terms,
  };
}

function sentences({ contract, resolved }: ReadProposal): { sentence: string; summary: string } {
  if (resolved === undefined || contract === undefined) return { sentence: '', summary: '' };
  return {
    sentence: approvalSentence(contract, resolved.values, 'person'),
    summary: approvalSentence(contract, resolved.values, 'agent'),
  };
}

function fingerprint(
  parts: GatewayParts,
  { proposal: { contract, resolved }, mandate }: DraftContext,
): string | undefined {
  if (contract === undefined || resolved === undefined) return undefined;
  return fingerprintOf(parts.secret, mandate.line, { contract, resolved: resolved.args });
}

function onceKey(
  parts: GatewayParts,
  { proposal: { contract, resolved }, mandate }: DraftContext,
): Pick<ProposalDraft, 'once'> {
  if (contract === undefined || resolved === undefined) return {};
  const { values } = resolved;
  const once = onceKeyOf(parts.secret, mandate.tenant, { contract, values });
  return once === undefined ? {} : { once };
}

function compared(
  parts: GatewayParts,
  { proposal: { contract, resolved }, mandate }: DraftContext,
): Pick<ProposalDraft, 'compared'> {
  if (contract === undefined || resolved === undefined) return {};
  const call = comparedCall(parts.secret, mandate.tenant, { contract, ...resolved });
  return call === undefined ? {} : { compared: call };
}

function bindingOf(
  parts: GatewayParts,
  { call, proposal: { contract, definition }, mandate }: DraftContext,
): ProposalDraft['binding'] {
  const current = definition.kind === 'current' ? definition : undefined;
  return {
    gateway: parts.origin,
    contractDigest: contract?.digest ?? emptyDigest,
    principal: mandate.principal,
    agent: mandate.agent,
    mandateHash: mandate.hash,
    policySet: parts.policy.policySetSha256,
    policySchema: parts.policy.schemaSha256,
    policyEngine: parts.policy.engineVersion,
    connector: parts.connector.name,
    connectorVersion: parts.connector.version,
    server: current === undefined ? call.server : `${call.server} ${current.serverIdentity}`,
    definition: current?.digest ?? null,
  };
}
