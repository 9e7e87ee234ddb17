// All tool servers of one configuration over stdio. They start in parallel and none waits for
// another.
import type { JsonObject } from '../../core/json-value.ts';
import type { Log } from '../log.ts';
import type {
  ServerListing,
  ToolCallOutcome,
  ToolCallRequest,
  ToolServerSettings,
  ToolServerState,
  ToolServers,
} from '../tool-servers.ts';
import { ToolServer } from './tool-server.ts';

export interface McpToolServersOptions {
  readonly servers: readonly ToolServerSettings[];
  /** Version of this package, told to the servers. */
  readonly version: string;
  /** Texts that are masked in what servers print on stderr. */
  readonly secrets: readonly string[];
  readonly log: Log;
}

export function createMcpToolServers(options: McpToolServersOptions): ToolServers {
  return new McpToolServers(options);
}

class McpToolServers implements ToolServers {
  readonly #servers: ReadonlyMap<string, ToolServer>;
  readonly #changeListeners = new Set<(server: string) => void>();
  readonly #logListeners: ((server: string, params: JsonObject) => void)[] = [];

  constructor({ servers, version, secrets, log }: McpToolServersOptions) {
    this.#servers = new Map(
      servers.map((settings) => {
        const onChange = (): void => this.#tellChange(settings.name);
        const onLogMessage = (params: JsonObject): void => {
          for (const listener of this.#logListeners) listener(settings.name, params);
        };
        const server = new ToolServer({ settings, version, secrets, log, onChange, onLogMessage });
        return [settings.name, server] as const;
      }),
    );
  }

  start(): void {
    for (const server of this.#servers.values()) void server.start();
  }

  state(server: string): ToolServerState {
    return this.#servers.get(server)?.state ?? 'down';
  }

  listing(server: string): ServerListing | undefined {
    return this.#servers.get(server)?.listing;
  }

  settled(timeoutMs: number): Promise<void> {
    const isSettled = (): boolean =>
      [...this.#servers.values()].every((server) => server.state !== 'starting');
    if (isSettled()) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#changeListeners.delete(listener);
        resolve();
      };
      const listener = (): void => {
        if (isSettled()) finish();
      };
      const timer = setTimeout(finish, timeoutMs);
      this.#changeListeners.add(listener);
    });
  }

  onChange(listener: (server: string) => void): void {
    this.#changeListeners.add(listener);
  }

  onLogMessage(listener: (server: string, params: JsonObject) => void): void {
    this.#logListeners.push(listener);
  }

  listed(server: string): Promise<void> {
    return this.#servers.get(server)?.listed() ?? Promise.resolve();
  }

  isListing(server: string): boolean {
    return this.#servers.get(server)?.isListing ?? false;
  }

  ready(server: string): Promise<void> {
    return this.#servers.get(server)?.ready() ?? Promise.resolve();
  }

  call(request: ToolCallRequest): Promise<ToolCallOutcome> {
    const server = this.#servers.get(request.server);
    if (server !== undefined) return server.call(request);
    const reason = `there is no server \`${request.server}\``;
    return Promise.resolve({ kind: 'not_sent', reason });
  }

  setLogLevel(level: string): void {
    for (const server of this.#servers.values()) server.setLogLevel(level);
  }

  setReading(isReading: boolean): void {
    for (const server of this.#servers.values()) server.setReading(isReading);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  #tellChange(server: string): void {
    for (const listener of this.#changeListeners) listener(server);
  }
}
