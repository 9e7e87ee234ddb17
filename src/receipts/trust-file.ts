// What an auditor believes: a bare tlog-policy text, or JSON that holds one and says which steps
// of the verification must have been run.
import { parseStrictJson } from '../core/checks/strict-json.ts';
import { isJsonObject, type JsonValue } from '../core/json-value.ts';
import { isCount } from '../core/leaf-format.ts';
import { err, ok, type Result } from '../core/result.ts';
import { parseTimestampRoots } from './timestamp-roots.ts';
import {
  type PolicyFault,
  parseTlogPolicy,
  policyLengthMax,
  type TlogPolicy,
} from './tlog-policy.ts';
import { parseTrustApprovals, type TrustApprovals } from './trust-approvals.ts';
import { formatVerifierKey, type VerifierKey } from './verifier-key.ts';

/** Numbers of the verification steps. */
export type StepNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** A trust file as read. */
export interface Trust {
  readonly policy: TlogPolicy;
  /** Steps that must pass; 1 to 4 always. */
  readonly required: ReadonlySet<StepNumber>;
  /** Keys that no longer count, each with the last leaf that it may still vouch for. */
  readonly distrust: readonly DistrustedKey[];
  /** Certificates (DER) behind the timestamps that are believed; a timestamp is asked for when there are some. */
  readonly timestampRoots: readonly Uint8Array[];
  /** What people's answers must be; undefined = nothing is asked of them. */
  readonly approvals: TrustApprovals | undefined;
}

/** A key that is not believed about trees with more leaves than number `after`. */
export interface DistrustedKey {
  /** The one-line text of the key. */
  readonly key: string;
  /** `seq` of the last leaf that trees signed by it may hold. */
  readonly after: number;
}

/** Why a text is no trust file. */
export type TrustFault =
  | PolicyFault
  | {
      readonly code: 'TRUST_MALFORMED' | 'TRUST_KEY_UNKNOWN' | 'TRUST_NOT_SUPPORTED';
      readonly key: string;
    };

/** Keys beside the first one of a log. */
export interface OtherKeys {
  /** Keys that also sign for the log. */
  readonly log: readonly VerifierKey[];
  /** Witnesses that may be put into the quorum, by name. */
  readonly witnesses: readonly { readonly name: string; readonly key: VerifierKey }[];
}

/** The policy that believes one log and asks for no witness; bare unless a key is distrusted. */
export function formatTrustFile(
  key: VerifierKey,
  distrust: readonly DistrustedKey[] = [],
  others: OtherKeys = { log: [], witnesses: [] },
): string {
  const lines = [
    ...[key, ...others.log].map((each) => `log ${formatVerifierKey(each)}`),
    ...others.witnesses.map((each) => `witness ${each.name} ${formatVerifierKey(each.key)}`),
    'quorum none',
  ];
  const policy = `${lines.join('\n')}\n`;
  if (distrust.length === 0) return policy;
  return `${JSON.stringify({ policy, distrust }, null, 2)}\n`;
}

/** Reads a trust file of either form. */
export async function parseTrustFile(text: string): Promise<Result<Trust, TrustFault>> {
  const settings = /^[ \t\r\n]*\{/.test(text)
    ? parseSettings(text)
    : ok({ policy: text, require: [], distrust: [], timestampRoots: [], approvals: undefined });
  if (!settings.ok) return settings;
  const policy = await parseTlogPolicy(settings.value.policy);
  if (!policy.ok) return policy;
  const required = new Set<StepNumber>([1, 2, 3, 4, ...settings.value.require]);
  const { distrust, timestampRoots, approvals } = settings.value;
  if (policy.value.quorum !== 'none' || timestampRoots.length > 0) required.add(5);
  return ok({ policy: policy.value, required, distrust, timestampRoots, approvals });
}

interface TrustSettings {
  readonly policy: string;
  readonly require: readonly StepNumber[];
  readonly distrust: readonly DistrustedKey[];
  readonly timestampRoots: readonly Uint8Array[];
  readonly approvals: TrustApprovals | undefined;
}

/** Names that were kept for what `approvals` says now: reading past them would be a lie. */
const unsupportedKeys: ReadonlySet<string> = new Set(['approvers', 'assurance_min', 'accept_solo']);

function parseSettings(text: string): Result<TrustSettings, TrustFault> {
  const parsed = parseStrictJson(text, {
    sizeMaxBytes: policyLengthMax * 4,
    depthMax: 8,
    keysMax: 100,
    nodesMax: 10_000,
    numbers: 'kept',
  });
  if (!parsed.ok || !isJsonObject(parsed.value)) return err({ code: 'TRUST_MALFORMED', key: '' });
  const { policy, require = [], distrust = [], timestamp_roots = [], ...rest } = parsed.value;
  const { approvals: approvalsJson, ...others } = rest;
  // Not by their order in the file: two readers need not keep it.
  const unknown = Object.keys(others).find((key) => !unsupportedKeys.has(key));
  if (unknown !== undefined) return err({ code: 'TRUST_KEY_UNKNOWN', key: unknown });
  const [unsupported] = Object.keys(others);
  if (unsupported !== undefined) return err({ code: 'TRUST_NOT_SUPPORTED', key: unsupported });
  if (typeof policy !== 'string') return err({ code: 'TRUST_MALFORMED', key: 'policy' });
  if (!isStepList(require)) return err({ code: 'TRUST_MALFORMED', key: 'require' });
  if (!isDistrustList(distrust)) return err({ code: 'TRUST_MALFORMED', key: 'distrust' });
  const timestampRoots = parseTimestampRoots(timestamp_roots);
  if (timestampRoots === undefined) return err({ code: 'TRUST_MALFORMED', key: 'timestamp_roots' });
  const approvals = approvalsJson === undefined ? undefined : parseTrustApprovals(approvalsJson);
  if (approvalsJson !== undefined && approvals === undefined) {
    return err({ code: 'TRUST_MALFORMED', key: 'approvals' });
  }
  return ok({ policy, require, distrust, timestampRoots, approvals });
}

function isDistrustList(value: unknown): value is readonly DistrustedKey[] {
  const isRow = (row: unknown): boolean => {
    const { key, after, ...others } = Object(row) as Record<string, unknown>;
    return typeof key === 'string' && isCount(after) && Object.keys(others).length === 0;
  };
  return Array.isArray(value) && value.every(isRow);
}

function isStepList(value: JsonValue): value is readonly StepNumber[] {
  const isStep = (step: JsonValue): boolean =>
    typeof step === 'number' && Number.isInteger(step) && step >= 1 && step <= 8;
  return Array.isArray(value) && value.every(isStep);
}
