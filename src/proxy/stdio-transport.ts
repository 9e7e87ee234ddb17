// The stdio wire towards the client: bounded frames in, strict JSON, one write per turn out.
import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import { LineReader, LineWriter } from '../connectors/json-lines.ts';
import { type JsonFault, messageLimits, parseStrictJson } from '../core/checks/strict-json.ts';
import type { JsonValue } from '../core/json-value.ts';
import { parseHostileText } from './hostile-text.ts';
import { type Message, type RequestId, type RpcError, readMessage, rpcCodes } from './message.ts';

/** A client that leaves this much unread is cut off. */
const waitingMaxUnits = 64 * 1024 * 1024;

export interface StdioTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly onMessage: (message: Message) => void;
  /** Called when the client stops reading (`true`) and when it reads again (`false`). */
  readonly onBlocked: (isBlocked: boolean) => void;
}

export interface TransportEnd {
  readonly reason: string;
  /** Nobody reads what is still sent. */
  readonly isClientGone: boolean;
}

export class StdioTransport {
  readonly #options: StdioTransportOptions;
  readonly #writer: LineWriter;
  #onEnded: ((end: TransportEnd) => void) | undefined;
  #isEnded = false;
  #isLost = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#writer = new LineWriter(options.output, { onBlocked: options.onBlocked });
  }

  /** Reads until the client is gone; resolves with why. */
  serve(): Promise<TransportEnd> {
    const { input, output } = this.#options;
    return new Promise((resolve) => {
      this.#onEnded = resolve;
      const reader = new LineReader({
        sizeMaxBytes: messageLimits.sizeMaxBytes,
        onLine: (line) => this.#receive(line),
        onOversize: ({ sizeBytes }) => {
          this.#refuse(rpcCodes.invalidRequest, `message of ${sizeBytes} bytes, above 16 MiB`);
        },
      });
      input.on('data', (chunk: Buffer) => {
        if (!this.#isLost) reader.push(chunk);
      });
      input.on('end', () => this.#lose('the client closed its end'));
      input.on('close', () => this.#lose('the client closed its end'));
      input.on('error', () => this.#lose('the input broke'));
      output.on('error', () => this.#lose('the client does not take answers any more'));
      output.on('close', () => this.#lose('the client does not take answers any more'));
    });
  }

  /** Sends one frame. */
  send(text: string): void {
    this.#writer.write(text);
    if (this.#writer.waitingUnits > waitingMaxUnits) this.#lose('the client does not read');
  }

  end(end: TransportEnd): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#onEnded?.(end);
  }

  /** Writes what is left. */
  flush(): Promise<void> {
    this.#writer.flush();
    const { output } = this.#options;
    if (output.destroyed || !output.writable) return Promise.resolve();
    return new Promise((resolve) => {
      output.write('', () => resolve());
    });
  }

  #lose(reason: string): void {
    this.#isLost = true;
    this.end({ reason, isClientGone: true });
  }

  #receive(line: Buffer): void {
    if (!isUtf8(line)) {
      this.#refuse(rpcCodes.parseError, 'the message is not valid UTF-8');
      return;
    }
    const text = line.toString('utf8');
    const parsed = parseStrictJson(text, messageLimits);
    if (parsed.ok) {
      this.#take(parsed.value);
      return;
    }
    const value = namedByDecision.has(parsed.error.code) ? parseHostileText(text) : undefined;
    if (value === undefined) this.#refuseFault(parsed.error, text);
    else this.#take(value);
  }

  #take(value: JsonValue): void {
    const message = readMessage(value);
    if (message.kind === 'invalid') this.send(errorFrame(message.id, message.error));
    else this.#options.onMessage(message);
  }

  #refuseFault(fault: JsonFault, text: string): void {
    if (text.trim() === '') return;
    const what = `${faultTexts.get(fault.code) ?? 'it is not JSON'} (at byte ${fault.offset})`;
    this.#refuse(rpcCodes.parseError, what);
  }

  #refuse(code: number, what: string): void {
    const prefix = code === rpcCodes.parseError ? 'Parse error' : 'Invalid Request';
    this.send(errorFrame(null, { code, message: `${prefix}: ${what}` }));
  }
}

// A guarded call with such a value gets a refusal that names the argument, which an error without
// an id cannot do.
const namedByDecision: ReadonlySet<JsonFault['code']> = new Set([
  'json_forbidden_key',
  'json_surrogate',
]);

/** The text of one error answer. */
export function errorFrame(id: RequestId | null, error: RpcError): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}`;
}

const faultTexts: ReadonlyMap<JsonFault['code'], string> = new Map([
  ['json_bom', 'a byte order mark is not allowed'],
  ['json_control', 'a control character must be escaped'],
  ['json_depth', 'it nests deeper than 64'],
  ['json_duplicate_key', 'an object has the same key twice'],
  ['json_forbidden_key', 'a key is not allowed: `__proto__`, `constructor`, `prototype`'],
  ['json_number', 'a number is not written as JSON demands'],
  ['json_surrogate', 'a text has half a surrogate pair'],
  ['json_too_large', 'it is above 16 MiB'],
  ['json_trailing', 'something follows the message'],
]);
