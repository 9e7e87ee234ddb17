// The contract of whatever holds a private key.

/**
 * Signs bytes with one Ed25519 key: what a driver for keys held elsewhere implements.
 *
 * @public
 */
export interface Signer {
  readonly algorithm: 'ed25519';
  /** Raw public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The 64-byte signature (RFC 8032) over the bytes as they stand. */
  sign(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** A signer whose key is in this process, so that a store may sign inside a transaction. */
export interface LocalSigner extends Signer {
  sign(bytes: Uint8Array): Uint8Array;
}
