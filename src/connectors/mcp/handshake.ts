// What is asked of a server before it can be used: who it is, and which tools it has.
import { isJsonObject } from '../../core/json-value.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { ToolCallOutcome } from '../tool-servers.ts';
import { listTools, type ToolList } from './list-tools.ts';
import type { ServerConnection } from './server-connection.ts';

const clientRevision = '2025-11-25';
const revisions: ReadonlySet<string> = new Set([
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
]);

/** What a server says of itself in its answer to `initialize`. */
export interface ServerHello {
  readonly hasTools: boolean;
  /** It sends log messages of the level that it is asked for. */
  readonly logs: boolean;
  readonly instructions: string | undefined;
}

export interface HandshakeOptions {
  /** Version of this package. */
  readonly version: string;
  readonly timeoutMs: number;
}

/** `initialize` and `notifications/initialized`; the error says why the server cannot be used. */
export async function shakeHands(
  connection: ServerConnection,
  { version, timeoutMs }: HandshakeOptions,
): Promise<Result<ServerHello, string>> {
  const params = JSON.stringify({
    protocolVersion: clientRevision,
    capabilities: {},
    clientInfo: { name: 'intentplane', version },
  });
  const outcome = await ask(connection, { method: 'initialize', params, timeoutMs });
  if (outcome.kind !== 'result') return err(`initialize failed: ${describe(outcome)}`);
  const { protocolVersion, capabilities, instructions } = outcome.result;
  if (typeof protocolVersion !== 'string' || !revisions.has(protocolVersion)) {
    return err(`it speaks an unknown revision: \`${String(protocolVersion).slice(0, 40)}\``);
  }
  connection.notify('notifications/initialized');
  const declared = isJsonObject(capabilities) ? capabilities : {};
  return ok({
    hasTools: isJsonObject(declared['tools']),
    logs: isJsonObject(declared['logging']),
    instructions: typeof instructions === 'string' ? instructions : undefined,
  });
}

/** All pages of its tool list within one time limit. */
export function listAllTools(connection: ServerConnection, timeoutMs: number): Promise<ToolList> {
  const deadline = performance.now() + timeoutMs;
  return listTools((cursor) => {
    const params = cursor === undefined ? undefined : JSON.stringify({ cursor });
    const leftMs = Math.max(deadline - performance.now(), 0);
    return ask(connection, { method: 'tools/list', params, timeoutMs: leftMs });
  });
}

/** One request of ours that is no tool call. */
export function ask(
  connection: ServerConnection,
  about: {
    readonly method: string;
    readonly params: string | undefined;
    readonly timeoutMs: number;
  },
): Promise<ToolCallOutcome> {
  const { method, params, timeoutMs } = about;
  return connection.request({
    method,
    label: method,
    params: () => params,
    idleMs: timeoutMs,
    totalMs: timeoutMs,
    cancelsOnTimeout: false,
    onProgress: undefined,
    cancellation: undefined,
    onSend: undefined,
  });
}

function describe(outcome: Exclude<ToolCallOutcome, { kind: 'result' }>): string {
  if (outcome.kind === 'error') return `error ${outcome.error.code}`;
  return outcome.kind === 'cancelled' ? 'cancelled' : outcome.reason;
}
