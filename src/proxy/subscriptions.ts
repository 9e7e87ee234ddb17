// `subscriptions/listen` of revision 2026-07-28: who wants to hear of a changed tool list.
import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import { type RequestId, rpcCodes } from './message.ts';
import { metaKeys } from './modern-envelope.ts';
import { errorFrame } from './stdio-transport.ts';

const subscriptionsMax = 64;

export class Subscriptions {
  readonly #send: (text: string) => void;
  readonly #serverInfo: JsonObject;
  readonly #listening = new Map<RequestId, { readonly toolsListChanged: boolean }>();

  constructor(send: (text: string) => void, serverInfo: JsonObject) {
    this.#send = send;
    this.#serverInfo = serverInfo;
  }

  listen(id: RequestId, params: JsonObject): void {
    const wanted = params['notifications'];
    if (!isJsonObject(wanted)) {
      const message = 'Invalid params: `notifications` is required and must be an object';
      this.#send(errorFrame(id, { code: rpcCodes.invalidParams, message }));
      return;
    }
    if (this.#listening.has(id) || this.#listening.size >= subscriptionsMax) {
      const message = this.#listening.has(id) ? 'this id is in use' : 'too many subscriptions';
      this.#send(errorFrame(id, { code: rpcCodes.invalidRequest, message }));
      return;
    }
    const toolsListChanged = wanted['toolsListChanged'] === true;
    this.#listening.set(id, { toolsListChanged });
    const notifications = toolsListChanged ? { toolsListChanged } : {};
    this.#notify('notifications/subscriptions/acknowledged', id, { notifications });
  }

  /** True when this id was a subscription. */
  cancel(id: RequestId): boolean {
    return this.#listening.delete(id);
  }

  tellToolsChanged(): void {
    for (const [id, { toolsListChanged }] of this.#listening) {
      if (toolsListChanged) this.#notify('notifications/tools/list_changed', id, {});
    }
  }

  /** Ends every subscription with its result. */
  close(): void {
    for (const id of this.#listening.keys()) {
      const meta = { [metaKeys.subscriptionId]: id, [metaKeys.serverInfo]: this.#serverInfo };
      const result = { resultType: 'complete', _meta: meta };
      this.#send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
    this.#listening.clear();
  }

  #notify(method: string, id: RequestId, params: JsonObject): void {
    const stamped = { ...params, _meta: { [metaKeys.subscriptionId]: id } };
    this.#send(JSON.stringify({ jsonrpc: '2.0', method, params: stamped }));
  }
}
