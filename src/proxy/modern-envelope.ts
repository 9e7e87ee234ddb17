// The envelope that every request of revision 2026-07-28 carries in `_meta`.
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';
import { err, ok, type Result } from '../core/result.ts';
import { type ClientProfile, clientProfile } from './client-profile.ts';
import { type RpcError, rpcCodes } from './message.ts';

export const modernRevision = '2026-07-28';

export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** Keys of one hop only: they are never passed on. */
export const hopKeys: ReadonlySet<string> = new Set([
  'progressToken',
  metaKeys.protocolVersion,
  metaKeys.clientInfo,
  metaKeys.clientCapabilities,
  metaKeys.logLevel,
]);

/** True when a request claims a revision in its `_meta`. */
export function hasEnvelope(params: JsonObject | undefined): boolean {
  const meta = params?.['_meta'];
  return isJsonObject(meta) && meta[metaKeys.protocolVersion] !== undefined;
}

/** Checks the envelope; the error is what the client gets. */
export function checkEnvelope(params: JsonObject | undefined): Result<ClientProfile, RpcError> {
  const meta = params?.['_meta'];
  if (!isJsonObject(meta)) return invalid(metaKeys.protocolVersion, 'missing');
  const revision = meta[metaKeys.protocolVersion];
  const capabilities = meta[metaKeys.clientCapabilities];
  if (revision === undefined) return invalid(metaKeys.protocolVersion, 'missing');
  if (typeof revision !== 'string') return invalid(metaKeys.protocolVersion, 'not a text');
  if (revision !== modernRevision) return unsupported(revision);
  if (!isJsonObject(capabilities)) {
    const problem = capabilities === undefined ? 'missing' : 'not an object';
    return invalid(metaKeys.clientCapabilities, problem);
  }
  const info = meta[metaKeys.clientInfo];
  if (info !== undefined && !isJsonObject(info))
    return invalid(metaKeys.clientInfo, 'not an object');
  const logLevel = meta[metaKeys.logLevel];
  return ok(clientProfile({ era: 'modern', revision, info, capabilities, logLevel }));
}

/** The error for a revision that this connection does not speak. */
export function noHandshake(requested: JsonValue | undefined): RpcError {
  const name = typeof requested === 'string' ? requested.slice(0, 40) : 'unknown';
  return {
    code: rpcCodes.unsupportedVersion,
    message: `Unsupported protocol version: ${name}`,
    data: { supported: [modernRevision], requested: name },
  };
}

function invalid(key: string, problem: string): Result<ClientProfile, RpcError> {
  return err({
    code: rpcCodes.invalidParams,
    message: `Invalid _meta envelope for protocol revision ${modernRevision}: ${key}: ${problem}`,
    data: { envelope: { key, problem } },
  });
}

function unsupported(requested: string): Result<ClientProfile, RpcError> {
  return err(noHandshake(requested));
}
