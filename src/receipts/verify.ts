// Checks one receipt offline, as numbered steps. No store, no network, no clock, and nothing but
// WebCrypto for hashing, so that the same code runs in Node and in a browser.
import type { Leaf, LeafFaultCode } from '../core/leaf-format.ts';
import { parseLeaf } from '../core/parse-leaf.ts';
import { err, type Result } from '../core/result.ts';
import { type AcceptedKey, acceptKeys, standingOf } from './accepted-keys.ts';
import { answerFaultWords, describeAnswer } from './answer-words.ts';
import { askOthers } from './ask-others.ts';
import { type Bundle, type BundleFault, parseBundle } from './bundle.ts';
import { type AnswerFault, type CheckedAnswer, checkAnswer } from './check-answer.ts';
import { checkOperation, type OperationFault } from './check-operation.ts';
import {
  checkPrevious,
  type HistoryCode,
  historyWords,
  type Previous,
  type PreviousFault,
  parsePrevious,
} from './check-previous.ts';
import type { TimestampCode } from './check-timestamps.ts';
import type { WitnessCode } from './check-witnesses.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { findAlgorithms } from './find-algorithms.ts';
import { isUsableKey, type OptionalAlgorithms } from './note-signature.ts';
import { isOpenedBy } from './opened-field.ts';
import { type Note, type NoteFault, parseNote, verifyNote } from './signed-note.ts';
import type { CheckTimestamp } from './timestamp-evidence.ts';
import { parseTlogProof, type TlogProof } from './tlog-proof.ts';
import { parseTrustFile, type StepNumber, type Trust, type TrustFault } from './trust-file.ts';
import type { CheckSignature } from './web-hash.ts';
import { isSameRoot, webInclusionRoot } from './web-tree.ts';

export { notProven } from './not-proven.ts';

/** How one step ended; `absent` = it was not asked for, or could not be run. */
export type StepStatus = 'pass' | 'fail' | 'absent';

/** Why a step ended as it did. */
export type StepCode =
  | 'OK'
  | LeafFaultCode
  | 'SEQ_MISMATCH'
  | 'FIELD_NOT_COMMITTED'
  | 'COMMITMENT_MISMATCH'
  | 'REDACTED'
  | 'PROOF_MALFORMED'
  | 'PROOF_LENGTH'
  | 'PROOF_ROOT_MISMATCH'
  | 'NO_CHECKPOINT'
  | 'CHECKPOINT_MALFORMED'
  | NoteFault
  | 'ORIGIN_UNKNOWN'
  | 'ALG_UNAVAILABLE'
  | 'KEY_EVIDENCE_INVALID'
  | 'KEY_TOO_EARLY'
  | 'KEY_DISTRUSTED'
  | 'NO_PREVIOUS'
  | HistoryCode
  | WitnessCode
  | TimestampCode
  | 'QUORUM_NOT_SET'
  | 'NOT_ASKED'
  | 'NOT_SUPPORTED'
  | OperationFault
  | AnswerFault
  | 'EVIDENCE_NOT_DISCLOSED'
  | 'APPROVALS_NOT_CHECKED';

/** One line of the report. */
export interface VerifyStep {
  readonly step: StepNumber;
  readonly status: StepStatus;
  readonly code: StepCode;
  /** One sentence fragment for people. */
  readonly detail: string;
  /** The verdict needs a pass here. */
  readonly isRequired: boolean;
}

/** What was read, for display. Only a `valid` verdict makes it more than a claim. */
export interface VerifiedReceipt {
  readonly leaf: Leaf;
  readonly checkpoint: Checkpoint | undefined;
  /** Disclosed field to the canonical JSON text of its value. */
  readonly disclosed: Readonly<Record<string, string>>;
}

/** The answer to one bundle. */
export type VerifyReport =
  | {
      readonly verdict: 'valid' | 'invalid';
      /** All eight, in order. */
      readonly steps: readonly VerifyStep[];
      /** First step that failed, else first required one that is absent. */
      readonly failedStep: StepNumber | undefined;
      /** Absent when the leaf cannot be read. */
      readonly receipt: VerifiedReceipt | undefined;
      /** What a person's answer is worth, where its evidence is disclosed and holds. */
      readonly approval: CheckedAnswer | undefined;
    }
  | {
      readonly verdict: 'bad_input';
      readonly input: 'bundle' | 'trust' | 'previous';
      readonly fault: BundleFault | TrustFault | PreviousFault;
    };

/** What the verifier believes. */
export interface VerifySettings {
  /** Text of the trust file. */
  readonly trust: string;
  /** Text of an earlier checkpoint; step 6 is then required. */
  readonly previous?: string;
  /** Checks ML-DSA-44 signatures; null = there is no such check. WebCrypto's, where it has one, when left out. */
  readonly mlDsa44?: CheckSignature | null;
  /** Checks timestamps (RFC 3161); step 5 cannot ask for one without it. */
  readonly timestampVerifier?: CheckTimestamp;
}

/** Verifies one bundle. Never throws on what it reads. */
export async function verifyBundle(
  bundleText: string,
  settings: VerifySettings,
): Promise<VerifyReport> {
  const trust = await parseTrustFile(settings.trust);
  if (!trust.ok) return { verdict: 'bad_input', input: 'trust', fault: trust.error };
  const bundle = parseBundle(bundleText);
  if (!bundle.ok) return { verdict: 'bad_input', input: 'bundle', fault: bundle.error };
  const previous = settings.previous === undefined ? undefined : parsePrevious(settings.previous);
  if (previous?.ok === false) {
    return { verdict: 'bad_input', input: 'previous', fault: previous.error };
  }
  const algorithms = await findAlgorithms(trust.value, settings.mlDsa44);
  const subject = await readSubject(bundle.value, trust.value, algorithms);
  const required = new Set<StepNumber>(trust.value.required);
  if (previous !== undefined) required.add(6);
  if (trust.value.approvals !== undefined && isAnswer(subject)) required.add(7);
  const answer = await checkDisclosedAnswer(subject);
  const findings = [
    checkLeaf(subject),
    await checkDisclosures(subject),
    await checkInclusion(subject),
    await checkSignature(subject),
    await checkOthers(subject, settings.timestampVerifier, required.has(5)),
    await checkHistory(subject, previous?.value, required.has(6)),
    await checkApproval(subject, answer, required.has(7)),
    notSupported('the policy is not run again', required.has(8)),
  ];
  return toReport(subject, findings, { required, approval: answer?.ok ? answer.value : undefined });
}

type Finding = Omit<VerifyStep, 'step' | 'isRequired'>;

const pass = (detail: string): Finding => ({ status: 'pass', code: 'OK', detail });
const fail = (code: StepCode, detail: string): Finding => ({ status: 'fail', code, detail });
const absent = (code: StepCode, detail: string): Finding => ({ status: 'absent', code, detail });

function notSupported(detail: string, isRequired: boolean): Finding {
  return absent(isRequired ? 'NOT_SUPPORTED' : 'NOT_ASKED', detail);
}

/** Everything the steps look at, each part read or with the reason why not. */
interface Subject {
  readonly bundle: Bundle;
  readonly trust: Trust;
  readonly leaf: Result<Leaf, LeafFaultCode>;
  readonly proof: TlogProof | undefined;
  readonly note: Result<Note, NoteFault | 'NO_CHECKPOINT'>;
  readonly checkpoint: Checkpoint | undefined;
  readonly algorithms: OptionalAlgorithms;
  /** Keys that count for the origin of the checkpoint; undefined when the evidence about them is bad. */
  readonly keys: readonly AcceptedKey[] | undefined;
}

async function readSubject(
  bundle: Bundle,
  trust: Trust,
  algorithms: OptionalAlgorithms,
): Promise<Subject> {
  const leaf = parseLeaf(bundle.leaf);
  const proof = parseTlogProof(bundle.proof);
  const note = proof.ok ? parseNote(proof.value.checkpoint) : err('NO_CHECKPOINT' as const);
  const parsed = note.ok ? parseCheckpoint(note.value.text) : undefined;
  const checkpoint = parsed?.ok ? parsed.value : undefined;
  const { keys = [] } = bundle.evidence;
  return {
    bundle,
    trust,
    leaf: leaf.ok ? leaf : err(leaf.error.code),
    proof: proof.ok ? proof.value : undefined,
    note,
    checkpoint,
    algorithms,
    keys:
      checkpoint && (await acceptKeys(trust, checkpoint.origin, { statements: keys, algorithms })),
  };
}

/** Step 1: the statement is read as written, and stands at its own place. */
function checkLeaf({ leaf, proof }: Subject): Finding {
  if (!leaf.ok) return fail(leaf.error, 'the receipt is not in the one form it may have');
  if (proof === undefined) return absent('PROOF_MALFORMED', 'no readable index to compare with');
  const { seq } = leaf.value;
  return seq === proof.index
    ? pass(`receipt ${seq} is in canonical form`)
    : fail('SEQ_MISMATCH', `the receipt says ${seq}, its proof ${proof.index}`);
}

/** Step 2: the disclosed values were logged. */
async function checkDisclosures({ leaf, bundle }: Subject): Promise<Finding> {
  if (!leaf.ok) return absent(leaf.error, 'no readable receipt');
  const { commit, type } = leaf.value;
  const disclosed = Object.entries(bundle.disclosed);
  const { redacted = [] } = bundle;
  // Looked for first, so that the code does not depend on an order of keys.
  const stray = [...Object.keys(bundle.disclosed), ...redacted].find(
    (field) => commit[field] === undefined,
  );
  if (stray !== undefined) {
    return fail('FIELD_NOT_COMMITTED', `the receipt holds no field \`${clip(stray)}\``);
  }
  for (const [field, disclosure] of disclosed) {
    const isOpened = await isOpenedBy(commit[field] as string, { type, field, disclosure });
    if (!isOpened) return fail('COMMITMENT_MISMATCH', `\`${clip(field)}\` is not what was logged`);
  }
  const total = Object.keys(commit).length;
  const detail = `${disclosed.length} of ${total} committed fields disclosed and confirmed`;
  if (redacted.length === 0) return pass(detail);
  return { ...pass(`${detail}, ${redacted.length} said to be erased`), code: 'REDACTED' };
}

/** Step 3: the receipt is in the tree whose root the checkpoint names. */
async function checkInclusion({ bundle, proof, checkpoint }: Subject): Promise<Finding> {
  if (proof === undefined) return fail('PROOF_MALFORMED', 'the proof cannot be read');
  if (checkpoint === undefined) return absent('NO_CHECKPOINT', 'no readable checkpoint');
  const { index, path } = proof;
  const { size } = checkpoint;
  const root = await webInclusionRoot({ leaf: bundle.leaf, index, size, path });
  if (root === undefined) {
    return fail('PROOF_LENGTH', `no proof for receipt ${index} of ${size}`);
  }
  return isSameRoot(root, checkpoint.root)
    ? pass(`receipt ${index} is in the log of ${checkpoint.size} receipts`)
    : fail('PROOF_ROOT_MISMATCH', 'the proof leads to another root than the signed one');
}

/** Step 4: a log that the trust file names signed that root. */
async function checkSignature(subject: Subject): Promise<Finding> {
  const { note, checkpoint, trust, keys, algorithms } = subject;
  if (!note.ok) {
    return note.error === 'NO_CHECKPOINT'
      ? absent(note.error, 'no readable checkpoint')
      : fail(note.error, 'the checkpoint is not a signed note');
  }
  if (checkpoint === undefined) return fail('CHECKPOINT_MALFORMED', 'the note is no checkpoint');
  const named = trust.policy.logs.filter((key) => key.name === checkpoint.origin);
  const origin = `\`${clip(checkpoint.origin)}\``;
  if (named.length === 0) return fail('ORIGIN_UNKNOWN', `the trust file names no log ${origin}`);
  const usable = named.filter((key) => isUsableKey(key, algorithms));
  if (usable.length === 0) return absent('ALG_UNAVAILABLE', `no key of ${origin} can be used here`);
  if (keys === undefined) {
    return fail('KEY_EVIDENCE_INVALID', `the evidence about later keys of ${origin} does not hold`);
  }
  const signers = await verifyNote(
    note.value,
    keys.map(({ key }) => key),
    algorithms,
  );
  if (!signers.ok) return fail(signers.error, `not signed by the log ${origin}`);
  switch (standingOf(signers.value, { accepted: keys, size: checkpoint.size })) {
    case 'counts':
      return pass(`signed by the log ${origin}`);
    case 'too early':
      return fail('KEY_TOO_EARLY', 'signed by a key that the log did not have yet');
    case 'distrusted':
      return fail(
        'KEY_DISTRUSTED',
        'signed by a key that is not believed about a log of this size',
      );
  }
}

/** Step 6: nothing was taken back since the checkpoint that the auditor kept. */
async function checkHistory(
  { bundle, checkpoint, keys, algorithms }: Subject,
  previous: Previous | undefined,
  isRequired: boolean,
): Promise<Finding> {
  if (previous === undefined) {
    const code = isRequired ? 'NO_PREVIOUS' : 'NOT_ASKED';
    return absent(code, 'no earlier checkpoint was given (--previous)');
  }
  if (checkpoint === undefined) return absent('NO_CHECKPOINT', 'no readable checkpoint');
  if (keys === undefined) return absent('KEY_EVIDENCE_INVALID', 'no key to check it with');
  const { consistency } = bundle.evidence;
  const now = { checkpoint, accepted: keys, algorithms, evidence: consistency };
  const checked = await checkPrevious(previous, now);
  return checked.ok
    ? pass(`the log grew from ${previous.checkpoint.size} receipts to ${checkpoint.size}`)
    : fail(checked.error, historyWords[checked.error]);
}

/** Step 5: others than the log saw this tree: what the trust file asks for. */
async function checkOthers(
  { note, checkpoint, proof, trust, algorithms, bundle }: Subject,
  check: CheckTimestamp | undefined,
  isRequired: boolean,
): Promise<Finding> {
  if (trust.policy.quorum === 'none' && trust.timestampRoots.length === 0) {
    return absent(isRequired ? 'QUORUM_NOT_SET' : 'NOT_ASKED', 'no witness is asked for');
  }
  const isReadable = note.ok && proof !== undefined && checkpoint !== undefined;
  if (!isReadable) return absent('NO_CHECKPOINT', 'no readable checkpoint');
  const signed = { note: note.value, text: proof.checkpoint };
  const { timestamps = [] } = bundle.evidence;
  return askOthers(signed, trust, { algorithms, timestamps, check });
}

const isAnswer = ({ leaf }: Subject): boolean => leaf.ok && leaf.value.type === 'approval.answer';

/** Undefined for another leaf, and where the evidence is closed. */
async function checkDisclosedAnswer({
  leaf,
  bundle,
  trust,
}: Subject): Promise<Result<CheckedAnswer, AnswerFault> | undefined> {
  const { evidence, person } = bundle.disclosed;
  if (!leaf.ok || leaf.value.type !== 'approval.answer' || evidence === undefined) return undefined;
  const disclosed = { evidence: evidence.value, person: person?.value };
  return checkAnswer(leaf.value, disclosed, trust.approvals);
}

/** Step 7: op_hash stands for exactly this operation, and the answer to it is what it says. */
async function checkApproval(
  subject: Subject,
  answer: Result<CheckedAnswer, AnswerFault> | undefined,
  isRequired: boolean,
): Promise<Finding> {
  const { preimage } = subject.bundle.evidence;
  if (preimage !== undefined) {
    const leaf = subject.leaf.ok ? subject.leaf.value : undefined;
    const same = await checkOperation(preimage, { leaf, origin: subject.checkpoint?.origin });
    if (!same.ok) return fail(same.error, 'the operation in the bundle is not the logged one');
  }
  if (answer?.ok === false) return fail(answer.error, answerFaultWords[answer.error]);
  if (answer !== undefined) return pass(describeAnswer(answer.value));
  if (isAnswer(subject) && isRequired) {
    return absent('EVIDENCE_NOT_DISCLOSED', 'the evidence of the answer is closed');
  }
  if (preimage === undefined) return notSupported('the bundle holds no operation', isRequired);
  const detail = 'op_hash stands for the operation in the bundle; approvals are not checked';
  return isRequired ? absent('APPROVALS_NOT_CHECKED', detail) : pass(detail);
}

function toReport(
  subject: Subject,
  findings: readonly Finding[],
  {
    required,
    approval,
  }: {
    readonly required: ReadonlySet<StepNumber>;
    readonly approval: CheckedAnswer | undefined;
  },
): VerifyReport {
  const steps = findings.map((finding, i) => {
    const step = (i + 1) as StepNumber;
    return { step, ...finding, isRequired: required.has(step) };
  });
  const failed =
    steps.find(({ status }) => status === 'fail') ??
    steps.find(({ status, isRequired }) => isRequired && status !== 'pass');
  const { leaf, checkpoint, bundle } = subject;
  const disclosed = Object.entries(bundle.disclosed).map(([field, { value }]) => [field, value]);
  return {
    verdict: failed === undefined ? 'valid' : 'invalid',
    steps,
    failedStep: failed?.step,
    receipt: leaf.ok
      ? { leaf: leaf.value, checkpoint, disclosed: Object.fromEntries(disclosed) }
      : undefined,
    approval,
  };
}

const clip = (text: string): string => text.slice(0, 100);
