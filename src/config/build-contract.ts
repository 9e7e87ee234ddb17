// `[[tools]]` entries become contracts; what can never work is refused here, not at a call.
import type { Contract, ParamContract } from '../core/contract.ts';
import { type BuildContext, type Registries, reporter } from './build-context.ts';
import { idempotencyTerms, lookupRule } from './build-lookup.ts';
import { buildParam } from './build-param.ts';
import { checkContract } from './check-contract.ts';
import { checkLookups, checkRepeats } from './check-repeats.ts';
import { checkTwins } from './check-twins.ts';
import { contractDigest } from './contract-digest.ts';
import type { FileShape, ToolShape } from './file-shape.ts';
import { given } from './given.ts';

/** After a success, the same call asks for 120 s. */
const duplicateWindowDefaultMs = 120_000;

export function buildContracts(shape: FileShape, context: BuildContext): readonly Contract[] {
  const servers = shape.servers.map((server) => server.name);
  const registries: Registries = new Set(Object.keys(shape.registries ?? {}));
  const contracts = (shape.tools ?? []).map((tool, index) => {
    const report = reporter(context, ['tools', index]);
    const params = Object.entries(tool.params ?? {}).map(([name, param]) =>
      buildParam(name, param, {
        tool,
        registries,
        report: (path, message) => report(['params', name, ...path], message),
      }),
    );
    const contract = contractOf(tool, params, servers);
    checkContract(tool, contract, { servers, report });
    checkRepeats(tool, contract, report);
    return { ...contract, digest: contractDigest(contract) };
  });
  checkTwins(contracts, reporter(context, ['tools']));
  checkLookups(contracts, reporter(context, ['tools']));
  return contracts;
}

function contractOf(
  tool: ToolShape,
  params: readonly ParamContract[],
  servers: readonly string[],
): Omit<Contract, 'digest'> {
  const action = tool.action ?? `${tool.server}.${tool.tool}`;
  return {
    action,
    server: tool.server,
    tool: tool.tool,
    when: tool.when ?? {},
    params,
    undeclared: tool.undeclared ?? 'entities',
    onUnknown: tool.on_unknown ?? 'ask',
    effect: tool.effect ?? 'write',
    levelFloor: tool.level_floor ?? 0,
    scope: tool.scope ?? action,
    volatile: tool.volatile ?? [],
    duplicateWindowMs: tool.duplicate_window ?? duplicateWindowDefaultMs,
    toolError: tool.tool_error ?? 'unknown',
    expect: tool.expect ?? {},
    confirm: tool.confirm ?? 'any',
    ...given({
      idempotency: idempotencyTerms(tool),
      reconcile: lookupRule(tool, servers),
      once: tool.once,
      budgetParam: tool.budget_param,
      success: tool.success,
      sentence: tool.sentence,
      description: tool.description,
    }),
  };
}
