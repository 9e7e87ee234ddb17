// The contract of the downstream tool servers: processes that list tools and run calls.
import type { JsonObject, JsonValue } from '../core/json-value.ts';

/** How one server is started. Everything comes from the configuration; nothing from a call. */
export interface ToolServerSettings {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment of the child, already filtered. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Connect and list, in milliseconds. */
  readonly timeoutMs: number;
  /** Idle time of a call, restarted by progress, in milliseconds. */
  readonly callTimeoutMs: number;
  readonly restart: 'on-crash' | 'never';
}

export type ToolServerState = 'starting' | 'ready' | 'down';

/** A tool as the server announced it, whole and untouched. */
export interface AnnouncedTool {
  readonly name: string;
  readonly definition: JsonObject;
}

/** What a server announced last. */
export interface ServerListing {
  readonly server: string;
  /** Hash of command and arguments. */
  readonly identity: string;
  readonly instructions: string | undefined;
  readonly tools: readonly AnnouncedTool[];
}

/** Whether somebody still wants the outcome. Lighter than an `AbortSignal`, for every call has one. */
export interface Cancellation {
  readonly isCancelled: boolean;
  /** Set by who carries out the call; called once, at the moment of the cancellation. */
  onCancel: (() => void) | undefined;
}

/** One call to be sent once. Nothing is ever sent again on its own. */
export interface ToolCallRequest {
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** Exact JSON text of the arguments; undefined = the key is left out. */
  readonly argumentsText: string | undefined;
  /** Request `_meta` without hop keys. */
  readonly meta: JsonObject | undefined;
  /** Passthrough only: members of `params` that this version of the protocol does not know. */
  readonly otherParams?: JsonObject;
  readonly onProgress: ((progress: JsonObject) => void) | undefined;
  /** Passthrough only: cancelling it cancels downstream. A guarded call is never taken back. */
  readonly cancellation: Cancellation | undefined;
  /** The definition was checked against this run of the server: a server that is not ready gets nothing, even if it starts now. */
  readonly isChecked?: boolean;
  /** Called once, just before the first byte is written. */
  readonly onSend?: () => void;
}

/** How a call ended. `result` and `error` are what the server sent, untouched. */
export type ToolCallOutcome =
  | {
      readonly kind: 'result';
      readonly result: JsonObject;
      /** Its exact JSON text, when it is at hand. */
      readonly resultText?: string;
    }
  | {
      readonly kind: 'error';
      readonly error: {
        readonly code: number;
        readonly message: string;
        readonly data?: JsonValue;
      };
    }
  /** Certainly nothing was written to the server. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** Something was written and no answer can be believed (exit, timeout, too large, unparsable). */
  | { readonly kind: 'lost'; readonly reason: string }
  /** Cancelled before an answer came. */
  | { readonly kind: 'cancelled' };

export interface ToolServers {
  /** Starts all servers in parallel and returns at once. */
  start(): void;
  state(server: string): ToolServerState;
  /** What the server announced last; undefined before its first list. */
  listing(server: string): ServerListing | undefined;
  /** Resolves when every server is ready or down, or after `timeoutMs`. */
  settled(timeoutMs: number): Promise<void>;
  /** Called after each change of a listing or state (a re-list that changed nothing is silent). */
  onChange(listener: (server: string) => void): void;
  /** Resolves when no re-list of this server is running (at most 5 s). */
  listed(server: string): Promise<void>;
  /** True while a re-list is running. */
  isListing(server: string): boolean;
  /** Starts a server that is down; resolves when it is ready, or after its `timeoutMs`. */
  ready(server: string): Promise<void>;
  call(request: ToolCallRequest): Promise<ToolCallOutcome>;
  /** Log messages of a server (`notifications/message`), as it sent them. */
  onLogMessage(listener: (server: string, params: JsonObject) => void): void;
  /** Asks every server that logs for messages of this level and above. */
  setLogLevel(level: string): void;
  /** A client that does not read stops the reading of its servers. */
  setReading(isReading: boolean): void;
  /** Ends the children: stdin closed, then signals to the process group. */
  close(): Promise<void>;
}
