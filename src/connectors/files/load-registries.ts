// All file registries of a configuration, or what is wrong with them.
import type { Log } from '../log.ts';
import type { Registry } from '../registry.ts';
import { FileRegistry } from './file-registry.ts';
import type { RecordReading } from './index-records.ts';

/** One registry as the configuration has it. */
export interface RegistrySettings extends Omit<RecordReading, 'principal' | 'fileTimeMs'> {
  readonly name: string;
  readonly file: string;
  readonly format: 'json' | 'csv';
  readonly listable: boolean;
  readonly maxAgeMs: number | undefined;
}

export interface RegistryProblem {
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

export interface LoadedRegistries {
  readonly registries: ReadonlyMap<string, Registry>;
  readonly problems: readonly RegistryProblem[];
  readonly warnings: readonly string[];
}

/** A registry without an owner belongs to this principal alone. */
export function loadRegistries(
  settings: readonly RegistrySettings[],
  context: { readonly principal: string; readonly nowMs: () => number; readonly log: Log },
): LoadedRegistries {
  const { principal, nowMs, log } = context;
  const loaded = settings.map((each) => {
    const { name, file, format, listable, maxAgeMs, ...reading } = each;
    return { file, registry: new FileRegistry({ name, file, format, listable, maxAgeMs, nowMs, log, reading: { ...reading, principal } }) };
  });
  return {
    registries: new Map(loaded.map(({ registry }) => [registry.name, registry])),
    problems: loaded.flatMap(({ file, registry }) => (registry.problem === undefined ? [] : [{ file, ...pick(registry.problem) }])),
    warnings: loaded.flatMap(({ registry }) => registry.warnings.map((warning) => `registry \`${registry.name}\`: ${warning}`)),
  };
}

const pick = ({ message, line }: { readonly message: string; readonly line?: number }): { message: string; line?: number } =>
  line === undefined ? { message } : { message, line };
