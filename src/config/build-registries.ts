// `[registries.NAME]`: files of trusted records, and how their values are read.
import { extname, resolve } from 'node:path';
import { normalisers } from '../core/checks/normalisers.ts';
import type { Contract, ParamContract, ValueReading } from '../core/contract.ts';
import { type BuildContext, type Report, reporter } from './build-context.ts';
import { unknownNormaliser } from './check-param.ts';
import type { OwnerRule, RegistryConfig, RegistryReading } from './config.ts';
import type { FileShape, RegistryShape } from './file-shape.ts';
import { mergeReadings } from './merge-readings.ts';

export function buildRegistries(
  shape: FileShape,
  contracts: readonly Contract[],
  context: BuildContext,
): readonly RegistryConfig[] {
  const params = contracts.flatMap((contract) => contract.params);
  return Object.entries(shape.registries ?? {}).map(([name, registry]) => {
    const report = reporter(context, ['registries', name]);
    checkNormalisers(registry, report);
    return {
      name,
      file: resolve(context.folder, registry.file),
      format: formatOf(registry.file, report),
      reading: {
        own: readingOf(undefined, { name, registry, params, report }),
        value: registry.value,
        fields: fieldReadings({ name, registry, params, report }),
        alias: registry.alias ?? [],
        owner: ownerOf(registry.owner),
      },
      listable: registry.listable ?? false,
      maxAgeMs: registry.max_age,
    };
  });
}

function formatOf(file: string, report: Report): RegistryConfig['format'] {
  const extension = extname(file).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (extension !== '.json')
    report(['file'], `\`${file}\` is neither .json nor .csv: name such a file`);
  return 'json';
}

function checkNormalisers({ normalize, fields = {} }: RegistryShape, report: Report): void {
  if (normalize !== undefined && !normalisers.has(normalize)) {
    report(['normalize'], unknownNormaliser(normalize));
  }
  for (const [field, settings] of Object.entries(fields)) {
    if (settings.normalize === undefined || normalisers.has(settings.normalize)) continue;
    report(['fields', field, 'normalize'], unknownNormaliser(settings.normalize));
  }
}

interface Using {
  readonly name: string;
  readonly registry: RegistryShape;
  readonly params: readonly ParamContract[];
  readonly report: Report;
}

/** Fields that the file declares, and those that a source names. */
function fieldReadings(using: Using): RegistryReading['fields'] {
  const named = using.params.flatMap((param) =>
    param.sources.flatMap((source) =>
      source.kind === 'registry' && source.registry === using.name ? (source.field ?? []) : [],
    ),
  );
  const fields = new Set([...named, ...Object.keys(using.registry.fields ?? {})]);
  return Object.fromEntries([...fields].map((field) => [field, readingOf(field, using)]));
}

/**
 * A value is read as its users read it. The record's own value is compared exactly unless the
 * registry itself names a normaliser; a field is normalised as its users do unless it names one.
 */
function readingOf(
  field: string | undefined,
  { name, registry, params, report }: Using,
): ValueReading {
  const users = params.filter((param) =>
    param.sources.some(
      (source) => source.kind === 'registry' && source.registry === name && source.field === field,
    ),
  );
  const own = field === undefined ? registry.normalize : registry.fields?.[field]?.normalize;
  const path = field === undefined ? [] : ['fields', field];
  return mergeReadings(users, {
    normalize: own,
    isExactByDefault: field === undefined,
    report: (message) => report(path, message),
  });
}

function ownerOf(owner: string | undefined): OwnerRule {
  if (owner === undefined) return { kind: 'principal' };
  return owner === '*' ? { kind: 'everyone' } : { kind: 'field', field: owner };
}
