// One more signature on a note that another key signed already.
import type { LocalSigner } from '../keys/signer.ts';
import { formatNote, parseNote } from './signed-note.ts';
import type { VerifierKey } from './verifier-key.ts';

/** The note with one more line; what it says stays as it is. Throws on a text that is no note. */
export function addSignature(text: string, key: VerifierKey, signer: LocalSigner): string {
  const note = parseNote(text);
  if (!note.ok) throw new TypeError(`no note to sign: ${note.error}`);
  const signature = signer.sign(new TextEncoder().encode(note.value.text));
  const { name, keyId } = key;
  return formatNote({
    ...note.value,
    signatures: [...note.value.signatures, { name, keyId, signature }],
  });
}
