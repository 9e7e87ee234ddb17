// What all parts of the proxy share: the gateway behind it and the settings of this process.
import type { Log } from '../connectors/log.ts';
import type { ToolServers } from '../connectors/tool-servers.ts';
import type { JsonObject } from '../core/json-value.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { ToolCatalogue } from '../gateway/tool-catalogue.ts';
import type { ExposedTool } from './exposed-tool.ts';

/** One call as logs and metrics see it: no values. */
export interface CallNote {
  readonly server: string;
  readonly tool: string;
  readonly kind: 'guarded' | 'passthrough';
  readonly outcome: string;
  readonly durationMs: number;
}

interface ApprovalSettings {
  /** Seconds to hold a call for the person when the client has no form. */
  readonly waitSeconds: number;
  /** Seconds to hold a call for an answer to a form. */
  readonly formWaitSeconds: number;
  /** Seconds between two progress messages of a call that waits for a person. */
  readonly reminderSeconds: number;
}

export interface ProxyContext {
  readonly gateway: Gateway;
  readonly servers: ToolServers;
  readonly catalogue: ToolCatalogue;
  readonly tools: readonly ExposedTool[];
  readonly hasOwnTools: boolean;
  /** Answers to forms count as this person's. */
  readonly principal: string;
  readonly approvals: ApprovalSettings;
  /** 32 bytes of the store; seals what clients hand back. */
  readonly sealKey: Uint8Array;
  readonly useNonce: (nonce: string, expiresMs: number) => Promise<boolean>;
  readonly serverInfo: JsonObject;
  readonly log: Log;
  /** Called once per tool call. */
  readonly onCall: (note: CallNote) => void;
  readonly nowMs: () => number;
}
