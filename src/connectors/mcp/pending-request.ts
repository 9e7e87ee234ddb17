// One request on its way: sent or not, its time limits, its cancellation, its one outcome.
import type { JsonObject } from '../../core/json-value.ts';
import type { LineSender, QueuedLine } from '../json-lines.ts';
import type { Cancellation, ToolCallOutcome } from '../tool-servers.ts';

export interface RpcRequest {
  readonly method: string;
  /** What is called, for the log. */
  readonly label: string;
  /** Exact JSON text of `params` for the id of this request, which is its progress token too. */
  readonly params: (id: number) => string | undefined;
  readonly idleMs: number;
  readonly totalMs: number;
  /** Whether the server is told when the time is over. */
  readonly cancelsOnTimeout: boolean;
  readonly onProgress: ((progress: JsonObject) => void) | undefined;
  readonly cancellation: Cancellation | undefined;
  readonly onSend: (() => void) | undefined;
}

export interface PendingOwner {
  readonly resolve: (outcome: ToolCallOutcome) => void;
  /** The connection that it belongs to. */
  readonly owner: {
    forget(id: number): void;
    cancel(id: number, reason: string): void;
  };
}

export class PendingRequest implements LineSender {
  readonly #id: number;
  readonly #request: RpcRequest;
  readonly #owner: PendingOwner;
  readonly #totalEndsMs: number;
  #idleEndsMs: number;
  #line: QueuedLine | undefined;
  #isSent = false;
  #isSettled = false;

  constructor(id: number, request: RpcRequest, owner: PendingOwner) {
    this.#id = id;
    this.#request = request;
    this.#owner = owner;
    const nowMs = performance.now();
    this.#totalEndsMs = nowMs + request.totalMs;
    this.#idleEndsMs = nowMs + request.idleMs;
  }

  start(line: QueuedLine): void {
    this.#line = line;
    if (line.isDropped) {
      this.settle({ kind: 'not_sent', reason: 'the connection is closed' });
      return;
    }
    const { cancellation } = this.#request;
    if (cancellation !== undefined) cancellation.onCancel = (): void => this.#onCancel();
  }

  get label(): string {
    return this.#request.label;
  }

  /** From now on nobody can say that nothing reached the server. */
  markSent(): void {
    this.#isSent = true;
    this.#request.onSend?.();
  }

  progress(params: JsonObject): void {
    this.#idleEndsMs = performance.now() + this.#request.idleMs;
    if (this.#request.onProgress === undefined) return;
    const { progressToken: _, ...progress } = params;
    this.#request.onProgress(progress);
  }

  checkTime(nowMs: number): void {
    if (nowMs < this.#idleEndsMs && nowMs < this.#totalEndsMs) return;
    const limitMs = nowMs < this.#totalEndsMs ? this.#request.idleMs : this.#request.totalMs;
    if (this.#isSent && this.#request.cancelsOnTimeout) this.#tellServer('timed out');
    this.lose(`it did not answer within ${limitMs / 1000} s`);
  }

  /** The connection is gone, or the answer cannot be believed. */
  lose(reason: string): void {
    this.settle(this.#isSent ? { kind: 'lost', reason } : { kind: 'not_sent', reason });
  }

  settle(outcome: ToolCallOutcome): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    if (this.#line !== undefined) this.#line.isDropped = true;
    const { cancellation } = this.#request;
    if (cancellation !== undefined) cancellation.onCancel = undefined;
    this.#owner.owner.forget(this.#id);
    this.#owner.resolve(outcome);
  }

  #onCancel(): void {
    if (this.#isSent) this.#tellServer('cancelled by the client');
    this.settle({ kind: 'cancelled' });
  }

  #tellServer(reason: string): void {
    this.#owner.owner.cancel(this.#id, reason);
  }
}
