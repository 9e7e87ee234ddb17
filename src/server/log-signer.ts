// Signs the log of one store with the key files of its configuration.
import type { Config } from '../config/config.ts';
import { addSignature } from '../receipts/add-signature.ts';
import { formatCheckpoint } from '../receipts/checkpoint.ts';
import { type CosigningKey, cosignNote } from '../receipts/cosign-note.ts';
import { signCheckpoint } from '../receipts/sign-checkpoint.ts';
import { formatSignature } from '../receipts/signed-note.ts';
import { createVerifierKey, mlDsa44Type, type VerifierKey } from '../receipts/verifier-key.ts';
import type { SignedCheckpoint, Store } from '../stores/store.ts';
import { checkLogKey } from './check-log-key.ts';
import { loadSecondKey } from './compose.ts';
import { type NamedSigner, readLogKeys } from './log-keys.ts';

type ReadLogKeys = () => readonly [current: NamedSigner, next?: NamedSigner];

export class LogSigner {
  readonly #store: Store;
  readonly #read: ReadLogKeys;
  readonly #second: CosigningKey | undefined;
  #newest: SignedCheckpoint | undefined;

  private constructor(store: Store, read: ReadLogKeys, second: CosigningKey | undefined) {
    this.#store = store;
    this.#read = read;
    this.#second = second;
  }

  /** The keys are made on first use, mode 0600. Throws `KeyFileError`, or `StoreError` for another log's key. */
  static async open(config: Config, store: Store, origin: string): Promise<LogSigner> {
    const read: ReadLogKeys = () => readLogKeys(config, origin);
    await checkLogKey(store, namesOf(read()), config.keys.log);
    return new LogSigner(store, read, await loadSecond(config, origin));
  }

  /** The key that signs now. */
  get key(): VerifierKey {
    return this.#read()[0].key;
  }

  /** All that sign now: the key of the log, the one that replaces it, the one of another kind beside it. */
  get keys(): readonly VerifierKey[] {
    return [...namesOf(this.#read()), ...(this.#second === undefined ? [] : [this.#second.key])];
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
    const [current, next] = this.#read();
    const first = signCheckpoint(tree, current.key, current.signer);
    const note = next === undefined ? first : addSignature(first, next.key, next.signer);
    if (this.#second === undefined) return note;
    const text = formatCheckpoint({ origin: current.key.name, ...tree });
    const timeS = Math.floor(Date.now() / 1_000);
    return note + formatSignature(cosignNote(this.#second, { timeS, text }));
  }
}

const namesOf = ([current, next]: ReturnType<ReadLogKeys>): readonly VerifierKey[] =>
  next === undefined ? [current.key] : [current.key, next.key];

/** In a file of its own beside the first key; undefined when the configuration wants none. */
export async function loadSecond(
  config: Config,
  origin: string,
): Promise<CosigningKey | undefined> {
  if (!config.log.pq) return undefined;
  const signer = loadSecondKey(`${config.keys.log}.pq`);
  const named = { name: origin, type: mlDsa44Type, publicKey: signer.publicKey };
  return { key: await createVerifierKey(named), signer };
}
