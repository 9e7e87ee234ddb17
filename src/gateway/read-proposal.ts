// A tool call becomes a call fact: contract chosen, arguments read, values looked up, texts examined.

import { budgetCurrency } from '../core/checks/budget-amount.ts';
import type { JsonFaultCode } from '../core/checks/json-reader.ts';
import { resolveCall } from '../core/checks/provenance.ts';
import { type ReadCall, readCall } from '../core/checks/read-call.ts';
import { readReference } from '../core/checks/reference.ts';
import { argumentLimits, checkArgumentTree } from '../core/checks/strict-json.ts';
import type { Contract } from '../core/contract.ts';
import type { ResolvedValue } from '../core/decision.ts';
import type { CallFact, CallFault, ParamFact } from '../core/facts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';
import { examineTexts } from './examine-texts.ts';
import type { ToolCall } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { withoutKey, withSampleKey } from './key-argument.ts';
import { lookUp } from './look-up.ts';
import { resolveArguments, type Steps } from './resolve-arguments.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** A proposal as far as it could be read. `resolved` is present when every value is trusted. */
export interface ReadProposal {
  readonly contract: Contract | undefined;
  readonly definition: ToolDefinition;
  readonly call: CallFact;
  readonly resolved: ResolvedCall | undefined;
}

/** The call with trusted values in place. */
export interface ResolvedCall {
  readonly values: readonly ResolvedValue[];
  /** What would be sent. */
  readonly args: JsonObject;
  readonly rest: JsonObject;
}

const noArguments: JsonObject = Object.freeze(Object.create(null)) as JsonObject;

/** Everything that can be known of the call before the store is asked. */
export function readProposal(call: ToolCall, parts: GatewayParts, tenant: string): ReadProposal {
  const definition = parts.definitionOf(call.server, call.tool);
  const args = call.args === undefined || call.args === null ? noArguments : call.args;
  if (!isJsonObject(args)) {
    return unread(definition, undefined, [
      { code: 'CONTRACT_TYPE', path: 'arguments', expected: 'an object' },
    ]);
  }
  const contract = selectContract(parts, call, args);
  if (contract === undefined)
    return unread(definition, undefined, [{ code: 'CONTRACT_UNKNOWN_ACTION' }]);
  const fault = findFault(definition, args);
  if (fault !== undefined) return unread(definition, contract, fault);
  const own = withoutKey(contract, args);
  return readArguments({ contract, definition, args: own, parts, tenant });
}

function unread(
  definition: ToolDefinition,
  contract: Contract | undefined,
  faults: readonly CallFault[],
): ReadProposal {
  return { contract, definition, call: unreadable(faults), resolved: undefined };
}

function unreadable(faults: readonly CallFault[]): CallFact {
  const [first, ...rest] = faults;
  return { kind: 'unreadable', faults: [first ?? { code: 'CONTRACT_INVALID' }, ...rest] };
}

/** One tool may run several acts: the first entry whose literal values the call carries. */
function selectContract(
  parts: GatewayParts,
  call: ToolCall,
  args: JsonObject,
): Contract | undefined {
  const entries = parts.contracts.get(`${call.server}\0${call.tool}`) ?? [];
  return entries.find((contract) =>
    Object.entries(contract.when).every(([key, value]) => args[key] === value),
  );
}

const faultCodes: Readonly<Record<string, CallFault['code']>> = {
  json_too_large: 'CONTRACT_TOO_LARGE',
  json_depth: 'CONTRACT_TOO_LARGE',
  json_keys: 'CONTRACT_TOO_LARGE',
  json_nodes: 'CONTRACT_TOO_LARGE',
};

/** What the agent has to send instead. */
const treeFixes: Readonly<Partial<Record<JsonFaultCode, string>>> = {
  json_too_large: `at most ${argumentLimits.sizeMaxBytes} bytes of arguments`,
  json_depth: `at most ${argumentLimits.depthMax} levels of nesting`,
  json_keys: `at most ${argumentLimits.keysMax} keys in one object`,
  json_nodes: `at most ${argumentLimits.nodesMax} values in all`,
  json_forbidden_key: 'a key other than __proto__, constructor and prototype',
  json_surrogate: 'text of whole Unicode characters',
  json_number:
    'a number without exponent: an integer up to 9007199254740991 or at most 15 digits, not -0',
};

function findFault(definition: ToolDefinition, args: JsonObject): readonly CallFault[] | undefined {
  if (definition.kind === 'changed') return [{ code: 'CONTRACT_TOOL_CHANGED' }];
  const fault = checkArgumentTree(args);
  if (fault === undefined) return undefined;
  const code = faultCodes[fault.code] ?? 'CONTRACT_INVALID';
  const path = fault.path === '' ? 'arguments' : fault.path;
  const expected = treeFixes[fault.code];
  return [{ code, path, detail: fault.code, ...(expected === undefined ? {} : { expected }) }];
}

interface Reading {
  readonly contract: Contract;
  readonly definition: ToolDefinition;
  readonly args: JsonObject;
  readonly parts: GatewayParts;
  readonly tenant: string;
}

function readArguments(reading: Reading): ReadProposal {
  const { contract, definition, args, parts, tenant } = reading;
  const isKnown = definition.kind === 'current' ? definition.isKnown : (): boolean => false;
  const { faults, call } = readCall(contract, args, isKnown);
  const all = faults.length > 0 ? faults : schemaFaults(reading, call);
  if (all.length > 0) return unread(definition, contract, all);
  const params = call.params.map(
    (read): ParamFact => ({
      param: read.param,
      critical: read.critical.map((found) => lookUp(read.param, found, { parts, tenant })),
      free: read.free,
    }),
  );
  const texts = examineTexts({ contract, call, parts, tenant });
  const fact: CallFact = {
    kind: 'read',
    contract,
    params,
    texts,
    ...(call.amount === undefined ? {} : { amount: call.amount, ...budgetCurrency(contract) }),
  };
  return { contract, definition, call: fact, resolved: resolve(fact, call, args) };
}

function resolve(
  fact: Extract<CallFact, { kind: 'read' }>,
  call: ReadCall,
  args: JsonObject,
): ResolvedCall | undefined {
  const { values, failures } = resolveCall(fact);
  if (failures.length > 0) return undefined;
  const steps = new Map<string, Steps>(
    call.params.flatMap((read) => read.critical.map((found) => [found.path, found.steps])),
  );
  return { values, args: resolveArguments(args, values, steps), rest: call.rest };
}

/** The tool's own schema; a reference stands for a value of the right form. */
function schemaFaults(
  { definition, contract, args }: Reading,
  call: ReadCall,
): readonly CallFault[] {
  if (definition.kind !== 'current') return [];
  const { idempotency } = contract;
  if (idempotency !== undefined && !definition.isKnown([idempotency.argument])) {
    // A key that the tool does not know protects nobody.
    return [{ code: 'CONTRACT_UNEXPECTED_VALUE', path: idempotency.argument }];
  }
  const references = new Set(
    call.params.flatMap((read) =>
      read.critical
        .filter((found) => readReference(found.value) !== undefined)
        .map((found) => found.path),
    ),
  );
  return definition
    .validate(withSampleKey(contract, args) satisfies JsonValue)
    .filter((fault) => !references.has(fault.path))
    .map((fault) => ({ code: 'CONTRACT_TYPE', path: fault.path, expected: fault.message }));
}
