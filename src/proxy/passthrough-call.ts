// A call that is relayed without a decision: params and result untouched.
import type { ToolCallOutcome, ToolServers } from '../connectors/tool-servers.ts';
import type { JsonObject } from '../core/json-value.ts';
import { forwardedMeta } from './call-meta.ts';
import type { Exchange } from './exchange.ts';
import type { ExposedTool } from './exposed-tool.ts';

const knownParams: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/** Sends the call on. Cancelling the exchange cancels it downstream. */
export function callPassthrough(
  servers: ToolServers,
  exchange: Exchange,
  tool: ExposedTool,
): Promise<ToolCallOutcome> {
  const { params } = exchange.request;
  const args = params['arguments'];
  const otherParams = unknownParams(params);
  return servers.call({
    server: tool.server,
    tool: tool.tool,
    argumentsText: args === undefined ? undefined : JSON.stringify(args),
    meta: forwardedMeta(params['_meta']),
    ...(otherParams === undefined ? {} : { otherParams }),
    onProgress: exchange.hasProgressToken ? (progress) => exchange.progress(progress) : undefined,
    cancellation: exchange,
  });
}

/** Answers with what the server said; returns how it ended, for the log. */
export function relayOutcome(
  exchange: Exchange,
  tool: ExposedTool,
  outcome: ToolCallOutcome,
): string {
  switch (outcome.kind) {
    case 'result':
      answerResult(exchange, outcome.result, outcome.resultText);
      return outcome.result['isError'] === true ? 'tool_error' : 'result';
    case 'error':
      exchange.refuse(outcome.error);
      return 'error';
    case 'not_sent':
      answerFailure(exchange, `${tool.server}: ${outcome.reason}. Nothing was sent.`);
      return 'not_sent';
    case 'lost': {
      const rest = 'The call was sent; whether it took effect is not known.';
      answerFailure(exchange, `${tool.server}: ${outcome.reason}. ${rest}`);
      return 'lost';
    }
    case 'cancelled':
      return 'cancelled';
  }
}

/** A server's result for this client: the newer era wants to read that it is complete. */
export function completeResult(exchange: Exchange, result: JsonObject): JsonObject {
  if (exchange.request.client.era === 'legacy') return result;
  return result['resultType'] === 'complete' ? result : { ...result, resultType: 'complete' };
}

/** Sends a server's result on, by its own text where nothing is added to it. */
function answerResult(exchange: Exchange, result: JsonObject, text: string | undefined): void {
  const complete = completeResult(exchange, result);
  if (complete === result && text !== undefined) exchange.answerText(text);
  else exchange.answer(complete);
}

function answerFailure(exchange: Exchange, text: string): void {
  const result = { content: [{ type: 'text', text }], isError: true };
  exchange.answer(completeResult(exchange, result));
}

function unknownParams(params: JsonObject): JsonObject | undefined {
  for (const key in params) {
    if (!knownParams.has(key)) {
      const others = Object.entries(params).filter(([name]) => !knownParams.has(name));
      return Object.fromEntries(others);
    }
  }
  return undefined;
}
