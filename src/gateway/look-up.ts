// What the trusted sources know about one critical value.

import { type Canonical, canonicalOf } from '../core/checks/canonical-value.ts';
import { constantValue } from '../core/checks/constant-value.ts';
import type { FoundValue } from '../core/checks/find-values.ts';
import { type Reference, readReference } from '../core/checks/reference.ts';
import { requestLiterals } from '../core/checks/request-literals.ts';
import { lookalikeKey } from '../core/checks/skeleton.ts';
import type { ParamContract, SourceRef } from '../core/contract.ts';
import type { Candidate, CriticalValue, SourceFinding } from '../core/facts.ts';
import type { JsonValue } from '../core/json-value.ts';
import type { GatewayParts } from './gateway-parts.ts';

/** Where the lookups of one call happen. */
export interface LookUpContext {
  readonly parts: GatewayParts;
  readonly tenant: string;
}

/** Asks every source of the parameter, in their order. */
export function lookUp(
  param: ParamContract,
  found: FoundValue,
  context: LookUpContext,
): CriticalValue {
  const reference = readReference(found.value);
  const findings = param.sources.map((source) =>
    findInSource(source, { param, given: found.value, reference, context }),
  );
  const normalised = canonicalOf(found.value, param);
  return { path: found.path, given: found.value, normalised, findings };
}

interface Question {
  readonly param: ParamContract;
  readonly given: JsonValue;
  readonly reference: Reference | undefined;
  readonly context: LookUpContext;
}

function findInSource(source: SourceRef, question: Question): SourceFinding {
  switch (source.kind) {
    case 'registry':
      return findInRegistry(source, question);
    case 'mandate':
      return findInClaim(source, question);
    case 'request':
      return findInRequest(source, question);
    case 'const':
      return findConstant(source, question);
    default:
      return source satisfies never;
  }
}

function findInRegistry(
  source: Extract<SourceRef, { kind: 'registry' }>,
  { given, reference, context }: Question,
): SourceFinding {
  const registry = context.parts.registries.get(source.registry);
  const finding = { source: source.name, origin: 'system_of_record' } as const;
  if (registry?.ready !== true) {
    return { ...finding, status: 'unavailable', byValue: [], byReference: [], lookalike: false };
  }
  const query = { tenant: context.tenant, field: source.field };
  const canonical = canonicalOf(given, registry.readingOf(source.field));
  const byValue = canonical.ok ? registry.byValue(query, canonical.canonical) : [];
  const byReference = byValue.length > 0 ? [] : referenced(registry, query, reference);
  const isMiss = byValue.length === 0 && byReference.length === 0;
  const likeness = isMiss ? likenessOf(given) : undefined;
  const lookalike = likeness !== undefined && registry.hasLikeness(query, likeness);
  return { ...finding, status: 'ready', byValue, byReference, lookalike };
}

/** Longer texts are no lookalike of anything that a registry holds. */
const likenessLengthMax = 1_024;

function likenessOf(given: JsonValue): string | undefined {
  if (typeof given !== 'string' || given.length > likenessLengthMax) return undefined;
  return lookalikeKey(given);
}

type RegistryOf = NonNullable<ReturnType<GatewayParts['registries']['get']>>;

function referenced(
  registry: RegistryOf,
  query: Parameters<RegistryOf['byId']>[0],
  reference: Reference | undefined,
): readonly Candidate[] {
  if (reference === undefined) return [];
  if (reference.kind === 'name') return registry.byAlias(query, reference.text);
  const record = registry.byId(query, reference.text);
  return record === undefined ? [] : [record];
}

function findInClaim(
  source: Extract<SourceRef, { kind: 'mandate' }>,
  { param, given, context }: Question,
): SourceFinding {
  const finding = { source: source.name, origin: 'user_channel', status: 'ready' } as const;
  const index = context.parts.claims.find(source.claim, param);
  if (index === undefined) return { ...finding, byValue: [], byReference: [], lookalike: false };
  const canonical = canonicalOf(given, param);
  const byValue = canonical.ok ? index.byValue(canonical.canonical) : [];
  const likeness = byValue.length === 0 ? likenessOf(given) : undefined;
  const lookalike = likeness !== undefined && index.hasLikeness(likeness);
  return { ...finding, byValue, byReference: [], lookalike };
}

function findInRequest(
  source: Extract<SourceRef, { kind: 'request' }>,
  { param, given, context }: Question,
): SourceFinding {
  const canonical = canonicalOf(given, param);
  const { request } = context.parts;
  const own =
    request === undefined || !canonical.ok
      ? undefined
      : requestLiterals(request, param).get(canonical.canonical);
  return {
    source: source.name,
    origin: 'user_channel',
    status: 'ready',
    byValue: canonical.ok && own !== undefined ? [literal('request', canonical, own)] : [],
    byReference: [],
    lookalike: false,
  };
}

function findConstant(
  source: Extract<SourceRef, { kind: 'const' }>,
  { param, given }: Question,
): SourceFinding {
  const own = constantValue(source.value, param);
  const canonical = canonicalOf(given, param);
  const constant = canonicalOf(own, param);
  const hit = canonical.ok && constant.ok && canonical.canonical === constant.canonical;
  return {
    source: source.name,
    origin: 'user_channel',
    status: 'ready',
    byValue: hit ? [literal('const', canonical, own)] : [],
    byReference: [],
    lookalike: false,
  };
}

/** What is sent is the trusted side's own spelling, in the tool's own unit. */
const literal = (
  id: string,
  { canonical, display }: Extract<Canonical, { ok: true }>,
  own: string | number | boolean,
): Candidate => ({ canonical, display, own, recordId: id, version: '1', stale: false });
