// Tokens of a time-stamping authority (RFC 3161) about a checkpoint: how they stand in a bundle, and
// what it takes to check one. The check itself needs packages that not every installation has.
import { decodeBase64, encodeBase64 } from '../core/base64.ts';
import type { JsonValue } from '../core/json-value.ts';
import type { Result } from '../core/result.ts';

/** Tokens of one bundle; one authority gives one. */
const timestampsMax = 8;
/** Longest token in bytes: two signatures and a chain of certificates are below 10 KiB. */
export const timestampSizeMaxBytes = 65_536;

/** Why a token says nothing about a checkpoint. */
export type TimestampFault =
  /** Not a token, or more of one than is read. */
  | 'TIMESTAMP_MALFORMED'
  /** It is about something else. */
  | 'TIMESTAMP_OTHER_NOTE'
  | 'TIMESTAMP_SIGNATURE_INVALID'
  /** Signed with a certificate that is not for timestamps, or was not valid at that time. */
  | 'TIMESTAMP_CERTIFICATE'
  /** No chain from that certificate to a root that is believed. */
  | 'TIMESTAMP_ROOT_UNKNOWN';

/** What a token is held against. */
export interface TimestampQuestion {
  /** Texts that it may be about: any one of them is enough. */
  readonly texts: readonly Uint8Array[];
  /** Certificates in DER form of which one must end the chain; undefined = any chain will do. */
  readonly roots: readonly Uint8Array[] | undefined;
}

/** Checks one token (DER). Never throws on what it reads. */
export type CheckTimestamp = (
  token: Uint8Array,
  question: TimestampQuestion,
) => Promise<Result<{ readonly timeMs: number }, TimestampFault>>;

/** The evidence as JSON. */
export function formatTimestamps(tokens: readonly Uint8Array[]): JsonValue {
  return tokens.map(encodeBase64);
}

/** Undefined when the value is anything else than a list of tokens, each in base64. */
export function parseTimestamps(json: JsonValue): readonly Uint8Array[] | undefined {
  if (!Array.isArray(json) || json.length > timestampsMax) return undefined;
  const tokens = json.flatMap((text: JsonValue) => {
    const token = typeof text === 'string' ? decodeBase64(text) : undefined;
    return token?.ok === true && isTokenSize(token.value.length) ? [token.value] : [];
  });
  return tokens.length === json.length ? tokens : undefined;
}

const isTokenSize = (sizeBytes: number): boolean =>
  sizeBytes > 0 && sizeBytes <= timestampSizeMaxBytes;

/**
 * A note as it stands, and as it stood before each of its later signature lines was added: a witness
 * may have signed after the timestamp was made.
 */
export function earlierNotes(note: string): readonly Uint8Array[] {
  const first = note.lastIndexOf('\n\n') + 2;
  const ends = [...note.slice(first).matchAll(/\n/g)].map(({ index }) => first + index + 1);
  return ends.reverse().map((end) => new TextEncoder().encode(note.slice(0, end)));
}
