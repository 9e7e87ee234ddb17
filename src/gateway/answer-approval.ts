// The one choke point of approvals: page, form and command line all end here.

import { canonicalJson } from '../core/canonical-json.ts';
import { isAccepted } from '../core/checks/assurance.ts';
import { hmacSha256Base64Url, sha256Hex } from '../core/sha256.ts';
import type { AnswerResult, PersonAnswer } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';

/** Longest reason a person may give. */
const reasonMax = 500;

/** Records a person's answer; who may answer is judged in the store's transaction. */
export async function answerApproval(
  parts: GatewayParts,
  answer: PersonAnswer,
): Promise<AnswerResult> {
  const refused = await refuseFactor(parts, answer);
  if (refused !== undefined) return refused;
  const evidence = evidenceOf(parts, answer);
  const plan = await parts.store.answer({
    approvalId: answer.approvalId,
    opHash: answer.opHash,
    verdict: answer.verdict,
    person: answer.person,
    assurance: answer.assurance,
    channel: answer.channel,
    reason: answer.reason?.slice(0, reasonMax).toWellFormed(),
    evidence,
    evidenceHash: sha256Hex(evidence),
  });
  const { result } = plan;
  if (!result.ok) return result;
  if (result.suspended) parts.log('warn', 'the mandate is suspended after three rejected requests');
  return { ok: true, state: result.state };
}

/** A reject needs nobody to prove more than who is there. */
async function refuseFactor(
  { store, approvals }: GatewayParts,
  { approvalId, verdict, assurance }: PersonAnswer,
): Promise<AnswerResult | undefined> {
  const stored = await store.readApproval(approvalId);
  if (stored === undefined) return { ok: false, code: 'NOT_FOUND', state: undefined };
  const { level, state } = stored.approval;
  if (verdict === 'reject' || isAccepted(assurance, approvals.require[level])) return undefined;
  return { ok: false, code: 'FACTOR_REFUSED', state };
}

/** The gateway's own word for what it saw: a keyed hash over operation, person, verdict and time. */
function evidenceOf(parts: GatewayParts, answer: PersonAnswer): string {
  const said = {
    approval: answer.approvalId,
    op_hash: answer.opHash,
    person: answer.person,
    verdict: answer.verdict,
    assurance: answer.assurance,
    at: parts.nowMs(),
  };
  return canonicalJson({ ...said, mac: hmacSha256Base64Url(parts.secret, canonicalJson(said)) });
}
