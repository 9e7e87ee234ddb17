// What step 7 says about an answer, for people.
import type { AnswerFault, CheckedAnswer } from './check-answer.ts';

/** One sentence fragment about an answer that holds. */
export function describeAnswer({
  verdict,
  assurance,
  channel,
  proof,
  person,
}: CheckedAnswer): string {
  const owner = person === undefined ? 'a passkey' : `the passkey of \`${clip(person)}\``;
  const by = proof === 'signed' ? `signed with ${owner}` : "asserted: the gateway's own word";
  return `${verdict} is ${by}; assurance ${assurance}, channel ${clip(channel)}`;
}

/** One sentence fragment for each way not to hold. */
export const answerFaultWords: Readonly<Record<AnswerFault, string>> = {
  ANSWER_MALFORMED: 'the receipt does not say what was answered, how strongly, and to what',
  EVIDENCE_HASH_MISMATCH: 'the evidence is not the one whose hash the receipt names',
  EVIDENCE_MALFORMED: 'the evidence cannot be read',
  ASSURANCE_MISMATCH: 'the evidence is not of the kind that the receipt says',
  PASSKEY_CLIENT_DATA: 'what the browser signed is no approval on a page of its own',
  PASSKEY_CHALLENGE_MISMATCH: 'the passkey signed another operation',
  PASSKEY_ORIGIN_MISMATCH: 'the passkey signed on another page',
  PASSKEY_AUTHENTICATOR_DATA: 'what the authenticator signed cannot be read',
  PASSKEY_SITE_MISMATCH: 'the passkey signed for another site',
  PASSKEY_USER_NOT_PRESENT: 'nobody was present at the authenticator',
  PASSKEY_USER_NOT_VERIFIED: 'the authenticator did not verify who was there',
  PASSKEY_KEY_INVALID: 'the public key of the passkey cannot be used',
  PASSKEY_SIGNATURE_INVALID: 'the signature does not hold under the key of the passkey',
  PASSKEY_KEY_UNKNOWN: 'the trust file names no such passkey of this person',
  ASSURANCE_TOO_LOW: 'the trust file asks for a stronger answer',
  SOLO_REFUSED: 'one person stood for two, which the trust file refuses',
};

const clip = (text: string): string => text.slice(0, 100);
