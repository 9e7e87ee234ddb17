// Receipts of answers that a passkey signed, and such that only the gateway vouches for.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { type CanonicalObject, canonicalJson } from '../../src/core/canonical-json.ts';
import { sha256, sha256Hex } from '../../src/core/sha256.ts';
import { type PasskeyEvidence, toPasskeyEvidence } from '../../src/receipts/passkey-evidence.ts';
import { aPreimage, createTestLog } from '../../src/testing/test-bundle.ts';
import {
  createSoftAuthenticator,
  type Deviations,
  type SoftAuthenticator,
} from '../../test/fixtures/soft-authenticator.ts';
import type { ReceiptVector } from './receipt-vector.ts';

export const answerSite = {
  rpId: 'approvals.example',
  origin: 'https://approvals.example',
} as const;

/** Hash of the operation that is answered; the text behind it is in no bundle of an answer. */
export const answeredOpHash: string = sha256Hex('intentplane test operation');
export const answeredChallenge: Uint8Array = sha256('intentplane test operation');

/** A passkey (Ed25519) whose key follows from a number: anybody can compute it. */
export function createTestPasskey(seed: number, isSynced = false): SoftAuthenticator {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const der = Buffer.concat([prefix, sha256(`intentplane test passkey ${seed}`)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const keys = { privateKey, publicKey: createPublicKey(privateKey) };
  const credentialId = sha256('intentplane test credential').subarray(0, 16);
  return createSoftAuthenticator({ ...answerSite, keys, credentialId, isSynced });
}

/** Evidence over the operation that is answered. */
export function passkeyEvidence(
  how: Deviations = {},
  passkey: SoftAuthenticator = createTestPasskey(1),
): PasskeyEvidence {
  const signed = passkey.sign(answeredChallenge, { counter: 7, ...how });
  const { credentialId, publicKey } = passkey;
  return toPasskeyEvidence({ ...answerSite, credentialId, publicKey, ...signed });
}

/** The gateway's own word, as a passcode leaves it. */
export const assertedEvidence: CanonicalObject = {
  approval: 'a'.repeat(32),
  op_hash: answeredOpHash,
  person: 'alice',
  verdict: 'approve',
  assurance: 'passcode',
  at: 1_790_000_000_000,
  mac: 'A'.repeat(43),
};

export interface AnswerChanges {
  readonly open?: CanonicalObject;
  /** Open fields that are left out. */
  readonly without?: readonly string[];
  /** Committed in place of the canonical text. */
  readonly evidenceText?: string | null;
  readonly disclose?: readonly string[];
  /** Part `approvals` of the trust file. */
  readonly approvals?: unknown;
  readonly require?: readonly number[];
}

/** The bundle of one answer, with the trust file that it is judged by. */
export async function answerBundle(
  evidence: object = passkeyEvidence(),
  changes: AnswerChanges = {},
): Promise<Pick<ReceiptVector, 'bundle' | 'trust'>> {
  const { evidenceText = canonicalJson({ ...evidence } as CanonicalObject) } = changes;
  const log = await createTestLog();
  const open = {
    request: 'a'.repeat(32),
    op_hash: answeredOpHash,
    verdict: 'approve',
    assurance: 'kind' in evidence ? 'passkey' : 'passcode',
    channel: 'page',
    evidence_sha256: sha256Hex(evidenceText ?? ''),
    ...changes.open,
  };
  const kept = Object.entries(open).filter(([field]) => changes.without?.includes(field) !== true);
  const seq = log.append({
    type: 'approval.answer',
    opId: aPreimage().op_id,
    prev: 'ASKING',
    state: 'ASKING',
    open: Object.fromEntries(kept),
    committed: { person: 'alice', evidence: evidenceText },
  });
  const { disclose, approvals, require } = changes;
  const isBare = approvals === undefined && require === undefined;
  return {
    bundle: log.bundle(seq, disclose === undefined ? {} : { disclose }),
    trust: isBare ? log.trust : JSON.stringify({ policy: log.trust, require, approvals }),
  };
}
