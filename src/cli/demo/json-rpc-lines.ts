// JSON-RPC 2.0 over lines on a pair of streams: framing, ids and error codes, nothing of MCP.
// Small on purpose: the demo server must start and answer fast.
import type { Readable, Writable } from 'node:stream';

/** A JSON-RPC error to answer with. */
interface RpcError {
  readonly code: number;
  readonly message: string;
}

/** `json` is the result already serialised. */
export type RpcAnswer =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly error: RpcError };

export interface RpcLinesOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly answer: (method: string, params: unknown) => RpcAnswer;
}

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

// Above the largest message a host sends to a bank; keeps a peer from filling the memory.
const messageMaxBytes = 16 * 1024 * 1024;
const newline = 0x0a;

/** Answers until the input ends or the output is closed. */
export function serveRpcLines({ input, output, answer }: RpcLinesOptions): Promise<void> {
  return new Promise((resolve) => {
    const split = createLineSplitter();
    input.on('data', (chunk: Buffer) => {
      let frames = '';
      for (const line of split(chunk)) frames += answerLine(line, answer);
      if (frames !== '' && !output.write(frames)) {
        input.pause();
        output.once('drain', () => input.resume());
      }
    });
    input.on('end', resolve);
    // A peer that has gone reads nothing any more: the end of the work, not a failure.
    input.on('error', resolve);
    output.on('error', resolve);
  });
}

/** `undefined` stands for a line above the limit. */
function createLineSplitter(): (chunk: Buffer) => (string | undefined)[] {
  let parts: Buffer[] = [];
  let sizeBytes = 0;
  return (chunk) => {
    const lines: (string | undefined)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      sizeBytes += end - start;
      if (sizeBytes > messageMaxBytes) lines.push(undefined);
      else if (parts.length === 0) lines.push(chunk.toString('utf8', start, end));
      else lines.push(Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8'));
      parts = [];
      sizeBytes = 0;
      start = end + 1;
    }
    sizeBytes += chunk.length - start;
    if (sizeBytes > messageMaxBytes) parts = [];
    else if (start < chunk.length) parts.push(chunk.subarray(start));
    return lines;
  };
}

function answerLine(line: string | undefined, answer: RpcLinesOptions['answer']): string {
  if (line === undefined) return refuse(rpcCodes.invalidRequest, 'message above 16 MiB');
  if (line.trim() === '') return '';
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return refuse(rpcCodes.parseError, 'not JSON');
  }
  if (!isRecord(message)) return refuse(rpcCodes.invalidRequest, 'one JSON-RPC object per line');
  const { id, method, params } = message;
  if (typeof method !== 'string') {
    const isResponse = 'result' in message || 'error' in message;
    return isResponse ? '' : refuse(rpcCodes.invalidRequest, '`method` must be a text');
  }
  if (id === undefined) return '';
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) {
    return refuse(rpcCodes.invalidRequest, '`id` must be a text or an integer');
  }
  return frameAnswer(JSON.stringify(id), answer(method, params));
}

function frameAnswer(id: string, answer: RpcAnswer): string {
  return answer.ok
    ? `{"jsonrpc":"2.0","id":${id},"result":${answer.json}}\n`
    : `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(answer.error)}}\n`;
}

function refuse(code: number, message: string): string {
  return frameAnswer('null', { ok: false, error: { code, message } });
}

/** A JSON object, not a list and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
