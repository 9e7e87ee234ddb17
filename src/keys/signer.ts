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

/** Signs bytes with one ML-DSA-44 key (FIPS 204) that is in this process. */
export interface PostQuantumSigner {
  readonly algorithm: 'ml-dsa-44';
  /** Raw public key, 1,312 bytes. */
  readonly publicKey: Uint8Array;
  /** The 2,420-byte signature over the bytes as they stand, with an empty context. */
  sign(bytes: Uint8Array): Uint8Array;
}
