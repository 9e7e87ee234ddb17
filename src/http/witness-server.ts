// A witness over HTTP (c2sp.org/tlog-witness): logs submit checkpoints, anybody reads the newest.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { decodeUtf8Strict } from '../core/checks/strict-json.ts';
import { sha256Hex } from '../core/sha256.ts';
import { addCheckpointSizeMaxBytes } from '../receipts/add-checkpoint.ts';
import { type CosigningKey, cosignNote } from '../receipts/cosign-note.ts';
import {
  judgeHistory,
  type KnownLogs,
  readSubmission,
  type Submission,
} from '../receipts/judge-submission.ts';
import type { OptionalAlgorithms } from '../receipts/note-signature.ts';
import { formatNote, formatSignature } from '../receipts/signed-note.ts';
import type { WitnessStore } from '../stores/witness-store.ts';
import { type BodyFault, readBytes } from './read-body.ts';

/** What a witness is made of. */
export interface WitnessParts {
  readonly store: WitnessStore;
  readonly logs: KnownLogs;
  /** Each gives one line of an answer. */
  readonly keys: readonly CosigningKey[];
  readonly algorithms: OptionalAlgorithms;
  readonly nowMs: () => number;
  /** How long a request may take to arrive, in milliseconds. */
  readonly timeoutMs: number;
  readonly log: (level: 'info' | 'warn' | 'error', message: string) => void;
}

interface WitnessAnswer {
  readonly status: number;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const connectionsMax = 256;
const headersMaxBytes = 8 * 1024;
const sizeType = 'text/x.tlog.size';

/** Not listening yet. */
export function createWitnessServer(parts: WitnessParts): Server {
  const { timeoutMs } = parts;
  const server = createServer({
    maxHeaderSize: headersMaxBytes,
    headersTimeout: timeoutMs,
    requestTimeout: 2 * timeoutMs,
    connectionsCheckingInterval: Math.min(1_000, timeoutMs),
  });
  server.maxConnections = connectionsMax;
  const pages = new Map(
    [...parts.logs.keys()].map((origin) => [`/${sha256Hex(origin)}/checkpoint`, origin]),
  );
  server.on('request', (request, response) => {
    void serve({ parts, pages }, request, response);
  });
  return server;
}

interface Serving {
  readonly parts: WitnessParts;
  /** Path of each log's newest checkpoint, with its origin. */
  readonly pages: ReadonlyMap<string, string>;
}

async function serve(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    send(response, await answerTo(serving, request), request.method === 'HEAD');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    serving.parts.log('error', `a request failed: ${reason}`);
    send(response, { status: 500 }, false);
  }
}

function send(response: ServerResponse, answer: WitnessAnswer, isHead: boolean): void {
  const { status, type = 'text/plain; charset=utf-8', body = '', headers } = answer;
  // Whatever is still coming of a body that was refused is not read.
  const isCut = status === 408 || status === 413;
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(isCut ? { Connection: 'close' } : {}),
    ...headers,
  });
  response.end(isHead ? undefined : body);
}

async function answerTo(
  { parts, pages }: Serving,
  request: IncomingMessage,
): Promise<WitnessAnswer> {
  const { method = '', url = '' } = request;
  if (url === '/add-checkpoint') {
    return method === 'POST' ? addCheckpoint(parts, request) : wrongMethod('POST');
  }
  const origin = pages.get(url);
  if (origin === undefined) return { status: 404 };
  if (method !== 'GET' && method !== 'HEAD') return wrongMethod('GET, HEAD');
  const seen = parts.store.read(origin);
  return seen === undefined ? { status: 404 } : { status: 200, body: seen.note };
}

const wrongMethod = (allowed: string): WitnessAnswer => ({
  status: 405,
  headers: { Allow: allowed },
});

const statusOfFault: Readonly<Record<BodyFault, number>> = {
  BAD_REQUEST: 400,
  BODY_TOO_LARGE: 413,
  TOO_SLOW: 408,
};

async function addCheckpoint(
  parts: WitnessParts,
  request: IncomingMessage,
): Promise<WitnessAnswer> {
  const { timeoutMs, logs, algorithms } = parts;
  const limits = { timeoutMs, sizeMaxBytes: addCheckpointSizeMaxBytes };
  const bytes = await readBytes(request, limits);
  if (!bytes.ok) return { status: statusOfFault[bytes.error] };
  const body = decodeUtf8Strict(bytes.value);
  if (!body.ok) return { status: 400 };
  const submission = await readSubmission(body.value, logs, algorithms);
  return submission.ok ? cosign(parts, submission.value) : { status: submission.error };
}

/** Nothing is awaited in here: what was compared is what is replaced. */
function cosign(parts: WitnessParts, submission: Submission): WitnessAnswer {
  const { store, keys, nowMs, log } = parts;
  const { checkpoint, note } = submission;
  const { origin, size, root } = checkpoint;
  return store.advance<WitnessAnswer>(origin, (seen) => {
    const status = judgeHistory(submission, seen);
    if (status === 409) {
      return { answer: { status, type: sizeType, body: `${seen?.size ?? 0}\n` } };
    }
    if (status === 422) {
      // The log signed it: this may be the proof of a second history.
      log('warn', `refused a checkpoint of \`${origin}\` at size ${size}: it is inconsistent`);
      return { answer: { status } };
    }
    const timeS = Math.floor(nowMs() / 1_000);
    const lines = keys.map((key) => cosignNote(key, { timeS, text: note.text }));
    const signatures = [...note.signatures, ...lines];
    return {
      keep: { size, root, note: formatNote({ text: note.text, signatures }) },
      answer: { status, body: lines.map(formatSignature).join('') },
    };
  });
}
