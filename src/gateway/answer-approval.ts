// The one choke point of approvals: page, form and command line all end here.

import { canonicalJson } from '../core/canonical-json.ts';
import { isAccepted } from '../core/checks/assurance.ts';
import { opHash } from '../core/op-hash.ts';
import { hmacSha256Base64Url, sha256Hex } from '../core/sha256.ts';
import type { StoredApproval } from '../stores/store.ts';
import type { AnswerResult, PersonAnswer } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { type PasskeyProof, provePasskey } from './prove-passkey.ts';

/** Longest reason a person may give. */
const reasonMax = 500;

/** Records a person's answer; who may answer is judged in the store's transaction. */
export async function answerApproval(
  parts: GatewayParts,
  answer: PersonAnswer,
): Promise<AnswerResult> {
  const stored = await parts.store.readApproval(answer.approvalId);
  if (stored === undefined) return { ok: false, code: 'NOT_FOUND', state: undefined };
  const { state } = stored.approval;
  // What is stored is hashed again: a signature over other bytes than those that would run is none.
  if (opHash(stored.operation.preimage) !== stored.operation.row.opHash) {
    return { ok: false, code: 'EXECUTION_CHANGED', state };
  }
  const passkey =
    answer.assertion === undefined ? undefined : await provePasskey(parts, stored, answer);
  if (answer.assertion !== undefined && passkey === undefined) {
    return { ok: false, code: 'PASSKEY_REFUSED', state };
  }
  if (isFactorRefused(parts, stored, { answer, passkey })) {
    return { ok: false, code: 'FACTOR_REFUSED', state };
  }
  const evidence = passkey?.evidence ?? evidenceOf(parts, answer);
  const plan = await parts.store.answer({
    approvalId: answer.approvalId,
    opHash: answer.opHash,
    verdict: answer.verdict,
    person: answer.person,
    credentialId: passkey?.credentialId,
    assurance: passkey?.assurance ?? answer.assurance,
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

/**
 * A reject needs nobody to prove more than who is there, so what is recorded with it is how they
 * signed in; and a signature always means approve.
 */
function isFactorRefused(
  { approvals }: GatewayParts,
  { approval }: StoredApproval,
  {
    answer,
    passkey,
  }: { readonly answer: PersonAnswer; readonly passkey: PasskeyProof | undefined },
): boolean {
  if (answer.verdict === 'reject') return passkey !== undefined;
  if (passkey === undefined && answer.assurance.startsWith('passkey')) return true;
  const assurance = passkey?.assurance ?? answer.assurance;
  return !isAccepted(assurance, approvals.require[approval.level]);
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
