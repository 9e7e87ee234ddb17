// The keys that sign the log of a configuration, as they lie on the disk at this moment.
import type { Config } from '../config/config.ts';
import { sha256 } from '../core/sha256.ts';
import type { LocalSigner } from '../keys/signer.ts';
import { ed25519Type, type VerifierKey } from '../receipts/verifier-key.ts';
import { loadLogSigner, loadNextLogSigner } from './compose.ts';

/** A signer under the name of its log. */
export interface NamedSigner {
  readonly key: VerifierKey;
  readonly signer: LocalSigner;
}

/**
 * One key, or two while one replaces the other: then both sign. Read anew for each signature, so
 * that a gateway which runs meanwhile takes part. Throws `KeyFileError`.
 */
export function readLogKeys(
  config: Config,
  origin: string,
): readonly [current: NamedSigner, next?: NamedSigner] {
  // INVARIANT: the next key first. It takes the place of the current one by a rename, so reading in
  // this order finds the new key once or twice, and never the old one alone after the rename.
  const next = loadNextLogSigner(config);
  const current = nameSigner(origin, loadLogSigner(config));
  const isSame = next === undefined || next.publicKey.join() === current.signer.publicKey.join();
  return isSame ? [current] : [current, nameSigner(origin, next)];
}

/** The key of an Ed25519 signer; its id is computed here because a store signs synchronously. */
export function nameSigner(origin: string, signer: LocalSigner): NamedSigner {
  const type = ed25519Type;
  const { publicKey } = signer;
  const named = Buffer.from(`${origin}\n`);
  const digest = sha256(Uint8Array.from([...named, type, ...publicKey]));
  const keyId = Buffer.from(digest.subarray(0, 4)).toString('hex');
  return { key: { name: origin, keyId, type, publicKey }, signer };
}
