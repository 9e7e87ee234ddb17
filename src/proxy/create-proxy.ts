// The MCP proxy over stdio: one client, one session, the gateway and the tool servers behind it.
import type { Readable, Writable } from 'node:stream';
import type { Log } from '../connectors/log.ts';
import type { ToolServers } from '../connectors/tool-servers.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { ToolCatalogue } from '../gateway/tool-catalogue.ts';
import type { ExposedTool } from './exposed-tool.ts';
import { composeInstructions } from './instructions.ts';
import type { CallNote, ProxyContext } from './proxy-context.ts';
import { Router } from './router.ts';
import { Session } from './session.ts';
import { StdioTransport } from './stdio-transport.ts';

/** How long the outcomes of open calls may take once the client is gone. */
const drainMs = 5_000;

export interface ProxyOptions {
  readonly gateway: Gateway;
  readonly servers: ToolServers;
  /** Loaded already. */
  readonly catalogue: ToolCatalogue;
  /** In the order of the configuration file, under their final names. */
  readonly tools: readonly ExposedTool[];
  readonly hasOwnTools: boolean;
  readonly principal: string;
  /** Seconds to hold a call for the person (`[approvals] wait`). */
  readonly waitSeconds: number;
  /** Seconds to hold a call for an answer to a form. */
  readonly formWaitSeconds?: number;
  /** Seconds between two progress messages of a call that waits for a person. */
  readonly reminderSeconds?: number;
  /** 32 bytes made with the store. */
  readonly sealKey: Uint8Array;
  readonly useNonce: (nonce: string, expiresMs: number) => Promise<boolean>;
  readonly version: string;
  readonly log: Log;
  readonly onCall?: (note: CallNote) => void;
  readonly nowMs: () => number;
  readonly input: Readable;
  readonly output: Writable;
}

export interface Proxy {
  /** Serves until the client is gone or `close` is called; open outcomes are recorded by then. */
  serve(): Promise<void>;
  /** Refuses new calls and ends `serve`. */
  close(): Promise<void>;
}

export function createProxy(options: ProxyOptions): Proxy {
  return new StdioProxy(options);
}

class StdioProxy implements Proxy {
  readonly #options: ProxyOptions;
  readonly #transport: StdioTransport;
  readonly #session: Session;
  readonly #router: Router;
  #served: Promise<void> | undefined;

  constructor(options: ProxyOptions) {
    this.#options = options;
    const context = proxyContext(options);
    const capabilities = { tools: { listChanged: true }, logging: {} };
    const instructions = (): string => this.#instructions();
    this.#router = new Router({ context, capabilities, instructions });
    this.#transport = new StdioTransport({
      input: options.input,
      output: options.output,
      onMessage: (message) => this.#session.receive(message),
      onBlocked: (isBlocked) => options.servers.setReading(!isBlocked),
    });
    this.#session = new Session({
      send: (text) => this.#transport.send(text),
      route: (exchange, session) => this.#router.route(exchange, session),
      serverInfo: context.serverInfo,
      capabilities,
      instructions,
      onLogLevel: (level) => options.servers.setLogLevel(level),
    });
    options.catalogue.onChange(() => {
      if (this.#router.refreshList()) this.#session.tellListChanged();
    });
    options.servers.onLogMessage((_server, params) => this.#session.logs.relay(params));
  }

  serve(): Promise<void> {
    this.#router.refreshList();
    this.#served ??= this.#serve();
    return this.#served;
  }

  async close(): Promise<void> {
    this.#transport.end({ reason: 'the gateway is shutting down', isClientGone: false });
    await this.#served;
  }

  async #serve(): Promise<void> {
    const { reason, isClientGone } = await this.#transport.serve();
    this.#options.log('info', `the session ended: ${reason}`);
    this.#session.close();
    if (isClientGone) this.#session.abandon();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, drainMs);
    });
    await Promise.race([this.#router.idle(), late]);
    clearTimeout(timer);
    await this.#transport.flush();
  }

  #instructions(): string {
    const { tools, catalogue } = this.#options;
    const names = [...new Set(tools.map((tool) => tool.server))];
    return composeInstructions(
      names.map((name) => ({ name, instructions: catalogue.instructions(name) })),
    );
  }
}

function proxyContext(options: ProxyOptions): ProxyContext {
  const { gateway, servers, catalogue, tools, hasOwnTools, principal } = options;
  const { sealKey, useNonce, log, nowMs, waitSeconds } = options;
  const { formWaitSeconds = 45, reminderSeconds = 10 } = options;
  return {
    gateway,
    servers,
    catalogue,
    tools,
    hasOwnTools,
    principal,
    approvals: { waitSeconds, formWaitSeconds, reminderSeconds },
    sealKey,
    useNonce,
    serverInfo: { name: 'intentplane', title: 'intentplane', version: options.version },
    log,
    onCall: options.onCall ?? ((): void => {}),
    nowMs,
  };
}
