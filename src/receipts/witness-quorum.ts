// Which witnesses of a trust policy cosigned a checkpoint, and whether they are enough.
import { type Cosignature, parseCosignature } from './cosignature.ts';
import { isNoteSignature, isUsableKey, type OptionalAlgorithms } from './note-signature.ts';
import type { Note } from './signed-note.ts';
import type { TlogPolicy } from './tlog-policy.ts';
import type { VerifierKey } from './verifier-key.ts';

/** What the cosignatures of a note come to. */
export type QuorumFinding =
  | {
      readonly kind: 'met';
      /** Names of the policy, in its order. */
      readonly witnesses: readonly string[];
      /** Time of the newest cosignature, in seconds since 1970. */
      readonly lastS: number;
    }
  | { readonly kind: 'missing'; readonly witnesses: readonly string[] }
  /** The quorum hangs on lines whose algorithm is missing here. */
  | { readonly kind: 'unavailable' }
  /** A line under the name and id of this witness that it did not make. */
  | { readonly kind: 'invalid'; readonly witness: string };

/** Looks at the lines of all witnesses that the policy names; one bad line rejects the note. */
export async function findQuorum(
  note: Note,
  policy: TlogPolicy,
  algorithms: OptionalAlgorithms,
): Promise<QuorumFinding> {
  const cosigned = new Set<string>();
  const unchecked = new Set<string>();
  let lastS = 0;
  for (const { witness, key, signature } of witnessLines(note, policy)) {
    if (!isUsableKey(key, algorithms)) unchecked.add(witness);
    else if (await isNoteSignature(key, { text: note.text, signature }, algorithms)) {
      cosigned.add(witness);
      // INVARIANT: a cosignature that holds has been read.
      const { timeS } = parseCosignature(signature) as Cosignature;
      lastS = Math.max(lastS, timeS);
    } else return { kind: 'invalid', witness };
  }
  const witnesses = [...policy.witnesses.keys()].filter((witness) => cosigned.has(witness));
  if (hasWitnessed(policy.quorum, policy, cosigned)) return { kind: 'met', witnesses, lastS };
  const all = new Set([...cosigned, ...unchecked]);
  const isUnavailable = hasWitnessed(policy.quorum, policy, all);
  return isUnavailable ? { kind: 'unavailable' } : { kind: 'missing', witnesses };
}

interface WitnessLine {
  readonly witness: string;
  readonly key: VerifierKey;
  readonly signature: Uint8Array;
}

/** Lines under name and id of a witness, in the order of the note. */
function witnessLines({ signatures }: Note, { witnesses }: TlogPolicy): readonly WitnessLine[] {
  return signatures.flatMap(({ name, keyId, signature }) =>
    [...witnesses]
      .filter(([, key]) => key.name === name && key.keyId === keyId)
      .map(([witness, key]) => ({ witness, key, signature })),
  );
}

/** A witness by itself, a group by its members; the order of a policy rules out circles. */
function hasWitnessed(name: string, policy: TlogPolicy, cosigned: ReadonlySet<string>): boolean {
  const group = policy.groups.get(name);
  if (group === undefined) return cosigned.has(name);
  const count = group.members.filter((member) => hasWitnessed(member, policy, cosigned)).length;
  return count >= group.threshold;
}
