// Signs size and root of a log.
import type { LocalSigner } from '../keys/signer.ts';
import { formatCheckpoint } from './checkpoint.ts';
import { formatNote } from './signed-note.ts';
import type { VerifierKey } from './verifier-key.ts';

/** The signed note of a tree; the key's name is the origin. Never sign two roots for one size. */
export function signCheckpoint(
  tree: { readonly size: number; readonly root: Uint8Array },
  key: VerifierKey,
  signer: LocalSigner,
): string {
  const text = formatCheckpoint({ origin: key.name, size: tree.size, root: tree.root });
  const signature = signer.sign(new TextEncoder().encode(text));
  return formatNote({ text, signatures: [{ name: key.name, keyId: key.keyId, signature }] });
}
