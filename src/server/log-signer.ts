// Signs the log of one store with the key files of its configuration.
import type { Config } from '../config/config.ts';
import type { LocalSigner } from '../keys/signer.ts';
import { formatCheckpoint } from '../receipts/checkpoint.ts';
import { type CosigningKey, cosignNote } from '../receipts/cosign-note.ts';
import { signCheckpoint } from '../receipts/sign-checkpoint.ts';
import { formatSignature } from '../receipts/signed-note.ts';
import {
  createLogKey,
  createVerifierKey,
  mlDsa44Type,
  type VerifierKey,
} from '../receipts/verifier-key.ts';
import type { SignedCheckpoint, Store } from '../stores/store.ts';
import { checkLogKey } from './check-log-key.ts';
import { loadLogSigner, loadSecondKey } from './compose.ts';

export class LogSigner {
  readonly #store: Store;
  readonly #signer: LocalSigner;
  readonly #second: CosigningKey | undefined;
  readonly key: VerifierKey;
  #newest: SignedCheckpoint | undefined;

  private constructor(
    store: Store,
    first: { readonly key: VerifierKey; readonly signer: LocalSigner },
    second: CosigningKey | undefined,
  ) {
    this.#store = store;
    this.#signer = first.signer;
    this.#second = second;
    this.key = first.key;
  }

  /** The keys are made on first use, mode 0600. Throws `KeyFileError`, or `StoreError` for another log's key. */
  static async open(config: Config, store: Store, origin: string): Promise<LogSigner> {
    const signer = loadLogSigner(config);
    const key = await createLogKey(origin, signer.publicKey);
    await checkLogKey(store, key, config.keys.log);
    return new LogSigner(store, { key, signer }, await loadSecond(config, origin));
  }

  /** The key that always signs, then the one that signs beside it. */
  get keys(): readonly VerifierKey[] {
    return this.#second === undefined ? [this.key] : [this.key, this.#second.key];
  }

  /** The newest checkpoint: signs when the log grew since the last time; a quiet log costs one read. */
  async signIfGrown(): Promise<SignedCheckpoint> {
    const { size } = await this.#store.readTree();
    return this.#newest?.size === size ? this.#newest : this.sign();
  }

  /** A checkpoint of what is in the log now; the store refuses a root that does not extend the last one. */
  async sign(): Promise<SignedCheckpoint> {
    const signed = await this.#store.checkpoint((size, root) => this.#note({ size, root }));
    this.#newest = signed;
    return signed;
  }

  #note(tree: { readonly size: number; readonly root: Uint8Array }): string {
    const note = signCheckpoint(tree, this.key, this.#signer);
    if (this.#second === undefined) return note;
    const text = formatCheckpoint({ origin: this.key.name, ...tree });
    const timeS = Math.floor(Date.now() / 1_000);
    return note + formatSignature(cosignNote(this.#second, { timeS, text }));
  }
}

/** In a file of its own beside the first key. */
async function loadSecond(config: Config, origin: string): Promise<CosigningKey | undefined> {
  if (!config.log.pq) return undefined;
  const signer = loadSecondKey(`${config.keys.log}.pq`);
  const named = { name: origin, type: mlDsa44Type, publicKey: signer.publicKey };
  return { key: await createVerifierKey(named), signer };
}
