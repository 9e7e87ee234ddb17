// All file registries of a configuration, or what is wrong with them.
import type { LoadedRegistries, LoadRegistries } from '../load-registries.ts';
import { FileRegistry } from './file-registry.ts';

export const loadRegistries: LoadRegistries = (settings, context): LoadedRegistries => {
  const loaded = settings.map((each) => ({
    file: each.file,
    registry: new FileRegistry(each, context),
  }));
  return {
    registries: new Map(loaded.map(({ registry }) => [registry.name, registry])),
    problems: loaded.flatMap(({ file, registry: { name, problem } }) =>
      problem === undefined ? [] : [{ registry: name, file, ...problem }],
    ),
    warnings: loaded.flatMap(({ registry: { name, warnings } }) =>
      warnings.map((warning) => `registry \`${name}\`: ${warning}`),
    ),
  };
};
