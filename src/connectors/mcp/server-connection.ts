// The client side of one connection to one server: requests with integer ids, answers, progress,
// cancellation. Legacy era: 2024-11-05 to 2025-11-25. It never sends anything twice.
import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json-value.ts';
import type { LineSender, OversizeFrame, QueuedLine } from '../json-lines.ts';
import { parseKeptJson } from '../kept-json.ts';
import { OpenRequests } from '../open-requests.ts';
import type { ToolCallOutcome } from '../tool-servers.ts';
import { readAnswer, readCompactAnswer } from './answer-frame.ts';
import { guessId } from './guess-id.ts';
import { PendingRequest, type RpcRequest } from './pending-request.ts';
import { Sweep } from './sweep.ts';

export interface ConnectionEvents {
  readonly onListChanged: () => void;
  readonly onLogMessage: (params: JsonObject) => void;
  /** A result with two equal keys in one object; the last one counts. */
  readonly onDuplicateKeys: (label: string) => void;
  readonly onWarning: (text: string) => void;
}

export type WriteLine = (text: string, sender?: LineSender) => QueuedLine;

const methodNotFound = -32601;

export class ServerConnection {
  readonly #write: WriteLine;
  readonly #events: ConnectionEvents;
  readonly #pending = new OpenRequests<number, PendingRequest>();
  readonly #sweep = new Sweep(() => {
    const nowMs = performance.now();
    for (const pending of this.#pending.items()) pending.checkTime(nowMs);
  });
  #nextId = 1;
  #rubbish = 0;
  #strays = 0;
  #closed: string | undefined;

  constructor(write: WriteLine, events: ConnectionEvents) {
    this.#write = write;
    this.#events = events;
  }

  /** Lines on stdout that were no protocol. */
  get rubbishLines(): number {
    return this.#rubbish;
  }

  get openCount(): number {
    return this.#pending.size;
  }

  request(request: RpcRequest): Promise<ToolCallOutcome> {
    if (this.#closed !== undefined) {
      return Promise.resolve({ kind: 'not_sent', reason: this.#closed });
    }
    if (request.cancellation?.isCancelled === true) return Promise.resolve({ kind: 'cancelled' });
    return new Promise((resolve) => {
      const id = this.#nextId;
      this.#nextId += 1;
      const pending = new PendingRequest(id, request, { resolve, owner: this });
      this.#pending.add(id, pending);
      const params = request.params(id);
      const tail = params === undefined ? '}' : `,"params":${params}}`;
      const text = `{"jsonrpc":"2.0","id":${id},"method":"${request.method}"${tail}`;
      pending.start(this.#write(text, pending));
      this.#sweep.start(Math.min(request.idleMs, request.totalMs));
    });
  }

  /** Called by a request that has ended. */
  forget(id: number): void {
    this.#pending.remove(id);
    if (this.#pending.size === 0) this.#sweep.stop();
  }

  /** Tells the server that nobody waits for this request any more. */
  cancel(requestId: number, reason: string): void {
    this.notify('notifications/cancelled', { requestId, reason });
  }

  notify(method: string, params?: JsonObject): void {
    const tail = params === undefined ? '}' : `,"params":${JSON.stringify(params)}}`;
    this.#write(`{"jsonrpc":"2.0","method":"${method}"${tail}`);
  }

  /** Every open request ends now. */
  close(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    this.#sweep.stop();
    for (const pending of this.#pending.items()) pending.lose(reason);
  }

  receive(line: Buffer): void {
    const text = line.toString('utf8');
    const quick = isUtf8(line) ? readCompactAnswer(text) : undefined;
    if (quick !== undefined) {
      this.#settle(quick.id, quick.outcome);
      return;
    }
    const parsed = isUtf8(line) ? parseKeptJson(text) : undefined;
    const frame = parsed?.value;
    if (parsed === undefined || !isJsonObject(frame) || frame['jsonrpc'] !== '2.0') {
      this.#receiveRubbish(text);
      return;
    }
    if (typeof frame['method'] === 'string') this.#receiveMethod(frame['method'], frame);
    else this.#receiveAnswer(frame, parsed.hasDuplicateKeys);
  }

  receiveOversize({ head, tail, sizeBytes }: OversizeFrame): void {
    const reason = `its answer is ${sizeBytes} bytes long, above the limit of 64 MiB`;
    this.#events.onWarning(reason);
    const id = guessId(head.toString('latin1'), tail.toString('latin1'));
    const pending = this.#pending.get(id ?? this.#pending.onlyId() ?? -1);
    pending?.lose(reason);
  }

  #receiveRubbish(text: string): void {
    this.#rubbish += 1;
    if (this.#rubbish === 1) {
      this.#events.onWarning(`a line on stdout is not protocol: \`${text.slice(0, 120)}\``);
    }
    const id = guessId(text.slice(0, 4096), text.slice(-4096));
    if (id !== undefined) this.#pending.get(id)?.lose('its answer cannot be read');
  }

  #receiveMethod(method: string, frame: JsonObject): void {
    const params = isJsonObject(frame['params']) ? frame['params'] : {};
    if (frame['id'] !== undefined) this.#answerServer(method, frame['id']);
    else if (method === 'notifications/progress') this.#receiveProgress(params);
    else if (method === 'notifications/tools/list_changed') this.#events.onListChanged();
    else if (method === 'notifications/message') this.#events.onLogMessage(params);
  }

  // No kind of request from a server is switched on, so none was declared to it.
  #answerServer(method: string, id: JsonValue): void {
    if (method === 'ping') {
      this.#write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
      return;
    }
    const error = { code: methodNotFound, message: 'Method not found' };
    this.#write(JSON.stringify({ jsonrpc: '2.0', id, error }));
    this.#events.onWarning(`it asked for \`${method.slice(0, 60)}\`, which is not switched on`);
  }

  #receiveProgress(params: JsonObject): void {
    const token = params['progressToken'];
    const pending = typeof token === 'number' ? this.#pending.get(token) : undefined;
    if (pending === undefined) this.#countStray('progress for no open call');
    else pending.progress(params);
  }

  #receiveAnswer(frame: JsonObject, hasDuplicateKeys: boolean): void {
    const id = typeof frame['id'] === 'number' ? frame['id'] : Number.NaN;
    const label = this.#pending.get(id)?.label;
    if (hasDuplicateKeys && label !== undefined) this.#events.onDuplicateKeys(label);
    this.#settle(id, readAnswer(frame));
  }

  #settle(id: number, outcome: ToolCallOutcome): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) this.#countStray('an answer to no open call');
    else pending.settle(outcome);
  }

  #countStray(what: string): void {
    this.#strays += 1;
    if (this.#strays === 1) this.#events.onWarning(`it sent ${what}; further ones are not logged`);
  }
}
