// Stage provenance: every critical value equals a trusted one, whose own spelling replaces it.
import type { Failure, Origin, ResolvedValue } from '../decision.ts';
import type {
  CallFact,
  Candidate,
  CriticalValue,
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

/** A matched source with the one candidate that explains the value. */
interface Match {
  readonly finding: SourceFinding;
  readonly candidate: Candidate;
  /** Other records with the same canonical value; they matter where the record's identity is used. */
  readonly others: readonly Candidate[];
}

/** Resolves every parameter of the call; texts with unknown entities fail only where the contract denies. */
export function resolveCall(call: ReadCall): Resolution {
  const values: ResolvedValue[] = [];
  const failures: Failure[] = [];
  const selected = new Map<string, string>();
  for (const fact of inRecordOrder(call.params)) resolveParam(fact, selected, { values, failures });
  if (failures.length === 0) failures.push(...duplicates(values, call.params));
  failures.push(...call.texts.flatMap(textFailures));
  return { values: inCallOrder(values, call.params), failures };
}

/** A parameter bound to the record of another one is resolved after it. */
function inRecordOrder(params: readonly ParamFact[]): readonly ParamFact[] {
  const bound = params.filter((fact) => fact.param.record !== undefined);
  if (bound.length === 0) return params;
  return [...params.filter((fact) => fact.param.record === undefined), ...bound];
}

function inCallOrder(
  values: readonly ResolvedValue[],
  params: readonly ParamFact[],
): readonly ResolvedValue[] {
  if (params.every((fact) => fact.param.record === undefined)) return values;
  const order = new Map(params.map((fact, index) => [fact.param.name, index]));
  return values.toSorted((a, b) => (order.get(a.param) ?? 0) - (order.get(b.param) ?? 0));
}

function resolveParam(
  fact: ParamFact,
  selected: Map<string, string>,
  out: { readonly values: ResolvedValue[]; readonly failures: Failure[] },
): void {
  for (const free of fact.free) out.values.push(freeValue(fact.param.name, free));
  for (const value of fact.critical) {
    const result = resolveValue(fact, value, selected);
    if ('code' in result) out.failures.push(result);
    else out.values.push(result);
  }
}

/** The same recipient twice in one list is refused: it would be sent twice. */
function duplicates(
  values: readonly ResolvedValue[],
  params: readonly ParamFact[],
): readonly Failure[] {
  const lists = new Set(params.filter((fact) => fact.critical.length > 1).map((fact) => fact.param.name));
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

function freeValue(param: string, free: ParamFact['free'][number]): ResolvedValue {
  return {
    param,
    path: free.path,
    canonical: free.canonical,
    display: free.display,
    send: free.send,
    replaced: false,
    source: '',
    origin: 'untrusted',
    warnings: [],
  };
}

function resolveValue(
  fact: ParamFact,
  value: CriticalValue,
  selected: Map<string, string>,
): ResolvedValue | Failure {
  const match = firstMatch(value, requiredRecord(fact, selected));
  if (match === undefined) return explainMiss(fact, value, selected);
  if (match.others.length > 0 && usesIdentity(fact, match))
    return fail('PROVENANCE_AMBIGUOUS', value);
  if (match.candidate.stale) return fail('PROVENANCE_STALE', value);
  selected.set(fact.param.name, match.candidate.recordId);
  return resolvedValue(fact, value, match);
}

/** The record this value must come from, or undefined when it is bound to none. */
function requiredRecord(fact: ParamFact, selected: Map<string, string>): string | undefined {
  if (fact.param.record === undefined) return undefined;
  return selected.get(fact.param.record) ?? '';
}

/** Sources in the order of the contract; the first that explains the value wins. The value itself is tried before a reference. */
function firstMatch(value: CriticalValue, record: string | undefined): Match | undefined {
  for (const finding of value.findings) {
    const ofRecord = (candidate: Candidate): boolean =>
      record === undefined || candidate.recordId === record;
    const byValue = finding.byValue.filter(ofRecord);
    const hits = byValue.length > 0 ? byValue : finding.byReference.filter(ofRecord);
    const [candidate, ...others] = hits;
    if (candidate !== undefined) return { finding, candidate, others };
  }
  return undefined;
}

/** Two records with one canonical value differ in use when their spellings do or a record is selected by it. */
function usesIdentity(fact: ParamFact, match: Match): boolean {
  const byReference = match.finding.byReference.includes(match.candidate);
  const sameSpelling = match.others.every((other) => other.own === match.candidate.own);
  return byReference || !sameSpelling || fact.param.record !== undefined;
}

function resolvedValue(fact: ParamFact, value: CriticalValue, match: Match): ResolvedValue {
  const { candidate, finding } = match;
  const warnings = value.normalised.ok ? value.normalised.warnings : [];
  return {
    param: fact.param.name,
    path: value.path,
    canonical: candidate.canonical,
    display: candidate.display,
    send: candidate.own,
    replaced: true,
    source: finding.source,
    origin: finding.origin satisfies Origin,
    recordId: candidate.recordId,
    recordVersion: candidate.version,
    ...(candidate.changedAtMs === undefined ? {} : { recordChangedAtMs: candidate.changedAtMs }),
    warnings,
  };
}

/** A lookalike outranks everything; then a source that could not be asked; then the plain miss. */
function explainMiss(
  fact: ParamFact,
  value: CriticalValue,
  selected: Map<string, string>,
): Failure {
  if (value.findings.some((finding) => finding.lookalike))
    return fail('PROVENANCE_LOOKALIKE', value);
  if (fact.param.record !== undefined && firstMatch(value, undefined) !== undefined) {
    return recordMismatch(fact, value, selected);
  }
  const down = value.findings.filter((finding) => finding.status === 'unavailable');
  if (down.length > 0) {
    return {
      ...fail('PROVENANCE_SOURCE_UNAVAILABLE', value),
      triedSources: down.map((f) => f.source),
    };
  }
  return untrusted(value);
}

function recordMismatch(
  fact: ParamFact,
  value: CriticalValue,
  selected: Map<string, string>,
): Failure {
  const record = fact.param.record ?? '';
  const detail = selected.has(record) ? record : `${record} was not resolved`;
  return { ...fail('PROVENANCE_RECORD_MISMATCH', value), detail };
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

/** Secrets always fail; other entities fail where the contract says deny. */
function textFailures(text: TextFact): readonly Failure[] {
  if (text.secret) return [{ code: 'PROVENANCE_TEXT_ENTITY', path: text.path, detail: 'secret' }];
  if (text.onUnknown === 'ask' || text.unknown.length === 0) return [];
  return text.unknown.map((entity) => ({
    code: 'PROVENANCE_TEXT_ENTITY',
    path: text.path,
    detail: entity.kind,
    given: entity.text,
  }));
}
