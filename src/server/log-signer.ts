// Signs the log of one store with the key file of its configuration.
import type { Config } from '../config/config.ts';
import type { LocalSigner } from '../keys/signer.ts';
import { signCheckpoint } from '../receipts/sign-checkpoint.ts';
import { createLogKey, type VerifierKey } from '../receipts/verifier-key.ts';
import type { SignedCheckpoint, Store } from '../stores/store.ts';
import { checkLogKey } from './check-log-key.ts';
import { loadLogSigner } from './compose.ts';

export class LogSigner {
  readonly #store: Store;
  readonly #signer: LocalSigner;
  readonly key: VerifierKey;
  #signedSize = -1;

  private constructor(store: Store, signer: LocalSigner, key: VerifierKey) {
    this.#store = store;
    this.#signer = signer;
    this.key = key;
  }

  /** The key is made on first use, mode 0600. Throws `KeyFileError`, or `StoreError` for another log's key. */
  static async open(config: Config, store: Store, origin: string): Promise<LogSigner> {
    const signer = loadLogSigner(config);
    const key = await createLogKey(origin, signer.publicKey);
    await checkLogKey(store, key, config.keys.log);
    return new LogSigner(store, signer, key);
  }

  /** Signs when the log grew since the last time; a quiet log costs one read. */
  async signIfGrown(): Promise<void> {
    const { size } = await this.#store.readTree();
    if (size !== this.#signedSize) await this.sign();
  }

  /** A checkpoint of what is in the log now; the store refuses a root that does not extend the last one. */
  async sign(): Promise<SignedCheckpoint> {
    const signed = await this.#store.checkpoint((size, root) =>
      signCheckpoint({ size, root }, this.key, this.#signer),
    );
    this.#signedSize = signed.size;
    return signed;
  }
}
