// Which of the algorithms that not every platform has are needed, and there.
import type { OptionalAlgorithms } from './note-signature.ts';
import type { Trust } from './trust-file.ts';
import { mlDsa44Type } from './verifier-key.ts';
import { type CheckSignature, findMlDsa44 } from './web-hash.ts';

/**
 * A platform is only asked for what the trust file needs: some warn about an algorithm that is new.
 * `given` = the caller's own check, null when there is none.
 */
export async function findAlgorithms(
  { policy }: Trust,
  given: CheckSignature | null | undefined,
): Promise<OptionalAlgorithms> {
  const keys = [...policy.logs, ...policy.witnesses.values()];
  if (given === null || !keys.some(({ type }) => type === mlDsa44Type)) return {};
  const mlDsa44 = given ?? (await findMlDsa44());
  return mlDsa44 === undefined ? {} : { mlDsa44 };
}
