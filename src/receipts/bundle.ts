// A bundle: one receipt with its proof and with the fields somebody chose to disclose, as JSON.
import { decodeBase64, decodeBase64Url, encodeBase64 } from '../core/base64.ts';
import { type CanonicalValue, canonicalJson } from '../core/canonical-json.ts';
import { parseStrictJson } from '../core/checks/strict-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';
import { err, ok, type Result } from '../core/result.ts';
import {
  type ConsistencyEvidence,
  formatConsistency,
  formatKeyStatements,
  type KeyStatement,
  parseConsistency,
  parseKeyStatements,
} from './history-evidence.ts';
import { formatTimestamps, parseTimestamps } from './timestamp-evidence.ts';

/** Name and version of the format. */
const bundleFormat = 'intentplane-receipt/1';
/** Longest bundle text in UTF-8 bytes. */
export const bundleSizeMaxBytes = 4_194_304;

/** One disclosed field. */
export interface Disclosure {
  /** 32 bytes, base64url. */
  readonly salt: string;
  /** Canonical JSON text of the value. */
  readonly value: string;
}

/** A bundle as read; nothing of it is verified. */
export interface Bundle {
  readonly leaf: Uint8Array;
  readonly disclosed: Readonly<Record<string, Disclosure>>;
  /** Committed fields that nobody can open any more: their values and salts were erased. */
  readonly redacted?: readonly string[];
  /** Text of c2sp.org/tlog-proof. */
  readonly proof: string;
  readonly evidence: {
    /** Canonical text of the operation whose hash the leaf names. */
    readonly preimage?: string;
    /** That the log only grew since an earlier checkpoint. */
    readonly consistency?: ConsistencyEvidence;
    /** Which keys followed the first one, in the order of their leaves. */
    readonly keys?: readonly KeyStatement[];
    /** Timestamps of the checkpoint (RFC 3161), in DER form. */
    readonly timestamps?: readonly Uint8Array[];
  };
}

/** Why a text is no bundle; `key` names the part. */
export interface BundleFault {
  readonly code: 'BUNDLE_TOO_LARGE' | 'BUNDLE_NOT_JSON' | 'BUNDLE_FORMAT' | 'BUNDLE_MALFORMED';
  readonly key: string;
}

/** The text of a bundle, for people and machines. */
export function formatBundle(bundle: Bundle): string {
  const disclosed = Object.entries(bundle.disclosed).map(([field, { salt, value }]) => [
    field,
    // Canonical texts hold nothing that this could round or drop.
    { salt, value: JSON.parse(value) as unknown },
  ]);
  const json = {
    format: bundleFormat,
    leaf: encodeBase64(bundle.leaf),
    disclosed: Object.fromEntries(disclosed) as unknown,
    ...(bundle.redacted === undefined || bundle.redacted.length === 0
      ? {}
      : { redacted: bundle.redacted }),
    proof: bundle.proof,
    evidence: evidenceJson(bundle.evidence),
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

function evidenceJson(evidence: Bundle['evidence']): unknown {
  const { preimage, consistency, keys: statements, timestamps } = evidence;
  return {
    ...(preimage === undefined ? {} : { preimage }),
    ...(consistency === undefined ? {} : { consistency: formatConsistency(consistency) }),
    ...(statements === undefined ? {} : { keys: formatKeyStatements(statements) }),
    ...(timestamps === undefined ? {} : { timestamps: formatTimestamps(timestamps) }),
  };
}

/** Reads a bundle; unknown keys and other encodings than the format's are refused. */
export function parseBundle(text: string): Result<Bundle, BundleFault> {
  const parsed = parseStrictJson(text, limits);
  if (!parsed.ok) {
    const isLarge = parsed.error.code === 'json_too_large';
    return err({ code: isLarge ? 'BUNDLE_TOO_LARGE' : 'BUNDLE_NOT_JSON', key: '' });
  }
  if (!isJsonObject(parsed.value) || parsed.value['format'] !== bundleFormat) {
    return err({ code: 'BUNDLE_FORMAT', key: 'format' });
  }
  const stray = Object.keys(parsed.value).find((key) => !keys.has(key));
  return stray === undefined ? parseParts(parsed.value) : malformed(stray);
}

const limits = {
  sizeMaxBytes: bundleSizeMaxBytes,
  // A disclosed value may nest 32 deep itself.
  depthMax: 40,
  keysMax: bundleSizeMaxBytes,
  nodesMax: bundleSizeMaxBytes,
  numbers: 'kept',
} as const;
const keys: ReadonlySet<string> = new Set([
  ...['format', 'leaf', 'disclosed', 'redacted', 'proof', 'evidence'],
]);

const malformed = (key: string): Result<never, BundleFault> =>
  err({ code: 'BUNDLE_MALFORMED', key });

function parseParts(json: JsonObject): Result<Bundle, BundleFault> {
  const { leaf: leafText, proof } = json;
  const leaf = typeof leafText === 'string' ? decodeBase64(leafText) : undefined;
  if (leaf?.ok !== true) return malformed('leaf');
  if (typeof proof !== 'string') return malformed('proof');
  const disclosed = parseDisclosed(json['disclosed']);
  if (!disclosed.ok) return disclosed;
  const redacted = parseRedacted(json['redacted'], disclosed.value);
  if (redacted === undefined) return malformed('redacted');
  const evidence = parseEvidence(json['evidence']);
  if (!evidence.ok) return evidence;
  return ok({
    ...{ leaf: leaf.value, proof, disclosed: disclosed.value, evidence: evidence.value },
    ...(redacted.length === 0 ? {} : { redacted }),
  });
}

/** Each field once, and none that is disclosed. */
function parseRedacted(
  json: JsonValue | undefined,
  disclosed: Bundle['disclosed'],
): readonly string[] | undefined {
  if (json === undefined) return [];
  if (!Array.isArray(json)) return undefined;
  const fields = json as readonly JsonValue[];
  const isList = fields.every(
    (field): field is string => typeof field === 'string' && !Object.hasOwn(disclosed, field),
  );
  return isList && new Set(fields).size === fields.length ? fields : undefined;
}

function parseDisclosed(json: JsonValue | undefined): Result<Bundle['disclosed'], BundleFault> {
  if (!isJsonObject(json)) return malformed('disclosed');
  const disclosed: Record<string, Disclosure> = {};
  for (const [field, opening] of Object.entries(json)) {
    const disclosure = parseDisclosure(opening);
    if (disclosure === undefined) return malformed(`disclosed.${field}`);
    disclosed[field] = disclosure;
  }
  return ok(disclosed);
}

function parseDisclosure(opening: JsonValue): Disclosure | undefined {
  if (!isJsonObject(opening)) return undefined;
  const { salt, value, ...others } = opening;
  if (typeof salt !== 'string' || value === undefined) return undefined;
  const bytes = decodeBase64Url(salt);
  if (!bytes.ok || bytes.value.length !== 32 || Object.keys(others).length > 0) return undefined;
  const text = canonicalText(value);
  return text === undefined ? undefined : { salt, value: text };
}

function canonicalText(value: JsonValue): string | undefined {
  try {
    // The encoder refuses what the wider type still allows: fractions and kept numbers.
    return canonicalJson(value as CanonicalValue);
  } catch {
    return undefined;
  }
}

function parseEvidence(json: JsonValue | undefined): Result<Bundle['evidence'], BundleFault> {
  if (!isJsonObject(json)) return malformed('evidence');
  // Not by their order in the bundle: two readers need not keep it.
  const stray = Object.keys(json).find((key) => !Object.hasOwn(evidenceParsers, key));
  if (stray !== undefined) return malformed(`evidence.${stray}`);
  const evidence: Record<string, unknown> = {};
  for (const [key, parse] of Object.entries(evidenceParsers)) {
    const value = json[key];
    if (value === undefined) continue;
    const parsed = parse(value);
    if (parsed === undefined) return malformed(`evidence.${key}`);
    evidence[key] = parsed;
  }
  return ok(evidence);
}

/** Each kind of evidence with its reader; undefined for what is none. */
const evidenceParsers: {
  readonly [Key in keyof Bundle['evidence']]-?: (json: JsonValue) => Bundle['evidence'][Key];
} = {
  preimage: (json) => (typeof json === 'string' ? json : undefined),
  consistency: parseConsistency,
  keys: parseKeyStatements,
  timestamps: parseTimestamps,
};
