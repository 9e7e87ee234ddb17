// The parts of a configuration that can be wrong: policies and registries. Loaded before anything starts.
import type { Config, ConfigProblem } from '../config/config.ts';
import type { LoadRegistries, RegistryProblem } from '../connectors/load-registries.ts';
import type { Log } from '../connectors/log.ts';
import type { Registry } from '../connectors/registry.ts';
import type { Contract, ParamContract } from '../core/contract.ts';
import type {
  LoadPolicy,
  PolicyActionShape,
  PolicyEngine,
  PolicyParamType,
} from '../policy/policy-engine.ts';

/** Adapters as the composer picked them. */
export interface PartLoaders {
  readonly loadPolicy: LoadPolicy;
  readonly loadRegistries: LoadRegistries;
}

export interface LoadedParts {
  readonly policy: PolicyEngine;
  readonly registries: ReadonlyMap<string, Registry>;
  readonly warnings: readonly string[];
}

/** Everything that is wrong, or the parts. */
export function loadParts(
  config: Config,
  loaders: PartLoaders,
  context: { readonly nowMs: () => number; readonly log: Log },
): { readonly problems: readonly ConfigProblem[]; readonly parts: LoadedParts | undefined } {
  const policy = loaders.loadPolicy({
    files: config.policies,
    actions: policyActions(config.contracts),
  });
  const registries = loaders.loadRegistries(config.registries, {
    ...context,
    principal: config.mandate.principal,
  });
  const problems: readonly ConfigProblem[] = [
    ...(policy.ok ? [] : policy.error),
    ...registries.problems.map((problem) => registryProblem(config, problem)),
  ];
  if (!policy.ok || problems.length > 0) return { problems, parts: undefined };
  return {
    problems,
    parts: {
      policy: policy.value,
      registries: registries.registries,
      warnings: registries.warnings,
    },
  };
}

/** A line of the registry's own file stands there; anything else is told at the key that names the file. */
function registryProblem(
  config: Config,
  { registry, file, line, message }: RegistryProblem,
): ConfigProblem {
  if (line !== undefined) return { file, line, message: `registry \`${registry}\` ${message}` };
  const place = config.placeOf(['registries', registry, 'file']);
  return { ...place, message: `\`${file}\` ${message}` };
}

/** Contracts as policies see them; list and object parameters stay out of their sight. */
function policyActions(contracts: readonly Contract[]): readonly PolicyActionShape[] {
  return contracts.map((contract) => ({
    action: contract.action,
    server: contract.server,
    params: contract.params.flatMap((param) => {
      const type = policyType(param);
      return type === undefined ? [] : [{ name: param.name, type, optional: param.optional }];
    }),
  }));
}

function policyType(param: ParamContract): PolicyParamType | undefined {
  if (param.type === 'list' || param.type === 'object') return undefined;
  const isMany = param.each || param.path.some((step) => step.kind === 'each');
  if (param.type === 'boolean') return isMany ? undefined : 'boolean';
  const isNumber = param.type === 'integer' || param.type === 'number' || param.type === 'money';
  if (isMany) return isNumber ? 'long-set' : 'string-set';
  return isNumber ? 'long' : 'string';
}
