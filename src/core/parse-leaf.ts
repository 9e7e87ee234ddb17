// Reads the bytes of a receipt. Nothing is repaired and nothing unknown is let through: what a
// verifier accepts must have one reading. No hashing here, so it runs in a browser.
import { type CanonicalObject, type CanonicalValue, parseCanonicalJson } from './canonical-json.ts';
import {
  commonFields,
  isCount,
  isOpId,
  type Leaf,
  type LeafFault,
  type LeafTypeRow,
  leafSizeMaxBytes,
  leafTypes,
} from './leaf-format.ts';
import { err, ok, type Result } from './result.ts';

/** The leaf that the bytes are, or the first thing wrong with them. */
export function parseLeaf(bytes: Uint8Array): Result<Leaf, LeafFault> {
  if (bytes.length > leafSizeMaxBytes) {
    return err({ code: 'LEAF_TOO_LARGE', sizeBytes: bytes.length });
  }
  const parsed = parseCanonicalJson(bytes);
  if (!parsed.ok || !isObject(parsed.value)) return err({ code: 'LEAF_NOT_CANONICAL' });
  const row = rows.get(parsed.value['type']);
  if (row === undefined) return err({ code: 'LEAF_TYPE_UNKNOWN' });
  const fault = findFault(parsed.value, row);
  return fault === undefined ? ok(toLeaf(parsed.value)) : err(fault);
}

type Check = (value: CanonicalValue) => boolean;

const isText: Check = (value) => typeof value === 'string' && value.length > 0;
const commitmentPattern = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Common fields that every leaf has, then those that it may have. */
const requiredChecks: Readonly<Record<string, Check>> = {
  v: (value) => value === 1,
  seq: isCount,
  ts: isCount,
  gw: isText,
  config: isText,
  commit: isCommit,
};
const optionalChecks: Readonly<Record<string, Check>> = {
  op_id: (value) => typeof value === 'string' && isOpId(value),
  prev: isText,
  state: isText,
  code: isText,
};

const rows: ReadonlyMap<unknown, LeafTypeRow> = new Map(Object.entries(leafTypes));
const commonNames: ReadonlySet<string> = new Set(commonFields);

function findFault(record: CanonicalObject, row: LeafTypeRow): LeafFault | undefined {
  const unknown = Object.keys(record).find(
    (field) => !commonNames.has(field) && !row.open.includes(field),
  );
  if (unknown !== undefined) return { code: 'LEAF_FIELD_UNKNOWN', field: unknown };
  const field = badField(record, requiredChecks, true) ?? badField(record, optionalChecks, false);
  if (field !== undefined) return { code: 'LEAF_FIELD_INVALID', field };
  if (row.ofOperation && record['op_id'] === undefined) {
    return { code: 'LEAF_FIELD_INVALID', field: 'op_id' };
  }
  return undefined;
}

function badField(
  record: CanonicalObject,
  checks: Readonly<Record<string, Check>>,
  isRequired: boolean,
): string | undefined {
  return Object.keys(checks).find((field) => {
    const value = record[field];
    return value === undefined ? isRequired : !checks[field]?.(value);
  });
}

function isCommit(value: CanonicalValue): boolean {
  return (
    isObject(value) &&
    Object.values(value).every((each) => typeof each === 'string' && commitmentPattern.test(each))
  );
}

function isObject(value: CanonicalValue): value is CanonicalObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toLeaf(record: CanonicalObject): Leaf {
  const { type, seq, ts, gw, config, commit, op_id: opId, prev, state, code } = record;
  const optional = Object.entries({ opId, prev, state, code }).filter(
    ([, value]) => value !== undefined,
  );
  const open = Object.entries(record).filter(([field]) => !commonNames.has(field));
  // Every field was checked above; the record itself carries no types.
  return {
    ...{ type, seq, ts, gw, config, commit },
    ...Object.fromEntries(optional),
    open: Object.fromEntries(open),
  } as unknown as Leaf;
}
