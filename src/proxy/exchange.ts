// One request of the client from its arrival to its one answer. After the answer, or after the
// client cancelled, nothing more is ever sent for it.
import type { Log } from '../connectors/log.ts';
import { type JsonObject, type JsonValue, numberText } from '../core/json-value.ts';
import type { ClientProfile } from './client-profile.ts';
import { type RequestId, type RpcError, rpcCodes } from './message.ts';

export interface ExchangeWire {
  readonly send: (text: string) => void;
  readonly onEnded: (exchange: Exchange) => void;
}

export interface ExchangeRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly client: ClientProfile;
}

export class Exchange {
  readonly request: ExchangeRequest;
  /** Called at once when the client cancels; a call in a queue leaves it here. */
  onCancel: (() => void) | undefined;
  readonly #wire: ExchangeWire;
  readonly #token: JsonValue | undefined;
  #lastProgress = Number.NEGATIVE_INFINITY;
  #isEnded = false;
  #isCancelled = false;
  #isAbandoned = false;
  #controller: AbortController | undefined;

  constructor(request: ExchangeRequest, wire: ExchangeWire) {
    this.request = request;
    this.#wire = wire;
    const meta = request.params['_meta'] as JsonObject | undefined;
    this.#token = meta?.['progressToken'];
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Aborted when the client cancels. Made only when somebody asks for it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isCancelled) this.#controller.abort();
    return this.#controller.signal;
  }

  get hasProgressToken(): boolean {
    return typeof this.#token === 'string' || numberText(this.#token) !== undefined;
  }

  answer(result: JsonObject): void {
    this.answerText(JSON.stringify(result));
  }

  /** `result` is JSON text already. */
  answerText(result: string): void {
    if (this.#isEnded) return;
    this.#end();
    this.#wire.send(`{"jsonrpc":"2.0","id":${JSON.stringify(this.request.id)},"result":${result}}`);
  }

  refuse(error: RpcError): void {
    if (this.#isEnded) return;
    this.#end();
    const id = JSON.stringify(this.request.id);
    this.#wire.send(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`);
  }

  refuseParams(what: string): void {
    this.refuse({ code: rpcCodes.invalidParams, message: what });
  }

  /** The client took the request back. */
  get isTakenBack(): boolean {
    return this.#isCancelled && !this.#isAbandoned;
  }

  /** The client is gone; it took nothing back. */
  abandon(): void {
    this.#isAbandoned = true;
    this.cancel();
  }

  /** The client wants no answer any more. */
  cancel(): void {
    if (this.#isEnded) return;
    this.#isCancelled = true;
    this.#end();
    this.#controller?.abort();
    this.onCancel?.();
  }

  /** Passes progress on, under the client's own token, as long as it rises. */
  progress(params: JsonObject): void {
    if (this.#isEnded || !this.hasProgressToken) return;
    const progress = Number(numberText(params['progress']));
    if (!(progress > this.#lastProgress)) return;
    this.#lastProgress = progress;
    const body = JSON.stringify({ ...params, progressToken: this.#token });
    this.#wire.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":${body}}`);
  }

  #end(): void {
    this.#isEnded = true;
    this.#wire.onEnded(this);
  }
}

/** Ends an exchange whose work failed by a mistake of ours: refused, and told in the log. */
export function answerBugs(log: Log, exchange: Exchange, work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    log('error', `${exchange.request.method} failed: ${String(error)}`);
    exchange.refuse({ code: rpcCodes.internalError, message: 'Internal error' });
  });
}
