// Signs the log of one store with the key file of its configuration.
import type { Config } from '../config/config.ts';
import { addSignature } from '../receipts/add-signature.ts';
import { signCheckpoint } from '../receipts/checkpoint.ts';
import type { VerifierKey } from '../receipts/verifier-key.ts';
import type { SignedCheckpoint, Store } from '../stores/store.ts';
import { type NamedSigner, readLogKeys } from './log-keys.ts';

export class LogSigner {
  readonly #store: Store;
  readonly #keys: () => readonly [NamedSigner, NamedSigner?];
  #signedSize = -1;

  private constructor(store: Store, keys: () => readonly [NamedSigner, NamedSigner?]) {
    this.#store = store;
    this.#keys = keys;
  }

  /** The key is made on first use, mode 0600. Throws `KeyFileError`. */
  static async open(config: Config, store: Store, origin: string): Promise<LogSigner> {
    const keys = (): readonly [NamedSigner, NamedSigner?] => readLogKeys(config, origin);
    keys();
    return new LogSigner(store, keys);
  }

  /** The key that signs now. */
  get key(): VerifierKey {
    return this.#keys()[0].key;
  }

  /** Signs when the log grew since the last time; a quiet log costs one read. */
  async signIfGrown(): Promise<void> {
    const { size } = await this.#store.readTree();
    if (size !== this.#signedSize) await this.sign();
  }

  /** A checkpoint of what is in the log now; the store refuses a root that does not extend the last one. */
  async sign(): Promise<SignedCheckpoint> {
    const signed = await this.#store.checkpoint((size, root) => this.#note({ size, root }));
    this.#signedSize = signed.size;
    return signed;
  }

  #note(tree: { readonly size: number; readonly root: Uint8Array }): string {
    const [current, next] = this.#keys();
    const note = signCheckpoint(tree, current.key, current.signer);
    return next === undefined ? note : addSignature(note, next.key, next.signer);
  }
}
