// From a request of the client to the one who answers it. Knows sessions, tools and servers as
// plain objects; decides nothing.
import type { JsonObject } from '../core/json-value.ts';
import { answerBugs, type Exchange } from './exchange.ts';
import { isLogLevel } from './log-relay.ts';
import { rpcCodes } from './message.ts';
import { metaKeys, modernRevision } from './modern-envelope.ts';
import { completeResult } from './passthrough-call.ts';
import type { ProxyContext } from './proxy-context.ts';
import type { Session } from './session.ts';
import { ToolCalls } from './tool-calls.ts';
import { ToolList } from './tool-list.ts';

/** From the start on, how long a list waits for servers that have never been seen. */
const firstListMs = 5_000;

export interface RouterOptions {
  readonly context: ProxyContext;
  readonly capabilities: JsonObject;
  readonly instructions: () => string | undefined;
}

export class Router {
  readonly #options: RouterOptions;
  readonly #context: ProxyContext;
  readonly #calls: ToolCalls;
  readonly #list: ToolList;
  readonly #firstListEndsMs = performance.now() + firstListMs;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#context = options.context;
    this.#calls = new ToolCalls(options.context);
    this.#list = new ToolList(options.context);
  }

  /** Builds the tool list again; true when clients must be told. */
  refreshList(): boolean {
    return this.#list.refresh();
  }

  /** Resolves when no guarded call is running any more. */
  idle(): Promise<void> {
    return this.#calls.idle();
  }

  route(exchange: Exchange, session: Session): void {
    const { method, params, client } = exchange.request;
    if (method === 'tools/call') this.#calls.call(exchange, session);
    else if (method === 'tools/list')
      answerBugs(this.#context.log, exchange, this.#listTools(exchange, session));
    else if (method === 'ping') exchange.answer(completeResult(exchange, {}));
    else if (method === 'server/discover' && client.era === 'modern') this.#discover(exchange);
    else if (method === 'logging/setLevel' && client.era === 'legacy') {
      this.#setLogLevel(exchange, session, params['level']);
    } else exchange.refuse({ code: rpcCodes.methodNotFound, message: 'Method not found' });
  }

  #discover(exchange: Exchange): void {
    const instructions = this.#options.instructions();
    exchange.answer({
      supportedVersions: [modernRevision],
      capabilities: this.#options.capabilities,
      ...(instructions === undefined ? {} : { instructions }),
      ...this.#cacheable(),
    });
  }

  async #listTools(exchange: Exchange, session: Session): Promise<void> {
    const { cursor } = exchange.request.params;
    const { catalogue, servers } = this.#context;
    const waitMs = this.#firstListEndsMs - performance.now();
    if (waitMs > 0 && !catalogue.isComplete) {
      await servers.settled(waitMs);
      await catalogue.settled();
      this.#list.refresh();
    }
    const isCursor = cursor === undefined || typeof cursor === 'string';
    const page = isCursor ? this.#list.page(cursor) : undefined;
    if (page === undefined) {
      exchange.refuseParams('Invalid params: unknown cursor');
      return;
    }
    session.hasListed = true;
    const { era } = exchange.request.client;
    const rest = {
      ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
      ...(era === 'modern' ? this.#cacheable() : {}),
    };
    const tail = JSON.stringify(rest).slice(1);
    exchange.answerText(`{"tools":${page.tools}${tail === '}' ? tail : `,${tail}`}`);
  }

  // Results of the newer era say how long they hold; a list may change at any time.
  #cacheable(): JsonObject {
    const meta = { [metaKeys.serverInfo]: this.#context.serverInfo };
    return { resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: meta };
  }

  #setLogLevel(exchange: Exchange, session: Session, level: unknown): void {
    if (typeof level !== 'string' || !isLogLevel(level)) {
      exchange.refuseParams('Invalid params: unknown log level');
      return;
    }
    session.logs.setSessionLevel(level);
    this.#context.servers.setLogLevel(level);
    exchange.answer({});
  }
}
