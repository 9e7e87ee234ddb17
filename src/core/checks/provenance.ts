// Stage provenance: every critical value equals a trusted one, whose own spelling replaces it.
import type { Contract, ParamContract } from '../contract.ts';
import type { Failure, ResolvedValue } from '../decision.ts';
import type {
  CallFact,
  Candidate,
  CriticalValue,
  FreeValue,
  ParamFact,
  SourceFinding,
  TextFact,
} from '../facts.ts';

/** All values resolved, or every failure of the call in argument order. */
export interface Resolution {
  readonly values: readonly ResolvedValue[];
  readonly failures: readonly Failure[];
}

type ReadCall = Extract<CallFact, { kind: 'read' }>;
type Outcome = ResolvedValue | Failure;

/** The record that a parameter came from, for those bound to it: a record id means nothing without its registry. */
type Selected = Map<string, { readonly registry: string; readonly recordId: string }>;

/** A matched source with the one candidate that explains the value. */
interface Match {
  readonly finding: SourceFinding;
  readonly candidate: Candidate;
  /** Other records that fit as well; they matter where the record's identity is used. */
  readonly others: readonly Candidate[];
}

/** One fact is asked for several times on its way to a decision, and facts never change. */
const resolutions = new WeakMap<ReadCall, Resolution>();

/** Resolves every parameter of the call; texts with unknown entities fail only where the contract denies. */
export function resolveCall(call: ReadCall): Resolution {
  const known = resolutions.get(call);
  if (known !== undefined) return known;
  const resolution = resolve(call);
  resolutions.set(call, resolution);
  return resolution;
}

function resolve(call: ReadCall): Resolution {
  const selected: Selected = new Map();
  const outcomes = new Map<ParamFact, readonly Outcome[]>();
  for (const fact of selectorsFirst(call.params)) {
    outcomes.set(fact, resolveParam({ fact, contract: call.contract, selected }));
  }
  const inCallOrder = call.params.flatMap((fact) => outcomes.get(fact) as readonly Outcome[]);
  const values = inCallOrder.filter((outcome) => !isFailure(outcome)) as readonly ResolvedValue[];
  const unresolved = inCallOrder.filter(isFailure);
  const failures = unresolved.length > 0 ? unresolved : duplicates(values, call.params);
  return { values, failures: [...failures, ...call.texts.flatMap(textFailures)] };
}

const isFailure = (outcome: Outcome): outcome is Failure => 'code' in outcome;

/** A parameter bound to the record of another one is resolved after it. */
function selectorsFirst(params: readonly ParamFact[]): readonly ParamFact[] {
  const bound = params.filter(({ param }) => param.record !== undefined);
  if (bound.length === 0) return params;
  return [...params.filter(({ param }) => param.record === undefined), ...bound];
}

interface Resolving {
  readonly fact: ParamFact;
  readonly contract: Contract;
  readonly selected: Selected;
}

function resolveParam(resolving: Resolving): readonly Outcome[] {
  const { fact } = resolving;
  return [
    ...fact.free.map((free) => freeValue(fact.param, free)),
    ...fact.critical.map((value) => resolveValue(resolving, value)),
  ];
}

const freeValue = (param: ParamContract, free: FreeValue): ResolvedValue => ({
  param: param.name,
  ...free,
  replaced: false,
  byReference: false,
  source: '',
  origin: 'untrusted',
  warnings: [],
});

function resolveValue(resolving: Resolving, value: CriticalValue): Outcome {
  const { fact, selected } = resolving;
  const match = firstMatch(fact, value, isOfRecord(resolving));
  if (match === undefined) return explainMiss(resolving, value);
  if (match.others.length > 0 && usesIdentity(resolving, match)) {
    return fail('PROVENANCE_AMBIGUOUS', value);
  }
  if (match.candidate.stale) return fail('PROVENANCE_STALE', value);
  const { recordId } = match.candidate;
  selected.set(fact.param.name, { registry: registryOf(fact, match.finding), recordId });
  return resolvedValue(fact, value, match);
}

type IsOfRecord = (finding: SourceFinding, candidate: Candidate) => boolean;

/** Whether a candidate comes from the record that this parameter is bound to; nothing does when that record is not known. */
function isOfRecord({ fact, selected }: Resolving): IsOfRecord {
  if (fact.param.record === undefined) return () => true;
  const wanted = selected.get(fact.param.record);
  return (finding, candidate) =>
    wanted !== undefined &&
    candidate.recordId === wanted.recordId &&
    registryOf(fact, finding) === wanted.registry;
}

/** The registry behind a finding; other sources stand for themselves. */
function registryOf({ param }: ParamFact, { source }: SourceFinding): string {
  const ref = param.sources.find(({ name }) => name === source);
  return ref?.kind === 'registry' ? ref.registry : source;
}

/** Sources in the order of the contract; the first that explains the value wins. The value itself is tried before a reference. */
function firstMatch(
  { param }: ParamFact,
  value: CriticalValue,
  isCandidate: IsOfRecord,
): Match | undefined {
  for (const finding of value.findings) {
    const fits = (candidate: Candidate): boolean =>
      typeof candidate.own === ownType(param) && isCandidate(finding, candidate);
    const byValue = finding.byValue.filter(fits);
    const [candidate, ...others] = byValue.length > 0 ? byValue : finding.byReference.filter(fits);
    if (candidate !== undefined) return { finding, candidate, others };
  }
  return undefined;
}

/** A record of another type is no value of this parameter: a tool that wants a text must not get a number. */
function ownType({ type }: ParamContract): 'number' | 'boolean' | 'string' {
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'string';
}

/** Several records that fit differ in use when one of them was named, their spellings differ, or another parameter is bound to the record. */
function usesIdentity({ fact, contract }: Resolving, match: Match): boolean {
  const { candidate, finding, others } = match;
  return (
    finding.byReference.includes(candidate) ||
    others.some((other) => other.own !== candidate.own) ||
    contract.params.some((param) => param.record === fact.param.name)
  );
}

function resolvedValue(fact: ParamFact, value: CriticalValue, match: Match): ResolvedValue {
  const { candidate, finding } = match;
  return {
    param: fact.param.name,
    path: value.path,
    canonical: candidate.canonical,
    display: candidate.display,
    send: candidate.own,
    replaced: true,
    byReference: finding.byReference.includes(candidate),
    source: finding.source,
    origin: finding.origin,
    recordId: candidate.recordId,
    recordVersion: candidate.version,
    ...(candidate.changedAtMs === undefined ? {} : { recordChangedAtMs: candidate.changedAtMs }),
    warnings: value.normalised.ok ? value.normalised.warnings : [],
  };
}

/** A lookalike outranks everything; then another record's value; then a source that could not be asked; then the plain miss. */
function explainMiss({ fact, selected }: Resolving, value: CriticalValue): Failure {
  if (value.findings.some((finding) => finding.lookalike)) {
    return fail('PROVENANCE_LOOKALIKE', value);
  }
  const { record } = fact.param;
  if (record !== undefined && firstMatch(fact, value, () => true) !== undefined) {
    const detail = selected.has(record) ? record : `${record} was not resolved`;
    return { ...fail('PROVENANCE_RECORD_MISMATCH', value), detail };
  }
  const down = value.findings.filter((finding) => finding.status === 'unavailable');
  if (down.length > 0) {
    const triedSources = down.map((finding) => finding.source);
    return { ...fail('PROVENANCE_SOURCE_UNAVAILABLE', value), triedSources };
  }
  return untrusted(value);
}

function untrusted(value: CriticalValue): Failure {
  const failure = fail('PROVENANCE_UNTRUSTED', value);
  if (value.normalised.ok) return failure;
  const { detail, hint } = value.normalised;
  return { ...failure, detail, ...(hint === undefined ? {} : { expected: hint }) };
}

function fail(code: Failure['code'], value: CriticalValue): Failure {
  return {
    code,
    path: value.path,
    ...(typeof value.given === 'string' ? { given: value.given } : {}),
    triedSources: value.findings.map((finding) => finding.source),
  };
}

/** The same recipient twice in one list is refused: it would be sent twice. */
function duplicates(
  values: readonly ResolvedValue[],
  params: readonly ParamFact[],
): readonly Failure[] {
  const lists = new Set(
    params.filter(({ critical }) => critical.length > 1).map(({ param }) => param.name),
  );
  const seen = new Map<string, string>();
  const failures: Failure[] = [];
  for (const { param, canonical, path } of values) {
    if (!lists.has(param)) continue;
    const key = JSON.stringify([param, canonical]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, path);
    else failures.push({ code: 'PROVENANCE_AMBIGUOUS', path, detail: `same as ${first}` });
  }
  return failures;
}

/** Secrets always fail; other entities fail where the contract says deny. */
function textFailures(text: TextFact): readonly Failure[] {
  if (text.secret) return [{ code: 'PROVENANCE_TEXT_ENTITY', path: text.path, detail: 'secret' }];
  if (text.onUnknown === 'ask') return [];
  return text.unknown.map((entity) => ({
    code: 'PROVENANCE_TEXT_ENTITY',
    path: text.path,
    detail: entity.kind,
    given: entity.text,
  }));
}
