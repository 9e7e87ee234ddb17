// Evidence of a bundle about the log and not about the receipt: that the log only grew since an
// earlier checkpoint, and which keys followed the one that the auditor knows.
import { decodeBase64, encodeBase64 } from '../core/base64.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';
import { isCount } from '../core/leaf-format.ts';

/** Proof that the first `size` leaves of the checkpoint's tree are those of an earlier one. */
export interface ConsistencyEvidence {
  /** Size of the earlier tree. */
  readonly size: number;
  /** Hashes in the order of RFC 9162 section 2.1.4. */
  readonly path: readonly Uint8Array[];
}

/** A leaf about a key of the log, with its own proof to a checkpoint of its time. */
export interface KeyStatement {
  readonly leaf: Uint8Array;
  /** Text of c2sp.org/tlog-proof. */
  readonly proof: string;
}

/** Hashes of a consistency proof between any two sizes below 2^53 are fewer. */
const consistencyPathMax = 63;
/** Statements of a bundle; a key that is replaced each quarter needs them for 16 years. */
const keyStatementsMax = 64;

/** The evidence as JSON. */
export function formatConsistency({ size, path }: ConsistencyEvidence): JsonObject {
  return { size, path: path.map(encodeBase64) };
}

/** The evidence as JSON. */
export function formatKeyStatements(statements: readonly KeyStatement[]): JsonValue {
  return statements.map(({ leaf, proof }) => ({ leaf: encodeBase64(leaf), proof }));
}

/** Undefined when the value is anything else than `{size, path}`. */
export function parseConsistency(json: JsonValue): ConsistencyEvidence | undefined {
  if (!isJsonObject(json) || Object.keys(json).length !== 2) return undefined;
  const { size, path } = json;
  if (!isCount(size) || !Array.isArray(path) || path.length > consistencyPathMax) return undefined;
  const hashes = path.flatMap((text: JsonValue) => {
    const hash = typeof text === 'string' ? decodeBase64(text) : undefined;
    return hash?.ok === true && hash.value.length === 32 ? [hash.value] : [];
  });
  return hashes.length === path.length ? { size, path: hashes } : undefined;
}

/** Undefined when the value is anything else than a list of `{leaf, proof}`. */
export function parseKeyStatements(json: JsonValue): readonly KeyStatement[] | undefined {
  if (!Array.isArray(json) || json.length > keyStatementsMax) return undefined;
  const statements = json.flatMap((each: JsonValue) => parseStatement(each) ?? []);
  return statements.length === json.length ? statements : undefined;
}

function parseStatement(json: JsonValue): KeyStatement | undefined {
  if (!isJsonObject(json) || Object.keys(json).length !== 2) return undefined;
  const { leaf, proof } = json;
  const bytes = typeof leaf === 'string' ? decodeBase64(leaf) : undefined;
  return bytes?.ok === true && typeof proof === 'string' ? { leaf: bytes.value, proof } : undefined;
}
