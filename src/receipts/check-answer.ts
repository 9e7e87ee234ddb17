// Step 7 for a person's answer: what the disclosed evidence proves, and whether the trust file takes it.
import { encodeBase64Url } from '../core/base64.ts';
import { type CanonicalObject, parseCanonicalJson } from '../core/canonical-json.ts';
import type { Leaf } from '../core/leaf-format.ts';
import type { Assurance } from '../core/operation.ts';
import { err, ok, type Result } from '../core/result.ts';
import { checkPasskey, type PasskeyFault } from './check-passkey.ts';
import { fromHex, toHex } from './hex.ts';
import { type PasskeyAssertion, parsePasskeyEvidence } from './passkey-evidence.ts';
import { assurances, type TrustApprovals, type TrustedPasskey } from './trust-approvals.ts';
import { webSha256 } from './web-hash.ts';

/** What one answer is worth. */
export interface CheckedAnswer {
  readonly verdict: 'approve' | 'reject';
  /** As the receipt says. */
  readonly assurance: Assurance;
  readonly channel: string;
  /** `signed`: the person's passkey signed this operation. `asserted`: the gateway's own word. */
  readonly proof: 'signed' | 'asserted';
  /** Whose passkey signed, where the trust file names it. */
  readonly person: string | undefined;
}

/** Why an answer does not hold. */
export type AnswerFault =
  | 'ANSWER_MALFORMED'
  | 'EVIDENCE_HASH_MISMATCH'
  | 'EVIDENCE_MALFORMED'
  | 'ASSURANCE_MISMATCH'
  | PasskeyFault
  | 'PASSKEY_KEY_UNKNOWN'
  | 'ASSURANCE_TOO_LOW'
  | 'SOLO_REFUSED';

/** Canonical JSON texts of the disclosed fields. */
export interface DisclosedAnswer {
  readonly evidence: string;
  readonly person: string | undefined;
}

/** Checks an `approval.answer` leaf whose evidence is disclosed. */
export async function checkAnswer(
  leaf: Leaf,
  disclosed: DisclosedAnswer,
  trust: TrustApprovals | undefined,
): Promise<Result<CheckedAnswer, AnswerFault>> {
  const answer = readAnswer(leaf);
  if (answer === undefined) return err('ANSWER_MALFORMED');
  const evidence = await readEvidence(disclosed.evidence, answer.evidenceHash);
  if (!evidence.ok) return evidence;
  const checked =
    evidence.value === 'asserted'
      ? checkAsserted(answer)
      : await checkSigned(answer, evidence.value, { person: disclosed.person, trust });
  if (!checked.ok) return checked;
  const fault = findTrustFault({ ...checked.value, isSolo: answer.isSolo }, trust);
  if (fault !== undefined) return err(fault);
  const { verdict, assurance, channel } = answer;
  const { proof, person } = checked.value;
  return ok({ verdict, assurance, channel, proof, person });
}

/** The open fields of the leaf that matter here. */
interface Answer {
  readonly verdict: 'approve' | 'reject';
  readonly assurance: Assurance;
  readonly channel: string;
  /** Bytes of `op_hash`. */
  readonly challenge: Uint8Array;
  readonly evidenceHash: string;
  readonly isSolo: boolean;
}

const digestPattern = /^[0-9a-f]{64}$/;

function readAnswer({ open }: Leaf): Answer | undefined {
  const { verdict, channel, op_hash: opHash, evidence_sha256: evidenceHash } = open;
  const assurance = assurances.find((each) => each === open['assurance']);
  if (verdict !== 'approve' && verdict !== 'reject') return undefined;
  if (assurance === undefined || typeof channel !== 'string') return undefined;
  if (typeof opHash !== 'string' || !digestPattern.test(opHash)) return undefined;
  if (typeof evidenceHash !== 'string') return undefined;
  // Any word in the field says that it was not two people; a later one is no reason to trust it.
  const isSolo = open['four_eyes'] !== undefined;
  return { verdict, assurance, channel, challenge: fromHex(opHash), evidenceHash, isSolo };
}

async function readEvidence(
  json: string,
  evidenceHash: string,
): Promise<Result<PasskeyAssertion | 'asserted', AnswerFault>> {
  const text: unknown = JSON.parse(json);
  if (typeof text !== 'string') return err('EVIDENCE_MALFORMED');
  const bytes = new TextEncoder().encode(text);
  if (toHex(await webSha256(bytes)) !== evidenceHash) return err('EVIDENCE_HASH_MISMATCH');
  const parsed = parseCanonicalJson(bytes);
  if (!parsed.ok || !isObject(parsed.value)) return err('EVIDENCE_MALFORMED');
  if (parsed.value['kind'] !== 'passkey') return ok('asserted');
  const assertion = parsePasskeyEvidence(parsed.value);
  return assertion === undefined ? err('EVIDENCE_MALFORMED') : ok(assertion);
}

interface Proof {
  readonly proof: CheckedAnswer['proof'];
  readonly person: string | undefined;
  /** As far as the evidence shows it; undefined for a reject, which no rule asks to be strong. */
  readonly proven: Assurance | undefined;
}

const isOfPasskey = (assurance: Assurance): boolean => assurance.startsWith('passkey');

/** The gateway's word; it cannot stand for a signature. */
function checkAsserted({ verdict, assurance }: Answer): Result<Proof, AnswerFault> {
  if (verdict === 'reject') return ok({ proof: 'asserted', person: undefined, proven: undefined });
  if (isOfPasskey(assurance)) return err('ASSURANCE_MISMATCH');
  return ok({ proof: 'asserted', person: undefined, proven: assurance });
}

/** A signature always means approve. */
async function checkSigned(
  { verdict, assurance, challenge }: Answer,
  assertion: PasskeyAssertion,
  known: { readonly person: string | undefined; readonly trust: TrustApprovals | undefined },
): Promise<Result<Proof, AnswerFault>> {
  if (verdict !== 'approve' || !isOfPasskey(assurance)) return err('ASSURANCE_MISMATCH');
  const facts = await checkPasskey(assertion, challenge);
  if (!facts.ok) return facts;
  const owner = findOwner(assertion, known);
  if (known.trust?.passkeys !== undefined && owner === undefined) return err('PASSKEY_KEY_UNKNOWN');
  const isBound = assurance === 'passkey-bound' && facts.value.isDeviceBound;
  return ok({
    proof: 'signed',
    person: owner?.person,
    proven: isBound ? 'passkey-bound' : 'passkey',
  });
}

/** The row of the trust file with this key, unless the receipt names somebody else. */
function findOwner(
  { publicKey }: PasskeyAssertion,
  {
    person,
    trust,
  }: { readonly person: string | undefined; readonly trust: TrustApprovals | undefined },
): TrustedPasskey | undefined {
  const key = encodeBase64Url(publicKey);
  const row = trust?.passkeys?.find((each) => each.publicKey === key);
  const isOther = person !== undefined && JSON.parse(person) !== row?.person;
  return isOther ? undefined : row;
}

function findTrustFault(
  { proven, isSolo }: { readonly proven: Assurance | undefined; readonly isSolo: boolean },
  trust: TrustApprovals | undefined,
): AnswerFault | undefined {
  if (trust === undefined || proven === undefined) return undefined;
  const { assuranceMin = 'elicitation', refusesSolo } = trust;
  if (assurances.indexOf(proven) < assurances.indexOf(assuranceMin)) return 'ASSURANCE_TOO_LOW';
  return refusesSolo && isSolo ? 'SOLO_REFUSED' : undefined;
}

const isObject = (value: unknown): value is CanonicalObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
