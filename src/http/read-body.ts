// The body of an answer: bounded in size and in time, then strict UTF-8 and strict JSON.
import type { IncomingMessage } from 'node:http';
import { decodeUtf8Strict, type JsonLimits, parseStrictJson } from '../core/checks/strict-json.ts';
import type { JsonValue } from '../core/json-value.ts';
import { err, ok, type Result } from '../core/result.ts';

const sizeMaxBytes = 16 * 1024;
/** What is too large is still read up to here, so that the sender gets to see the refusal. */
const drainMaxBytes = 1024 * 1024;

const limits: JsonLimits = {
  sizeMaxBytes,
  depthMax: 4,
  keysMax: 16,
  nodesMax: 2_000,
  numbers: 'guarded',
};

export type BodyFault = 'BAD_REQUEST' | 'BODY_TOO_LARGE' | 'TOO_SLOW';

export async function readJsonBody(
  request: IncomingMessage,
  timeoutMs: number,
): Promise<Result<JsonValue, BodyFault>> {
  const bytes = await readBytes(request, { timeoutMs, sizeMaxBytes });
  if (!bytes.ok) return bytes;
  const text = decodeUtf8Strict(bytes.value);
  if (!text.ok) return err('BAD_REQUEST');
  const value = parseStrictJson(text.value, limits);
  return value.ok ? value : err('BAD_REQUEST');
}

/** The whole body; listens until it is there, too large, or too slow. */
export function readBytes(
  request: IncomingMessage,
  { timeoutMs, sizeMaxBytes }: { readonly timeoutMs: number; readonly sizeMaxBytes: number },
): Promise<Result<Uint8Array, BodyFault>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const finish = (result: Result<Uint8Array, BodyFault>): void => {
      clearTimeout(timer);
      request.off('data', take);
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      sizeBytes += chunk.length;
      if (sizeBytes <= sizeMaxBytes) chunks.push(chunk);
      else if (sizeBytes > drainMaxBytes) finish(err('BODY_TOO_LARGE'));
    };
    const timer = setTimeout(() => finish(err('TOO_SLOW')), timeoutMs);
    request.on('data', take);
    request.once('end', () =>
      finish(sizeBytes > sizeMaxBytes ? err('BODY_TOO_LARGE') : ok(Buffer.concat(chunks))),
    );
    request.once('close', () => finish(err('BAD_REQUEST')));
  });
}
