// The texts of `sources`: where a critical value may come from.
import type { SourceRef } from '../core/contract.ts';
import type { Registries, Report } from './build-context.ts';
import { hint } from './nearest-key.ts';

const laterKinds = ['session', 'derived', 'handle'];
const forms =
  'write mandate:<claim>, registry:<name>, registry:<name>.<field>, request or const:<value>';

/** Undefined when the text names no source; it is reported then. */
export function readSource(
  text: string,
  index: number,
  context: { readonly registries: Registries; readonly report: Report },
): SourceRef | undefined {
  const source = parseSource(text, context.registries);
  if (typeof source !== 'string') return source;
  context.report(['sources', index], source);
  return undefined;
}

/** The source, or what is wrong with it. */
function parseSource(text: string, registries: Registries): SourceRef | string {
  const [, kind = '', name = ''] = /^([a-z]+):(.+)$/s.exec(text) ?? [];
  if (text === 'request') return { kind: 'request', name: text };
  if (kind === 'const') return { kind, name: text, value: name };
  if (kind === 'mandate') return { kind, name: text, claim: name };
  if (kind === 'registry') return registrySource(text, name, registries);
  if (laterKinds.includes(kind) || laterKinds.includes(text)) {
    return `the source \`${text}\` is not available in this version`;
  }
  return `the source \`${text}\` is unknown: ${forms}`;
}

/** Names of registries may hold dots: a registry of the whole name comes before a field of a shorter one. */
function registrySource(text: string, name: string, registries: Registries): SourceRef | string {
  if (registries.has(name)) return { kind: 'registry', name: text, registry: name };
  const owner = [...registries]
    .filter((known) => name.startsWith(`${known}.`))
    .toSorted((a, b) => b.length - a.length)[0];
  if (owner === undefined) {
    const [registry = ''] = name.split('.');
    const near = hint(registry, [...registries]);
    return `the source \`${text}\` names no registry: add [registries.${registry}]${near}`;
  }
  const field = name.slice(owner.length + 1);
  return field === ''
    ? `the source \`${text}\` names no field: ${forms}`
    : { kind: 'registry', name: text, registry: owner, field };
}
