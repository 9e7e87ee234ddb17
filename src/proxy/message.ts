// One JSON-RPC message as the proxy sees it, with the ids that MCP allows.
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';

export type RequestId = string | number;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

export type Message =
  | {
      readonly kind: 'request';
      readonly id: RequestId;
      readonly method: string;
      readonly params: JsonObject | undefined;
    }
  | {
      readonly kind: 'notification';
      readonly method: string;
      readonly params: JsonObject | undefined;
    }
  | {
      readonly kind: 'response';
      readonly id: RequestId;
      readonly result: JsonValue | undefined;
      readonly error: JsonValue | undefined;
    }
  /** Answered with this error; `id` is null when the message has no usable one. */
  | { readonly kind: 'invalid'; readonly id: RequestId | null; readonly error: RpcError };

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  unsupportedVersion: -32022,
} as const;

/** Reads one parsed frame. */
export function readMessage(value: JsonValue): Message {
  if (Array.isArray(value)) return invalid('batches are not supported: send one message per line');
  if (!isJsonObject(value)) return invalid('a message is a JSON object');
  const { id, method, params } = value;
  if (value['jsonrpc'] !== '2.0') return invalid('`jsonrpc` must be "2.0"', id);
  if (method === undefined) return readResponse(value);
  if (typeof method !== 'string') return invalid('`method` must be a text', id);
  if (id !== undefined && !isRequestId(id)) {
    return invalid('`id` must be a text or an integer within 2^53-1');
  }
  if (params !== undefined && !isJsonObject(params)) {
    return id === undefined
      ? invalid('`params` must be an object')
      : {
          kind: 'invalid',
          id,
          error: {
            code: rpcCodes.invalidParams,
            message: 'Invalid params: `params` must be an object',
          },
        };
  }
  return id === undefined
    ? { kind: 'notification', method, params }
    : { kind: 'request', id, method, params };
}

function readResponse(value: JsonObject): Message {
  const { id, result, error } = value;
  if (result === undefined && error === undefined) {
    return invalid('a message has a `method`, a `result` or an `error`', id);
  }
  // An answer without a usable id belongs to nothing: nobody can be told.
  return isRequestId(id)
    ? { kind: 'response', id, result, error }
    : { kind: 'response', id: '', result: undefined, error: undefined };
}

function isRequestId(id: JsonValue | undefined): id is RequestId {
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
}

function invalid(what: string, id?: JsonValue): Message {
  const error = { code: rpcCodes.invalidRequest, message: `Invalid Request: ${what}` };
  return { kind: 'invalid', id: isRequestId(id) ? id : null, error };
}
