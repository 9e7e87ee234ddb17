// Requests of ours to the client (forms), each with its own id, its time limit and its answer.
import type { JsonObject, JsonValue } from '../core/json-value.ts';
import type { RequestId } from './message.ts';

/** What became of a request to the client. */
export type ClientReply =
  | { readonly kind: 'result'; readonly result: JsonValue | undefined; readonly afterMs: number }
  | { readonly kind: 'error' }
  | { readonly kind: 'timeout' }
  /** Taken back by us, or the session ended. */
  | { readonly kind: 'withdrawn' };

export interface ClientRequest {
  readonly reply: Promise<ClientReply>;
  /** Tells the client that no answer is wanted any more. */
  withdraw(): void;
}

interface Open {
  readonly settle: (reply: ClientReply) => void;
  readonly sentMs: number;
}

export class ClientRequests {
  readonly #send: (text: string) => void;
  readonly #open = new Map<RequestId, Open>();
  #nextId = 1;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  get openCount(): number {
    return this.#open.size;
  }

  ask(method: string, params: JsonObject, timeoutMs: number): ClientRequest {
    const id = this.#nextId;
    this.#nextId += 1;
    const reply = new Promise<ClientReply>((resolve) => {
      const timer = setTimeout(() => this.#withdraw(id, { kind: 'timeout' }), timeoutMs);
      timer.unref();
      const settle = (settled: ClientReply): void => {
        clearTimeout(timer);
        this.#open.delete(id);
        resolve(settled);
      };
      this.#open.set(id, { settle, sentMs: performance.now() });
    });
    this.#send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return { reply, withdraw: () => this.#withdraw(id, { kind: 'withdrawn' }) };
  }

  tell(method: string, params: JsonObject): void {
    this.#send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** An answer of the client; one that belongs to nothing is ignored. */
  settle(message: {
    readonly id: RequestId;
    readonly result: JsonValue | undefined;
    readonly error: JsonValue | undefined;
  }): void {
    const open = this.#open.get(message.id);
    if (open === undefined) return;
    if (message.error !== undefined) open.settle({ kind: 'error' });
    else {
      const afterMs = performance.now() - open.sentMs;
      open.settle({ kind: 'result', result: message.result, afterMs });
    }
  }

  /** The session is over: nobody will answer. */
  close(): void {
    for (const open of [...this.#open.values()]) open.settle({ kind: 'withdrawn' });
  }

  #withdraw(id: RequestId, reply: ClientReply): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.tell('notifications/cancelled', { requestId: id, reason: 'no longer needed' });
    open.settle(reply);
  }
}
