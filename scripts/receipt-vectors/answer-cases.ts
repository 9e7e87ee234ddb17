// What vectors of answers have in common.
import { invalid, type ReceiptVector, type Vectors } from './receipt-vector.ts';
import { recordedSignatures } from './recorded-signatures.ts';
import {
  type AnswerChanges,
  answerBundle,
  createTestPasskey,
  passkeyEvidence,
} from './signed-answer.ts';

/** Evidence of one answer, and what else differs from a good one. */
export type Case = readonly [name: string, evidence: object, changes?: AnswerChanges];

/** Cases by the code of step 7 that they get. */
export type Groups = readonly (readonly [code: string, cases: readonly Case[]])[];

export const good: ReturnType<typeof passkeyEvidence> = passkeyEvidence();
export const synced: typeof good = passkeyEvidence({}, createTestPasskey(1, true));
export const other: typeof good = passkeyEvidence({}, createTestPasskey(2));

/** The good evidence under a key of another algorithm. */
export const recorded = (algorithm: 'ES256' | 'RS256'): object => ({
  ...good,
  public_key: recordedSignatures[algorithm].publicKey,
  signature: recordedSignatures[algorithm].signature,
});

/** A trust file's part that knows these keys as those of one person. */
export const knows = (
  person: string,
  ...keys: readonly { readonly public_key: string }[]
): object => ({ passkeys: keys.map(({ public_key }) => ({ person, public_key })) });

/** One vector for each case. */
export async function toVectors(
  prefix: string,
  expect: ReceiptVector['expect'],
  cases: readonly Case[],
): Promise<Vectors> {
  return Promise.all(
    cases.map(async ([name, evidence, changes]): Promise<Vectors[number]> => {
      return [`${prefix}-${name}`, { ...(await answerBundle(evidence, changes)), expect }];
    }),
  );
}

/** One vector for each case of each group. */
export async function groupVectors(groups: Groups): Promise<Vectors> {
  const lists = await Promise.all(
    groups.map(([code, cases]) => toVectors('approval', invalid(7, code), cases)),
  );
  return lists.flat();
}
