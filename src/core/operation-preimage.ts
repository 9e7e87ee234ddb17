// The resolved operation that op_hash stands for. Field names are those of the signed text:
// they never change under one `v`. No hashing here, so the browser verifier reads it too.
import {
  type CanonicalObject,
  type CanonicalValue,
  canonicalJson,
  parseCanonicalJson,
} from './canonical-json.ts';
import { err, ok, type Result } from './result.ts';

/** One value of the operation in canonical form. */
export interface PreimageValue {
  /** Declared type of the parameter, or `json` for a text that holds undeclared arguments. */
  readonly type: string;
  readonly value: CanonicalValue;
}

/** Where one value comes from. */
export interface PreimageOrigin {
  /** For example `registry:vendors.iban`, `mandate:tenant`, `request`, `untrusted`. */
  readonly source: string;
  /** Identity of the record, null when the source has none. */
  readonly record: string | null;
  /** Version of the record, null when the source has none. */
  readonly version: string | null;
}

/** The mandate the operation is done under. */
interface PreimageMandate {
  readonly id: string;
  /** SHA-256 of the mandate, hex. */
  readonly hash: string;
  /** SHA-256 over the chain from the root to this mandate, hex. */
  readonly chain: string;
}

/** Who has to approve. A level without approval has count 0 and empty lists. */
interface PreimageQuorum {
  readonly count: number;
  readonly persons: readonly string[];
  readonly roles: readonly string[];
  readonly exclude: readonly string[];
  /** The principal's own approval is needed beside the others. */
  readonly include_user: boolean;
}

/** The rules that judged the operation. */
interface PreimagePolicy {
  /** SHA-256 of the policy set, hex. */
  readonly set: string;
  /** SHA-256 of the schema, hex. */
  readonly schema: string;
  /** Version of the Cedar engine. */
  readonly cedar: string;
}

/** Where the operation is sent. */
interface PreimageTarget {
  readonly connector: string;
  readonly version: string;
  /** Identity of the server or account behind the connector. */
  readonly server: string;
  /** SHA-256 of the pinned tool definition, hex; null for a target without one. */
  readonly definition: string | null;
}

/** Everything a person approves and a receiver may compare. Another field is another `v`. */
export interface OperationPreimage {
  readonly v: 1;
  /** 128 random bits, 32 lower-case hex digits. */
  readonly op_id: string;
  /** 32 secret random bytes, base64url: equal operations differ, values cannot be guessed. */
  readonly nonce: string;
  /** Origin of the receipt log. */
  readonly gateway: string;
  readonly action: string;
  /** SHA-256 of the contract, hex. */
  readonly contract: string;
  /** Path of each argument (`to[0].address`), critical or not, to its value. */
  readonly values: Readonly<Record<string, PreimageValue>>;
  /** The same paths to the origin of each value. */
  readonly origins: Readonly<Record<string, PreimageOrigin>>;
  readonly principal: string;
  /** Null when the mandate names no agent. */
  readonly agent: string | null;
  readonly mandate: PreimageMandate;
  readonly level: 0 | 1 | 2;
  readonly quorum: PreimageQuorum;
  readonly policy: PreimagePolicy;
  readonly target: PreimageTarget;
  /** When the operation may no longer be approved or sent, seconds since 1970. */
  readonly expires: number;
}

/** Label in front of the preimage; every other signed text starts with another one. */
export const operationLabel = 'intentplane/op/v1';

/** Thrown when a preimage lacks a field, has one too many or one of another shape. */
export class PreimageError extends Error {
  readonly code = 'PREIMAGE_INVALID';
  readonly path: string;
  constructor(path: string) {
    super(`operation preimage: field \`${path.slice(0, 200)}\` is missing, unknown or malformed`);
    this.name = 'PreimageError';
    this.path = path;
  }
}

/** The canonical text whose hash is op_hash. */
export function encodePreimage(preimage: OperationPreimage): string {
  const fault = findFault(preimage as unknown as CanonicalValue);
  if (fault !== undefined) throw new PreimageError(fault);
  return canonicalJson(preimage as unknown as CanonicalValue);
}

/** Why bytes are no preimage; `path` names the field. */
export interface PreimageFault {
  readonly code: 'PREIMAGE_NOT_CANONICAL' | 'PREIMAGE_INVALID';
  readonly path?: string;
}

/** Reads stored preimage bytes. */
export function parsePreimage(bytes: Uint8Array): Result<OperationPreimage, PreimageFault> {
  const parsed = parseCanonicalJson(bytes);
  if (!parsed.ok) return err({ code: 'PREIMAGE_NOT_CANONICAL' });
  const fault = findFault(parsed.value);
  return fault === undefined
    ? ok(parsed.value as unknown as OperationPreimage)
    : err({ code: 'PREIMAGE_INVALID', path: fault });
}

type Check = (value: CanonicalValue) => boolean;

const isText: Check = (value) => typeof value === 'string' && value.length > 0;
const isTextOrNull: Check = (value) => value === null || isText(value);
const isTextList: Check = (value) => Array.isArray(value) && value.every(isText);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const isDigest = matches(/^[0-9a-f]{64}$/);

/** Every field of the preimage with its check; a nested table is a nested object. */
const shape = {
  v: (value) => value === 1,
  op_id: matches(/^[0-9a-f]{32}$/),
  nonce: matches(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/),
  gateway: isText,
  action: isText,
  contract: isDigest,
  values: (value) => isObject(value),
  origins: (value) => isObject(value),
  principal: isText,
  agent: isTextOrNull,
  mandate: { id: isText, hash: isDigest, chain: isDigest },
  level: (value) => value === 0 || value === 1 || value === 2,
  quorum: {
    count: isCount,
    persons: isTextList,
    roles: isTextList,
    exclude: isTextList,
    include_user: (value) => typeof value === 'boolean',
  },
  policy: { set: isDigest, schema: isDigest, cedar: isText },
  target: {
    connector: isText,
    version: isText,
    server: isText,
    definition: (value) => value === null || isDigest(value),
  },
  expires: isCount,
} satisfies Record<keyof OperationPreimage, Check | Readonly<Record<string, Check>>>;

/** Path of the first field that is wrong. */
function findFault(value: CanonicalValue): string | undefined {
  return faultOfShape(value, preimageFields) ?? faultOfParameters(value as CanonicalObject);
}

/** A field with its check, or with the fields of a nested object. */
interface Field {
  readonly key: string;
  readonly check: Check | undefined;
  readonly fields: readonly Field[];
}

type Shape = Readonly<Record<string, Check | Readonly<Record<string, Check>>>>;

function fieldsOf(shape: Shape): readonly Field[] {
  return Object.entries(shape).map(([key, check]) =>
    typeof check === 'function'
      ? { key, check, fields: [] }
      : { key, check: undefined, fields: fieldsOf(check) },
  );
}

const preimageFields = fieldsOf(shape);
const valueFields = fieldsOf({ type: isText, value: () => true });
const originFields = fieldsOf({ source: isText, record: isTextOrNull, version: isTextOrNull });

// Path below `value`; empty = the value itself. Paths are put together only when there is a fault.
function faultOfShape(
  value: CanonicalValue | undefined,
  fields: readonly Field[],
): string | undefined {
  if (!isObject(value)) return '';
  const keys = Object.keys(value);
  if (keys.length > fields.length) {
    return keys.find((found) => fields.every(({ key }) => key !== found));
  }
  for (const { key, check, fields: nested } of fields) {
    const field = Object.hasOwn(value, key) ? value[key] : undefined;
    if (check !== undefined) {
      if (field === undefined || !check(field)) return key;
      continue;
    }
    const fault = faultOfShape(field, nested);
    if (fault !== undefined) return join(key, fault);
  }
  return undefined;
}

function faultOfParameters(preimage: CanonicalObject): string | undefined {
  const values = preimage['values'] as CanonicalObject;
  const origins = preimage['origins'] as CanonicalObject;
  const stray = Object.keys(origins).find((path) => !Object.hasOwn(values, path));
  if (stray !== undefined) return join('origins', stray);
  for (const path of Object.keys(values)) {
    const value = faultOfShape(values[path], valueFields);
    if (value !== undefined) return join(join('values', path), value);
    const origin = faultOfShape(
      Object.hasOwn(origins, path) ? origins[path] : undefined,
      originFields,
    );
    if (origin !== undefined) return join(join('origins', path), origin);
  }
  return undefined;
}

const join = (at: string, key: string): string => (key === '' ? at : `${at}.${key}`);

function isObject(value: CanonicalValue | undefined): value is CanonicalObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
