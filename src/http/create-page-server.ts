// HTTP servers with the limits of the page: sizes, times, connections, and nothing told about errors.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { faultAnswer, hardeningHeaders, send } from './http-answer.ts';
import type { PageContext } from './page-context.ts';
import { type PageAddress, routeRequest } from './route-request.ts';

export interface PageServerOptions {
  readonly context: PageContext;
  /** Known once the port is. */
  readonly address: () => PageAddress;
  readonly timeouts: { readonly headersMs: number; readonly bodyMs: number };
}

/** Open connections of both addresses together. */
const connectionsMax = 64;
const headersMaxBytes = 8 * 1024;
/** RFC 6797; only where the page has a public address. */
const hstsYear = 'max-age=31536000';

/** Makes servers that share one count of connections. */
export function createPageServer(options: PageServerOptions): () => Server {
  const { headersMs, bodyMs } = options.timeouts;
  const open = new Set<Duplex>();
  return () => {
    const server = createServer({
      maxHeaderSize: headersMaxBytes,
      headersTimeout: headersMs,
      requestTimeout: headersMs + bodyMs,
      keepAliveTimeout: headersMs,
      connectionsCheckingInterval: Math.min(1_000, headersMs),
    });
    server.on('connection', (socket) => {
      if (open.size >= connectionsMax) {
        socket.destroy();
        return;
      }
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
    server.on('request', (request, response) => {
      void serve(options, request, response);
    });
    server.on('clientError', refuseBytes);
    return server;
  };
}

async function serve(
  { context, address }: PageServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isHead = request.method === 'HEAD';
  try {
    if (context.cookies.isSecure) response.setHeader('Strict-Transport-Security', hstsYear);
    send(response, await routeRequest(context, address(), request), isHead);
  } catch (error) {
    context.log('error', 'approval page: a request failed', describe(error));
    if (!response.headersSent) send(response, faultAnswer('INTERNAL'), isHead);
  }
}

/** Kind and place of an error. Its message may quote a value, so it stays out of the log. */
function describe(error: unknown): Readonly<Record<string, string | undefined>> {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    code,
    at: frames
      .slice(0, 5)
      .map((line) => line.trim())
      .join(' | '),
  };
}

const statusOfFault: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What is no HTTP gets a bare status, with the same headers as everything else. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = statusOfFault[error.code ?? ''] ?? '400 Bad Request';
  const headers = Object.entries(hardeningHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status}\r\n${headers.join('')}Content-Length: 0\r\nConnection: close\r\n\r\n`,
  );
}
