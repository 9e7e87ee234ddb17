// One client over one connection: which era it speaks, in which order it may ask, what is open.
// It knows nothing of servers or decisions; requests that are in order go to the router.
import { OpenRequests } from '../connectors/open-requests.ts';
import type { JsonObject, JsonValue } from '../core/json-value.ts';
import { type ClientProfile, clientProfile } from './client-profile.ts';
import { ClientRequests } from './client-requests.ts';
import { Exchange } from './exchange.ts';
import { LogRelay } from './log-relay.ts';
import { type Message, type RequestId, rpcCodes } from './message.ts';
import { checkEnvelope, hasEnvelope, noHandshake } from './modern-envelope.ts';
import { OpenQuestions } from './open-questions.ts';
import { errorFrame } from './stdio-transport.ts';
import { Subscriptions } from './subscriptions.ts';

const legacyRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** At least so many ids of guarded calls are remembered. Bounded: a session may live for weeks. */
const usedCallIdsMax = 4096;

export interface SessionOptions {
  readonly send: (text: string) => void;
  /** Answers a request that is in order. Must not throw. */
  readonly route: (exchange: Exchange, session: Session) => void;
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions: () => string | undefined;
  /** Called when the client wants log messages of this level. */
  readonly onLogLevel: (level: string) => void;
}

type Phase =
  /** Nothing but `server/discover` came so far. */
  'opening' | 'legacy' | 'modern';

export class Session {
  readonly #options: SessionOptions;
  readonly #open = new OpenRequests<RequestId, Exchange>();
  readonly requests: ClientRequests;
  readonly logs: LogRelay;
  /** Questions to a person that calls of this session wait for. */
  readonly questions: OpenQuestions = new OpenQuestions();
  #usedCallIds = new Set<RequestId>();
  #olderCallIds: ReadonlySet<RequestId> = new Set();
  readonly #subscriptions: Subscriptions;
  #phase: Phase = 'opening';
  #profile: ClientProfile | undefined;
  #isInitialized = false;
  #isClosed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.requests = new ClientRequests(options.send);
    this.logs = new LogRelay(options.send);
    this.#subscriptions = new Subscriptions(options.send, options.serverInfo);
  }

  /** Requests that wait for their answer. */
  get openCount(): number {
    return this.#open.size;
  }

  receive(message: Message): void {
    if (message.kind === 'request') this.#receiveRequest(message);
    else if (message.kind === 'notification') this.#receiveNotification(message);
    else if (message.kind === 'response') this.requests.settle(message);
  }

  /** Its client has seen a list of tools. */
  hasListed = false;

  /** The list of tools is another one now. */
  tellListChanged(): void {
    if (this.#phase === 'modern') this.#subscriptions.tellToolsChanged();
    else if (this.#isInitialized && this.hasListed) {
      this.#options.send('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    }
  }

  /**
   * False when a guarded call with this id was made before: the same id is the same proposal, and
   * nothing may take effect twice. Remembers the last calls only.
   */
  useCallId(id: RequestId): boolean {
    if (this.#usedCallIds.has(id) || this.#olderCallIds.has(id)) return false;
    if (this.#usedCallIds.size >= usedCallIdsMax) {
      this.#olderCallIds = this.#usedCallIds;
      this.#usedCallIds = new Set();
    }
    this.#usedCallIds.add(id);
    return true;
  }

  /** The client is gone: nobody reads an answer any more. */
  abandon(): void {
    for (const exchange of this.#open.items()) exchange.abandon();
  }

  /** From now on every request is refused; what is open may still be answered. */
  close(): void {
    this.#isClosed = true;
    this.requests.close();
    this.#subscriptions.close();
  }

  #receiveRequest(message: Message & { kind: 'request' }): void {
    const { id, method } = message;
    if (this.#isClosed) {
      this.#refuse(id, rpcCodes.internalError, 'The gateway is shutting down');
    } else if (this.#open.has(id)) {
      this.#refuse(id, rpcCodes.invalidRequest, 'Invalid Request: this id is in use');
    } else if (this.#isModern(message)) {
      this.#receiveModern(message);
    } else if (method === 'initialize') {
      this.#initialize(id, message.params ?? {});
    } else if (method === 'ping') {
      this.#options.send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`);
    } else if (this.#profile === undefined || this.#phase !== 'legacy') {
      this.#refuse(id, rpcCodes.invalidRequest, 'Invalid Request: `initialize` comes first');
    } else {
      this.#route(message, this.#profile);
    }
  }

  #isModern({ method, params }: Message & { kind: 'request' }): boolean {
    if (this.#phase === 'legacy') return false;
    if (this.#phase === 'modern') return true;
    return hasEnvelope(params) || (method === 'server/discover' && params !== undefined);
  }

  #receiveModern(message: Message & { kind: 'request' }): void {
    const { id, method, params } = message;
    const checked = checkEnvelope(params);
    if (!checked.ok && method === 'initialize') {
      this.#options.send(errorFrame(id, noHandshake(params?.['protocolVersion'])));
      return;
    }
    if (!checked.ok) {
      this.#options.send(errorFrame(id, checked.error));
      return;
    }
    // A client may look first and then choose the older handshake.
    if (method !== 'server/discover') this.#phase = 'modern';
    if (method === 'subscriptions/listen') this.#subscriptions.listen(id, params ?? {});
    else this.#route(message, checked.value);
  }

  #route({ id, method, params }: Message & { kind: 'request' }, client: ClientProfile): void {
    const exchange = new Exchange(
      { id, method, params: params ?? {}, client },
      {
        send: this.#options.send,
        onEnded: () => {
          this.#open.remove(id);
          if (client.logLevel !== undefined) this.logs.endRequest(client.logLevel);
        },
      },
    );
    this.#open.add(id, exchange);
    if (client.logLevel !== undefined) this.#askForLogs(client.logLevel);
    this.#options.route(exchange, this);
  }

  #askForLogs(level: string): void {
    if (this.logs.startRequest(level)) this.#options.onLogLevel(level);
  }

  #initialize(id: RequestId, params: JsonObject): void {
    if (this.#phase === 'legacy') {
      this.#refuse(id, rpcCodes.invalidRequest, 'Invalid Request: already initialized');
      return;
    }
    const asked = params['protocolVersion'];
    const known = legacyRevisions.find((revision) => revision === asked);
    const revision = known ?? legacyRevisions[0];
    this.#phase = 'legacy';
    this.#profile = clientProfile({
      era: 'legacy',
      revision,
      info: params['clientInfo'],
      capabilities: params['capabilities'],
    });
    const instructions = this.#options.instructions();
    const result = {
      protocolVersion: revision,
      capabilities: this.#options.capabilities,
      serverInfo: this.#options.serverInfo,
      ...(instructions === undefined ? {} : { instructions }),
    };
    this.#options.send(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(result)}}`,
    );
  }

  #receiveNotification({ method, params }: Message & { kind: 'notification' }): void {
    if (method === 'notifications/initialized') this.#isInitialized = this.#phase === 'legacy';
    else if (method === 'notifications/cancelled') this.#cancel(params?.['requestId']);
  }

  #cancel(id: JsonValue | undefined): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    if (this.#subscriptions.cancel(id)) return;
    this.#open.get(id)?.cancel();
  }

  #refuse(id: RequestId, code: number, message: string): void {
    this.#options.send(errorFrame(id, { code, message }));
  }
}
