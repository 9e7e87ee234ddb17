// The preimage of an operation, from its resolved values and what it is bound to.
import { seatsOf } from '../checks/quorum.ts';
import type { Level, ResolvedValue } from '../decision.ts';
import type { ParamFact } from '../facts.ts';
import type { OperationPreimage, PreimageOrigin, PreimageValue } from '../operation-preimage.ts';
import { parsePreimage } from '../operation-preimage.ts';
import type { ProposalDraft } from './proposal-draft.ts';

/** Path under which all undeclared arguments stand as one JSON text. */
export const restPath = '_rest';

const encoder = new TextEncoder();

/** What a decision adds to the draft. */
export interface PreimageTerms {
  readonly level: Level;
  readonly expiresS: number;
  readonly values: readonly ResolvedValue[];
  readonly params: readonly ParamFact[];
}

/** One value for every argument, critical or not. Keys stand in canonical order: nothing is sorted later. */
export function buildPreimage(draft: ProposalDraft, terms: PreimageTerms): OperationPreimage {
  const { binding } = draft;
  const { values, origins } = valuesAndOrigins(draft, terms);
  return {
    action: draft.action,
    agent: binding.agent,
    contract: binding.contractDigest,
    expires: terms.expiresS,
    gateway: binding.gateway,
    level: terms.level,
    mandate: { chain: binding.mandateHash, hash: binding.mandateHash, id: draft.mandateId },
    nonce: draft.nonce,
    op_id: draft.opId,
    origins,
    policy: { cedar: binding.policyEngine, schema: binding.policySchema, set: binding.policySet },
    principal: binding.principal,
    quorum: quorumOf(terms.level, draft),
    target: {
      connector: binding.connector,
      definition: binding.definition,
      server: binding.server,
      version: binding.connectorVersion,
    },
    v: 1,
    values,
  };
}

interface ValueEntry {
  readonly path: string;
  readonly value: PreimageValue;
  readonly origin: PreimageOrigin;
}

function valuesAndOrigins(
  draft: ProposalDraft,
  { values, params }: PreimageTerms,
): Pick<OperationPreimage, 'values' | 'origins'> {
  const types = new Map(params.map((fact) => [fact.param.name, fact.param.type]));
  const entries: ValueEntry[] = values.map((value) => ({
    path: value.path,
    value: { type: types.get(value.param) ?? 'string', value: value.canonical },
    origin: {
      record: value.recordId ?? null,
      source: value.source === '' ? 'untrusted' : value.source,
      version: value.recordVersion ?? null,
    },
  }));
  if (draft.rest !== undefined) {
    const origin = { record: null, source: 'untrusted', version: null };
    entries.push({ path: restPath, value: { type: 'json', value: draft.rest }, origin });
  }
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    values: Object.fromEntries(entries.map(({ path, value }) => [path, value])),
    origins: Object.fromEntries(entries.map(({ path, origin }) => [path, origin])),
  };
}

function quorumOf(
  level: Level,
  { binding: { principal }, approvalTerms }: ProposalDraft,
): OperationPreimage['quorum'] {
  if (level === 0) return { count: 0, exclude: [], include_user: false, persons: [], roles: [] };
  const { count, roles, exclude, includeUser, soloWaitMs } = approvalTerms[level];
  const isAlone = level === 1 || soloWaitMs !== undefined;
  return {
    count: soloWaitMs === undefined ? (isAlone ? 1 : count) : 2,
    exclude: isAlone ? [] : [principal, ...exclude],
    include_user: !isAlone && includeUser,
    persons: isAlone ? [principal] : [],
    roles: isAlone ? [] : seatsOf({ count, roles }),
  };
}

/** Names of the fields in which a stored preimage differs from what would be built now. */
export function changedFields(storedText: string, now: OperationPreimage): readonly string[] {
  const parsed = parsePreimage(encoder.encode(storedText));
  if (!parsed.ok) return ['preimage'];
  const stored = parsed.value as unknown as Readonly<Record<string, unknown>>;
  const current = now as unknown as Readonly<Record<string, unknown>>;
  const own = new Set(['op_id', 'nonce', 'expires', 'level', 'quorum']);
  return Object.keys(current).filter(
    (field) =>
      !own.has(field) &&
      JSON.stringify(sorted(stored[field])) !== JSON.stringify(sorted(current[field])),
  );
}

/** Key order must not count as a change. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [key, sorted(part)]);
}
