// Asks a read-only tool what became of an operation.
import { judgeLookup, type LookupFinding } from '../../core/checks/judge-lookup.ts';
import { lookupArguments } from '../../core/checks/lookup-arguments.ts';
import { unitsOf } from '../../core/checks/value-bounds.ts';
import type { Contract, LookupRule } from '../../core/contract.ts';
import { isJsonObject } from '../../core/json-value.ts';
import type { CommittedOperation, Lookup } from '../connector.ts';
import { parseKeptJson } from '../kept-json.ts';
import type { Cancellation, ToolCallOutcome, ToolServers } from '../tool-servers.ts';

/** Nothing that is not an answer settles anything. */
export async function lookUpOperation(
  servers: ToolServers,
  operation: CommittedOperation,
  lookup: Lookup,
): Promise<LookupFinding> {
  const { contract, key } = lookup;
  const { reconcile: rule, params } = contract;
  if (rule === undefined) return unclear('there is no tool to ask');
  const call = parseKeptJson(operation.call)?.value;
  const args = isJsonObject(call)
    ? lookupArguments(rule, { key, opId: operation.opId, call, params })
    : undefined;
  if (args === undefined) return unclear('a value to ask with was not sent');
  const outcome = await ask(servers, rule, {
    argumentsText: JSON.stringify(args),
    timeoutMs: lookup.timeoutMs,
  });
  if (outcome.kind !== 'result') return unclear(reasonOf(outcome));
  return judgeLookup(rule, { key, scale: scaleOf(contract) }, outcome.result);
}

const unclear = (reason: string): LookupFinding => ({ kind: 'unclear', reason, isAlarm: false });

const scaleOf = ({ budgetParam, params }: Contract): number => {
  const charged = params.find(({ name }) => name === budgetParam);
  return charged === undefined ? 1 : unitsOf(charged);
};

/** A look-up may be given up at any time: it changes nothing. */
async function ask(
  servers: ToolServers,
  { server, tool }: LookupRule,
  { argumentsText, timeoutMs }: { readonly argumentsText: string; readonly timeoutMs: number },
): Promise<ToolCallOutcome> {
  const cancellation: Cancellation = { isCancelled: false, onCancel: undefined };
  const timer = setTimeout(() => {
    Object.assign(cancellation, { isCancelled: true });
    cancellation.onCancel?.();
  }, timeoutMs);
  try {
    return await servers.call({
      server,
      tool,
      argumentsText,
      meta: undefined,
      onProgress: undefined,
      cancellation,
    });
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(outcome: Exclude<ToolCallOutcome, { readonly kind: 'result' }>): string {
  switch (outcome.kind) {
    case 'error':
      return `the tool that is asked answered with error ${outcome.error.code}`;
    case 'not_sent':
    case 'lost':
      return `the tool that is asked: ${outcome.reason}`;
    case 'cancelled':
      return 'the tool that is asked did not answer in time';
  }
}
