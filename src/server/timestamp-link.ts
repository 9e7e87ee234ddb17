// One time-stamping authority over HTTP (RFC 3161 section 3.4). Nothing is handed on that was not checked.
import { randomBytes } from 'node:crypto';
import type { Timestamps } from '../receipts/load-timestamps.ts';
import { timestampSizeMaxBytes } from '../receipts/timestamp-evidence.ts';

/** Thrown when the authority cannot be asked, or its answer is no timestamp of what was asked for. */
export class TimestampError extends Error {
  override readonly name = 'TimestampError';
}

/** How long an answer may take: 10 s. */
const timeoutDefaultMs = 10_000;
/** The token, and a status around it. */
const answerMaxBytes = timestampSizeMaxBytes + 1_024;
const nonceBytes = 16;
const answerType = 'application/timestamp-reply';

export class TimestampLink {
  readonly url: string;
  readonly #timestamps: Timestamps;
  readonly #timeoutMs: number;

  constructor(url: string, timestamps: Timestamps, timeoutMs: number = timeoutDefaultMs) {
    this.url = url;
    this.#timestamps = timestamps;
    this.#timeoutMs = timeoutMs;
  }

  /** A checked token (DER) about a note. Throws `TimestampError`. */
  async stamp(note: string): Promise<Uint8Array> {
    const text = new TextEncoder().encode(note);
    const { body, nonce } = this.#timestamps.formatTimestampRequest(text, randomBytes(nonceBytes));
    const answer = await this.#ask(body);
    const token = await this.#timestamps.readTimestampReply(answer, { text, nonce });
    if (!token.ok) throw new TimestampError(`gave an answer that is not kept (${token.error})`);
    return token.value;
  }

  async #ask(body: Uint8Array): Promise<Uint8Array> {
    try {
      const answer = await fetch(this.url, {
        method: 'POST',
        headers: { 'content-type': 'application/timestamp-query' },
        body: Uint8Array.from(body),
        redirect: 'error',
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      checkAnswer(answer);
      return await readBody(answer);
    } catch (error) {
      if (error instanceof TimestampError) throw error;
      const { cause, message } = error as Error;
      const why = cause instanceof Error ? cause.message : message;
      throw new TimestampError(`cannot be asked (${why})`, { cause: error });
    }
  }
}

function checkAnswer({ status, headers }: Response): void {
  if (status !== 200) throw new TimestampError(`answered ${status}`);
  const [type] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  if (type?.trim() !== answerType) {
    throw new TimestampError(`answered with something else than ${answerType}`);
  }
}

async function readBody(answer: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of answer.body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > answerMaxBytes) throw new TimestampError('answered with too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
