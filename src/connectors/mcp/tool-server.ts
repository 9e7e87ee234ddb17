// One tool server over its life: started, listed, called, started again when it ended. What it
// announces is only remembered here; what may be used of it is decided elsewhere.
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../core/json-value.ts';
import type { Log } from '../log.ts';
import type {
  ServerListing,
  ToolCallOutcome,
  ToolCallRequest,
  ToolServerSettings,
  ToolServerState,
} from '../tool-servers.ts';
import { ask, listAllTools, type ServerHello, shakeHands } from './handshake.ts';
import { RestartPlan } from './restart-plan.ts';
import { ServerConnection } from './server-connection.ts';
import { ServerProcess } from './server-process.ts';
import { toolCallParams } from './tool-call-params.ts';

/** Announcements within this time are read together. */
const coalesceMs = 200;
const listedMaxMs = 5_000;
const callTotalMs = 3_600_000;

export interface ToolServerOptions {
  readonly settings: ToolServerSettings;
  readonly version: string;
  readonly secrets: readonly string[];
  readonly log: Log;
  readonly onChange: () => void;
  readonly onLogMessage: (params: JsonObject) => void;
}

/** Everything that belongs to one started process. */
interface Run {
  readonly process: ServerProcess;
  readonly connection: ServerConnection;
  /** What it said of itself; undefined until then. */
  hello: ServerHello | undefined;
  /** Its list changed while it was being read. */
  isListStale: boolean;
}

export class ToolServer {
  readonly #options: ToolServerOptions;
  readonly #settings: ToolServerSettings;
  readonly #identity: string;
  readonly #restarts = new RestartPlan();
  readonly #duplicateKeysLogged = new Set<string>();
  #state: ToolServerState = 'starting';
  #run: Run | undefined;
  #starting: Promise<void> | undefined;
  #relisting: Promise<void> | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #listing: ServerListing | undefined;
  #listingText = '';
  #downReason = 'it was not started';
  #logLevel: string | undefined;
  #isClosed = false;
  readonly #ended = new Set<Promise<void>>();

  constructor(options: ToolServerOptions) {
    this.#options = options;
    this.#settings = options.settings;
    const { command, args } = options.settings;
    this.#identity = createHash('sha256')
      .update(JSON.stringify([command, args]))
      .digest('hex');
  }

  get state(): ToolServerState {
    return this.#state;
  }

  get listing(): ServerListing | undefined {
    return this.#listing;
  }

  /** Starts the process, or joins a start that is under way. Never rejects. */
  start(): Promise<void> {
    if (this.#isClosed || this.#state === 'ready') return Promise.resolve();
    clearTimeout(this.#restartTimer);
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  get isListing(): boolean {
    return this.#relisting !== undefined;
  }

  /** Starts it when that is allowed, and waits for it within the time limit of a start. */
  async ready(): Promise<void> {
    const isStartable = this.#starting !== undefined || this.#settings.restart === 'on-crash';
    if (isStartable) await within(this.start(), this.#settings.timeoutMs);
  }

  /** Resolves when no re-list is running, after 5 s at the latest. */
  async listed(): Promise<void> {
    if (this.#relisting !== undefined) await within(this.#relisting, listedMaxMs);
  }

  call(request: ToolCallRequest): Promise<ToolCallOutcome> {
    const run = this.#run;
    return this.#state === 'ready' && run !== undefined
      ? this.#send(run, request)
      : this.#callWhenReady(request);
  }

  async #callWhenReady(request: ToolCallRequest): Promise<ToolCallOutcome> {
    if (request.isChecked !== true) await this.ready();
    if (request.cancellation?.isCancelled === true) return { kind: 'cancelled' };
    const run = this.#run;
    if (this.#state === 'ready' && run !== undefined) return this.#send(run, request);
    const reason = `not running, nothing was sent (${this.#downReason})`;
    return { kind: 'not_sent', reason };
  }

  #send(run: Run, request: ToolCallRequest): Promise<ToolCallOutcome> {
    return run.connection.request({
      method: 'tools/call',
      label: request.tool,
      params: (id) => toolCallParams(request, id),
      idleMs: this.#settings.callTimeoutMs,
      totalMs: callTotalMs,
      cancelsOnTimeout: request.cancellation !== undefined,
      onProgress: request.onProgress,
      cancellation: request.cancellation,
      onSend: request.onSend,
    });
  }

  setLogLevel(level: string): void {
    this.#logLevel = level;
    if (this.#state === 'ready' && this.#run?.hello?.logs === true)
      this.#sendLogLevel(this.#run, level);
  }

  setReading(isReading: boolean): void {
    this.#run?.process.setReading(isReading);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restartTimer);
    const run = this.#run;
    this.#run = undefined;
    this.#state = 'down';
    this.#downReason = 'the gateway is shutting down';
    if (run !== undefined) {
      // A call that is still open has had its time: this server is not waited for again.
      const isHurried = run.connection.openCount > 0;
      run.connection.close(this.#downReason);
      this.#ended.add(run.process.end(isHurried));
    }
    await Promise.all(this.#ended);
  }

  async #start(): Promise<void> {
    this.#state = 'starting';
    this.#restarts.countStart(performance.now());
    const run = this.#trySpawn();
    if (run === undefined) return;
    this.#run = run;
    const failure = await this.#handshake(run);
    // It may have ended, or the gateway may have closed, in between.
    if (this.#run !== run) return;
    if (failure !== undefined) {
      this.#onEnd(run, run.process.withLastLine(failure));
      return;
    }
    this.#state = 'ready';
    if (this.#logLevel !== undefined && run.hello?.logs === true)
      this.#sendLogLevel(run, this.#logLevel);
    this.#log('info', 'ready');
    this.#options.onChange();
    this.#listAgainIfStale(run);
  }

  #trySpawn(): Run | undefined {
    try {
      return this.#spawn();
    } catch (error) {
      // Arguments that no process can be started with, such as a NUL character.
      this.#goDown(`could not be started: ${error instanceof Error ? error.message : error}`);
      return undefined;
    }
  }

  #spawn(): Run {
    const connection = new ServerConnection((text, sender) => process.write(text, sender), {
      onListChanged: () => this.#onListChanged(run),
      onLogMessage: this.#options.onLogMessage,
      onDuplicateKeys: (label) => this.#logDuplicateKeys(label),
      onWarning: (text) => this.#log('warn', text),
    });
    const process: ServerProcess = new ServerProcess({
      ...this.#settings,
      secrets: this.#options.secrets,
      onLine: (line) => connection.receive(line),
      onOversize: (frame) => connection.receiveOversize(frame),
      onStderr: (line) => this.#log('info', `| ${line}`),
      onEnd: (reason) => this.#onEnd(run, reason),
    });
    const run: Run = { process, connection, hello: undefined, isListStale: false };
    return run;
  }

  /** Why the server cannot be used; undefined when it can. */
  async #handshake(run: Run): Promise<string | undefined> {
    const { version, settings } = this.#options;
    const hello = await shakeHands(run.connection, { version, timeoutMs: settings.timeoutMs });
    if (!hello.ok) return hello.error;
    run.hello = hello.value;
    return this.#list(run, hello.value);
  }

  async #list(run: Run, { hasTools, instructions }: ServerHello): Promise<string | undefined> {
    const { name, timeoutMs } = this.#settings;
    const list = hasTools ? await listAllTools(run.connection, timeoutMs) : noTools;
    if (!list.ok) return list.reason;
    for (const warning of list.warnings) this.#log('warn', warning);
    if (this.#run !== run) return undefined;
    const { tools } = list;
    this.#keepListing({ server: name, identity: this.#identity, instructions, tools });
    return undefined;
  }

  #keepListing(listing: ServerListing): void {
    const text = JSON.stringify(listing);
    if (text === this.#listingText) return;
    this.#listingText = text;
    this.#listing = listing;
    if (this.#state === 'ready') this.#options.onChange();
  }

  #onListChanged(run: Run): void {
    run.isListStale = true;
    if (this.#state === 'ready' && this.#relisting === undefined) this.#listAgainIfStale(run);
  }

  #listAgainIfStale(run: Run): void {
    if (this.#run !== run || !run.isListStale) return;
    this.#relisting = this.#relist(run).finally(() => {
      if (this.#run !== run) return;
      this.#relisting = undefined;
      this.#listAgainIfStale(run);
    });
  }

  async #relist(run: Run): Promise<void> {
    await new Promise((resolve) => {
      setTimeout(resolve, coalesceMs);
    });
    if (this.#run !== run) return;
    run.isListStale = false;
    const hello = { logs: false, instructions: undefined, ...run.hello, hasTools: true };
    const failure = await this.#list(run, hello);
    if (failure !== undefined) this.#log('warn', `its tools could not be listed again: ${failure}`);
  }

  #onEnd(run: Run, reason: string): void {
    run.connection.close(reason);
    this.#track(run.process.end());
    if (this.#run !== run || this.#isClosed) return;
    this.#run = undefined;
    this.#relisting = undefined;
    this.#goDown(reason);
  }

  #goDown(reason: string): void {
    this.#state = 'down';
    this.#downReason = reason;
    this.#log('error', `down: ${reason}`);
    this.#options.onChange();
    this.#planRestart();
  }

  #planRestart(): void {
    if (this.#settings.restart === 'never') return;
    const delayMs = this.#restarts.nextDelayMs(performance.now());
    this.#restartTimer = setTimeout(() => void this.start(), delayMs);
    this.#restartTimer.unref();
  }

  #track(ended: Promise<void>): void {
    this.#ended.add(ended);
    void ended.finally(() => this.#ended.delete(ended));
  }

  #sendLogLevel(run: Run, level: string): void {
    const params = JSON.stringify({ level });
    const { timeoutMs } = this.#settings;
    void ask(run.connection, { method: 'logging/setLevel', params, timeoutMs });
  }

  #logDuplicateKeys(label: string): void {
    if (this.#duplicateKeysLogged.has(label)) return;
    this.#duplicateKeysLogged.add(label);
    const what = `a result of \`${label}\` has two equal keys in one object`;
    this.#log('warn', `${what}; the last one counts`);
  }

  #log(level: Parameters<Log>[0], text: string): void {
    this.#options.log(level, `[${this.#settings.name}] ${text}`);
  }
}

const noTools = { ok: true as const, tools: [], warnings: [] };

/** Resolves with the promise, or after the time, whichever is first. */
async function within(promise: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
