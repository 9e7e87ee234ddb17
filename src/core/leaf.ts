// Turns what happened into the bytes of a receipt: salts and commits the personal fields, stamps
// the place in the log. Runs inside the transaction of the state change it describes.
import { encodeBase64Url } from './base64.ts';
import { type CanonicalValue, canonicalJson } from './canonical-json.ts';
import { forbiddenKeys } from './checks/json-reader.ts';
import {
  commitmentText,
  commonFields,
  isCount,
  isOpId,
  type LeafDraft,
  LeafError,
  type LeafStamp,
  leafSizeMaxBytes,
  leafTypes,
} from './leaf-format.ts';
import { leafHash } from './merkle.ts';
import { hmacSha256Base64Url } from './sha256.ts';

export {
  type LeafDraft,
  LeafError,
  type LeafStamp,
  type LeafType,
  leafSizeMaxBytes,
} from './leaf-format.ts';
export { parseLeaf } from './parse-leaf.ts';

/** Bytes of one salt. */
const saltSizeBytes = 32;

/** Surroundings of a leaf, and where its salts come from. */
export interface SealSettings extends LeafStamp {
  /** 32 fresh random bytes at each call. */
  readonly salts: () => Uint8Array;
}

/** What opens one commitment; erasing it makes the value unrecoverable. */
export interface FieldOpening {
  /** 32 bytes, base64url. */
  readonly salt: string;
  /** Canonical JSON text of the value. */
  readonly value: string;
}

/** A leaf ready to be stored. The payload goes into the erasable store, never into the log. */
export interface SealedLeaf {
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
  readonly payload: Readonly<Record<string, FieldOpening>>;
}

/** Seals a draft; throws `LeafError` or `CanonicalJsonError`, and then nothing may commit. */
export function sealLeaf(draft: LeafDraft, settings: SealSettings): SealedLeaf {
  const payload: Record<string, FieldOpening> = {};
  const commit = commitFields(draft, { salts: settings.salts, payload });
  const text = leafText(draft, settings, commit);
  return { bytes: encodeUtf8(text), hash: leafHash(text), payload };
}

const encoder = new TextEncoder();
// Encoding into one buffer and copying out is twice as fast as letting `encode` allocate.
const scratch = new Uint8Array(leafSizeMaxBytes);

function encodeUtf8(text: string): Uint8Array {
  const { read, written } = encoder.encodeInto(text, scratch);
  if (read < text.length) {
    throw new LeafError({ code: 'LEAF_TOO_LARGE', sizeBytes: encoder.encode(text).length });
  }
  return scratch.slice(0, written);
}

/** Fills the payload; returns the canonical text of the `commit` field. */
function commitFields(
  draft: LeafDraft,
  into: { salts: () => Uint8Array; payload: Record<string, FieldOpening> },
): string {
  let text = '{';
  for (const field of Object.keys(draft.committed).sort()) {
    if (forbiddenKeys.has(field)) throw new LeafError({ code: 'LEAF_FIELD_INVALID', field });
    const value = canonicalJson(draft.committed[field] as CanonicalValue);
    const salt = into.salts();
    if (salt.length !== saltSizeBytes) throw new RangeError('a salt is 32 bytes');
    const name = canonicalJson(field);
    const commitment = hmacSha256Base64Url(salt, commitmentText(draft.type, name, value));
    into.payload[field] = { salt: encodeBase64Url(salt), value };
    text += `${text === '{' ? '' : ','}${name}:"${commitment}"`;
  }
  return `${text}}`;
}

/** One field a type may have: its place in the text, and how its value is found. */
interface FieldRow {
  readonly name: string;
  /** Separator, name and colon. */
  readonly prefix: string;
  readonly read: (draft: LeafDraft, stamp: LeafStamp) => CanonicalValue | undefined;
  readonly isOpen: boolean;
}

/** Where the common fields come from; `commit` is spliced in as text. */
const commonReaders: Readonly<Record<string, FieldRow['read']>> = {
  code: (draft) => draft.code,
  config: (_draft, stamp) => stamp.config,
  gw: (_draft, stamp) => stamp.gw,
  op_id: (draft) => draft.opId,
  prev: (draft) => draft.prev,
  seq: (_draft, stamp) => stamp.seq,
  state: (draft) => draft.state,
  ts: (_draft, stamp) => stamp.ts,
  type: (draft) => draft.type,
  v: () => 1,
};

// Sorted once per type, so that sealing writes canonical text without sorting or key checks.
const fieldRows: ReadonlyMap<string, readonly FieldRow[]> = new Map(
  Object.entries(leafTypes).map(([type, row]) => [
    type,
    [...commonFields, ...row.open].sort().map(toFieldRow),
  ]),
);

function toFieldRow(name: string): FieldRow {
  const read = commonReaders[name];
  return {
    name,
    prefix: `,"${name}":`,
    read: read ?? ((draft) => draft.open[name]),
    isOpen: read === undefined && name !== 'commit',
  };
}

function leafText(draft: LeafDraft, stamp: LeafStamp, commit: string): string {
  const rows = fieldRows.get(draft.type);
  if (rows === undefined) throw new LeafError({ code: 'LEAF_TYPE_UNKNOWN' });
  checkCommon(draft, stamp);
  let text = '';
  let openCount = 0;
  for (const field of rows) {
    if (field.name === 'commit') {
      text += field.prefix + commit;
      continue;
    }
    const value = field.read(draft, stamp);
    if (value === undefined) continue;
    if (field.isOpen) openCount += 1;
    text += field.prefix + canonicalJson(value);
  }
  // A name outside the table, or one without a value, leaves the count short.
  if (Object.keys(draft.open).length !== openCount) throw strayField(draft);
  return `{${text.slice(1)}}`;
}

function strayField(draft: LeafDraft): LeafError {
  const known: readonly string[] = leafTypes[draft.type].open;
  const field = Object.keys(draft.open).find((name) => !known.includes(name));
  return field === undefined
    ? new LeafError({ code: 'LEAF_FIELD_INVALID', field: 'open' })
    : new LeafError({ code: 'LEAF_FIELD_UNKNOWN', field });
}

function checkCommon(draft: LeafDraft, stamp: LeafStamp): void {
  const field = invalidField(draft, stamp);
  if (field !== undefined) throw new LeafError({ code: 'LEAF_FIELD_INVALID', field });
}

function invalidField(draft: LeafDraft, stamp: LeafStamp): string | undefined {
  if (!isCount(stamp.seq)) return 'seq';
  if (!isCount(stamp.ts)) return 'ts';
  if (stamp.gw === '') return 'gw';
  if (stamp.config === '') return 'config';
  if (draft.prev === '' || draft.state === '' || draft.code === '') return 'state';
  const isMissing = draft.opId === undefined && leafTypes[draft.type].ofOperation;
  return isMissing || (draft.opId !== undefined && !isOpId(draft.opId)) ? 'op_id' : undefined;
}
