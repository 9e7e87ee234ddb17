// `tools/call`: from the name to the tool, to the check of its definition, to a slot, to the gateway
// or the server.
import { isJsonObject } from '../core/json-value.ts';
import type { Answer } from '../gateway/gateway.ts';
import type { ToolStanding } from '../gateway/tool-catalogue.ts';
import { forwardedMeta } from './call-meta.ts';
import { CallSlots } from './call-slots.ts';
import { answerBugs, type Exchange } from './exchange.ts';
import type { ExposedTool } from './exposed-tool.ts';
import { callGuarded } from './guarded-call.ts';
import { rpcCodes } from './message.ts';
import { notRunning, toolChanged, tooManyCalls } from './own-reports.ts';
import { type OwnToolName, ownToolNames } from './own-tool-definitions.ts';
import { callOwnTool } from './own-tools.ts';
import { callPassthrough, completeResult, relayOutcome } from './passthrough-call.ts';
import type { ProxyContext } from './proxy-context.ts';
import { type Report, reportResult } from './report-result.ts';
import type { Session } from './session.ts';

interface ExposedCall {
  readonly exchange: Exchange;
  readonly session: Session;
  readonly tool: ExposedTool;
  /** Says how the call ended, for the log. */
  readonly note: (outcome: string) => void;
}

export class ToolCalls {
  readonly #context: ProxyContext;
  readonly #tools: ReadonlyMap<string, ExposedTool>;
  readonly #ownTools: ReadonlySet<string>;
  readonly #slots = new CallSlots();
  #running = 0;
  #onIdle: (() => void) | undefined;

  constructor(context: ProxyContext) {
    this.#context = context;
    this.#tools = new Map(context.tools.map((tool) => [tool.name, tool] as const));
    this.#ownTools = new Set(context.hasOwnTools ? ownToolNames : []);
  }

  /** Resolves when no guarded call is running any more. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  call(exchange: Exchange, session: Session): void {
    const { name } = exchange.request.params;
    if (typeof name !== 'string') {
      exchange.refuseParams('Invalid params: `name` must be a text');
      return;
    }
    const tool = this.#tools.get(name);
    if (tool !== undefined) this.#callExposed(exchange, session, tool);
    else if (this.#ownTools.has(name)) {
      answerBugs(this.#context.log, exchange, this.#callOwn(exchange, name as OwnToolName));
    } else this.#refuseUnknown(exchange, name);
  }

  async #callOwn(exchange: Exchange, name: OwnToolName): Promise<void> {
    const result = await callOwnTool(this.#context, name, exchange.request.params['arguments']);
    exchange.answer(completeResult(exchange, result));
  }

  // The same for a name that is hidden and for one that exists nowhere.
  #refuseUnknown(exchange: Exchange, name: string): void {
    const { gateway, log } = this.#context;
    const { client, params } = exchange.request;
    const caller = {
      channel: 'mcp' as const,
      client: client.name,
      signal: undefined,
      meta: forwardedMeta(params['_meta']),
      onProgress: undefined,
      form: client.form,
    };
    exchange.refuseParams(`Unknown tool: ${name.slice(0, 128)}`);
    gateway.recordUnknownTool(name, caller).catch((error: unknown) => {
      log('error', `a call of an unknown tool could not be recorded: ${String(error)}`);
    });
  }

  #callExposed(exchange: Exchange, session: Session, tool: ExposedTool): void {
    const startMs = performance.now();
    const note = (outcome: string): void => {
      const { server, kind } = tool;
      const durationMs = performance.now() - startMs;
      this.#context.onCall({ server, tool: tool.tool, kind, outcome, durationMs });
    };
    const call: ExposedCall = { exchange, session, tool, note };
    const standing = this.#context.catalogue.currentStanding(tool.server, tool.tool);
    if (standing !== undefined) this.#dispatch(call, standing);
    else answerBugs(this.#context.log, exchange, this.#dispatchChecked(call));
  }

  /** The definition may be another one by now, or the server may still be starting. */
  async #dispatchChecked(call: ExposedCall): Promise<void> {
    const { exchange, tool, note } = call;
    const { catalogue } = this.#context;
    let standing = await catalogue.checkedStanding(tool.server, tool.tool);
    if (standing.kind === 'absent') {
      const failure = await this.#waitForServer(tool);
      if (failure !== undefined) {
        this.#tell(exchange, failure);
        note('failed');
        return;
      }
      standing = await catalogue.checkedStanding(tool.server, tool.tool);
    }
    if (standing.kind === 'absent') {
      this.#refuseUnknown(exchange, exchange.request.params['name'] as string);
      note('unknown tool');
    } else this.#dispatch(call, standing);
  }

  #dispatch(call: ExposedCall, standing: Exclude<ToolStanding, { kind: 'absent' }>): void {
    const { exchange, tool, note } = call;
    if (tool.kind === 'guarded') {
      const hasOutputSchema =
        standing.kind === 'drifted' || isJsonObject(standing.definition['outputSchema']);
      answerBugs(this.#context.log, exchange, this.#guard(call, hasOutputSchema));
    } else if (standing.kind === 'listed') this.#passThrough(call);
    else {
      this.#tell(exchange, toolChanged);
      note('denied CONTRACT_TOOL_CHANGED');
    }
  }

  /** A tool that was never seen: its server may still be starting. */
  async #waitForServer(tool: ExposedTool): Promise<Report | undefined> {
    const { servers, catalogue } = this.#context;
    if (servers.listing(tool.server) !== undefined) return undefined;
    await servers.ready(tool.server);
    await catalogue.settled();
    if (servers.state(tool.server) === 'ready') return undefined;
    return notRunning(tool.server);
  }

  #passThrough({ exchange, tool, note }: ExposedCall): void {
    const place = this.#slots.take(tool.server, (release) => {
      const sent = callPassthrough(this.#context.servers, exchange, tool);
      const relayed = sent.then((outcome) => {
        release();
        note(relayOutcome(exchange, tool, outcome));
      });
      answerBugs(this.#context.log, exchange, relayed);
    });
    if (place === undefined) {
      this.#tell(exchange, tooManyCalls);
      note('denied RATE_LIMITED');
    } else if (place.isWaiting) exchange.onCancel = (): void => void place.leave();
  }

  async #guard(
    { exchange, session, tool, note }: ExposedCall,
    hasOutputSchema: boolean,
  ): Promise<void> {
    if (!session.useCallId(exchange.request.id)) {
      const message = 'Invalid Request: this id was used for another call';
      exchange.refuse({ code: rpcCodes.invalidRequest, message });
      return;
    }
    this.#running += 1;
    try {
      const inSlot = (run: () => Promise<Answer>): Promise<Answer | undefined> =>
        this.#inSlot(exchange, tool, run);
      note(await callGuarded(this.#context, { exchange, session, tool, hasOutputSchema, inSlot }));
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#onIdle?.();
    }
  }

  /** Undefined when too many calls wait already. */
  #inSlot(
    exchange: Exchange,
    tool: ExposedTool,
    run: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      const place = this.#slots.take(tool.server, (release) => {
        run().then(resolve, reject).finally(release);
      });
      if (place === undefined) resolve(undefined);
      else if (place.isWaiting) {
        exchange.onCancel = (): void => {
          if (place.leave()) resolve({ kind: 'dropped' });
        };
      }
    });
  }

  #tell(exchange: Exchange, report: Report): void {
    const context = { hasOutputSchema: true, hasOwnTools: this.#context.hasOwnTools };
    exchange.answer(completeResult(exchange, reportResult(report, context)));
  }
}
