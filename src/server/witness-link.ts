// One witness over HTTP: submits checkpoints, reads the newest that it has.
import { createHash } from 'node:crypto';
import {
  isNoteSignature,
  isUsableKey,
  type OptionalAlgorithms,
} from '../receipts/note-signature.ts';
import { formatSignature, type Note, parseNote } from '../receipts/signed-note.ts';
import type { VerifierKey } from '../receipts/verifier-key.ts';

/** Where a witness is, and with which keys it signs. */
export interface WitnessAddress {
  readonly name: string;
  /** Without a slash at the end. */
  readonly url: string;
  readonly keys: readonly VerifierKey[];
}

/** What a witness says to a submission. */
export type WitnessReply =
  /** `lines` = signature lines of its keys, all of which hold. */
  | { readonly kind: 'cosigned'; readonly lines: string }
  /** It has another size than was thought. */
  | { readonly kind: 'other_size'; readonly size: number }
  /** It was shown something that does not extend what it saw. */
  | { readonly kind: 'inconsistent' };

/** Thrown when a witness cannot be asked, or its answer is none. */
export class WitnessError extends Error {
  override readonly name = 'WitnessError';
}

/** How long an answer may take: 10 s. */
const timeoutMs = 10_000;
const answerMaxBytes = 131_072;

export class WitnessLink {
  readonly address: WitnessAddress;
  readonly #algorithms: OptionalAlgorithms;

  constructor(address: WitnessAddress, algorithms: OptionalAlgorithms) {
    this.address = address;
    this.#algorithms = algorithms;
  }

  /** `note` is the one in `body`. */
  async submit(body: string, note: string): Promise<WitnessReply> {
    const { status, text } = await this.#ask('/add-checkpoint', { method: 'POST', body });
    if (status === 409) return { kind: 'other_size', size: readSize(text) };
    if (status === 422) return { kind: 'inconsistent' };
    if (status !== 200) throw new WitnessError(`answered ${status}`);
    return { kind: 'cosigned', lines: await this.#checkedLines(text, note) };
  }

  /** The note of its newest checkpoint of a log; undefined when it has none. */
  async readNewest(origin: string): Promise<string | undefined> {
    const page = createHash('sha256').update(origin).digest('hex');
    const { status, text } = await this.#ask(`/${page}/checkpoint`, { method: 'GET' });
    if (status === 404) return undefined;
    if (status !== 200) throw new WitnessError(`answered ${status}`);
    return text;
  }

  async #checkedLines(answer: string, note: string): Promise<string> {
    const own = parseNote(note);
    const read = own.ok ? parseNote(`${own.value.text}\n${answer}`) : own;
    if (!read.ok) throw new WitnessError('answered with no signature lines');
    const signatures = await this.#ownSignatures(read.value);
    if (signatures.length === 0) throw new WitnessError('answered without a line of its keys');
    return signatures.map(formatSignature).join('');
  }

  /** Other lines are left out: nobody could tell whose they are. */
  async #ownSignatures({ text, signatures }: Note): Promise<Note['signatures']> {
    const own: Note['signatures'][number][] = [];
    for (const line of signatures) {
      const { signature } = line;
      const key = this.address.keys.find(
        ({ name, keyId }) => name === line.name && keyId === line.keyId,
      );
      if (key === undefined || !isUsableKey(key, this.#algorithms)) continue;
      if (!(await isNoteSignature(key, { text, signature }, this.#algorithms))) {
        throw new WitnessError('answered with a signature that does not hold');
      }
      own.push(line);
    }
    return own;
  }

  async #ask(
    path: string,
    request: { readonly method: 'GET' | 'POST'; readonly body?: string },
  ): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const answer = await fetch(this.address.url + path, {
        ...request,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: answer.status, text: await readText(answer) };
    } catch (error) {
      if (error instanceof WitnessError) throw error;
      const { cause, message } = error as Error;
      const why = cause instanceof Error ? cause.message : message;
      throw new WitnessError(`cannot be asked (${why})`, { cause: error });
    }
  }
}

function readSize(text: string): number {
  const digits = /^(0|[1-9][0-9]{0,15})\n$/.exec(text)?.[1];
  if (digits === undefined || !Number.isSafeInteger(Number(digits))) {
    throw new WitnessError('answered 409 without a size');
  }
  return Number(digits);
}

async function readText(answer: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let sizeBytes = 0;
  for await (const chunk of answer.body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > answerMaxBytes) throw new WitnessError('answered with too much');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
