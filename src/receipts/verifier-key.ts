// Verifier keys of signed notes: `name+id+base64(type || public key)`.
import { decodeBase64, encodeBase64 } from '../core/base64.ts';
import { isLogOrigin } from '../core/log-origin.ts';
import { err, ok, type Result } from '../core/result.ts';
import { webSha256 } from './web-hash.ts';

/** A public key with the name and id under which it signs. */
export interface VerifierKey {
  readonly name: string;
  /** Eight lower-case hex digits. */
  readonly keyId: string;
  /** Signature type byte of c2sp.org/signed-note. */
  readonly type: number;
  readonly publicKey: Uint8Array;
}

/** Why a text is no verifier key. */
export type VerifierKeyFault = 'KEY_MALFORMED' | 'KEY_TYPE_UNKNOWN' | 'KEY_ID_MISMATCH';

/** One signature type. */
interface KeyTypeRow {
  readonly use: 'log' | 'cosigner' | 'both';
  /** Length of the public key. */
  readonly sizeBytes?: number;
  /** The id is computed from name, type and key; another rule cannot be checked here. */
  readonly hasDerivedId: boolean;
  /** Absent: no verifier of ours checks such signatures. */
  readonly algorithm?: 'ed25519' | 'ml-dsa-44';
  /** The signature covers a time that stands in front of it (c2sp.org/tlog-cosignature). */
  readonly isTimestamped: boolean;
}

/** Signature type of a log's Ed25519 key. */
export const ed25519Type = 0x01;
/** Signature type of an Ed25519 cosigner. */
export const cosignerType = 0x04;
/** Signature type of ML-DSA-44 keys of logs and cosigners. */
export const mlDsa44Type = 0x06;

/** The signature types a trust file may name. */
export const keyTypes: ReadonlyMap<number, KeyTypeRow> = new Map<number, KeyTypeRow>([
  [
    ed25519Type,
    { use: 'log', sizeBytes: 32, hasDerivedId: true, algorithm: 'ed25519', isTimestamped: false },
  ],
  [0x02, { use: 'log', hasDerivedId: false, isTimestamped: false }],
  [
    cosignerType,
    {
      use: 'cosigner',
      sizeBytes: 32,
      hasDerivedId: true,
      algorithm: 'ed25519',
      isTimestamped: true,
    },
  ],
  [
    mlDsa44Type,
    {
      use: 'both',
      sizeBytes: 1312,
      hasDerivedId: true,
      algorithm: 'ml-dsa-44',
      isTimestamped: true,
    },
  ],
]);

/** The id a key has under a name: the first four bytes of a hash over both. */
export async function deriveKeyId(key: Omit<VerifierKey, 'keyId'>): Promise<string> {
  const name = new TextEncoder().encode(`${key.name}\n`);
  const digest = await webSha256(Uint8Array.from([...name, key.type, ...key.publicKey]));
  return Array.from(digest.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The verifier key of a log with an Ed25519 key. Throws on a name no note can carry. */
export function createLogKey(origin: string, publicKey: Uint8Array): Promise<VerifierKey> {
  return createVerifierKey({ name: origin, type: ed25519Type, publicKey });
}

/** A key with the id that follows from it. Throws on a name no note can carry. */
export async function createVerifierKey(key: Omit<VerifierKey, 'keyId'>): Promise<VerifierKey> {
  if (!isLogOrigin(key.name))
    throw new RangeError(`\`${key.name.slice(0, 100)}\` is no log origin`);
  return { ...key, keyId: await deriveKeyId(key) };
}

/** The one-line text of a key. */
export function formatVerifierKey(key: VerifierKey): string {
  return `${key.name}+${key.keyId}+${encodeBase64(Uint8Array.of(key.type, ...key.publicKey))}`;
}

/** Reads the one-line text of a key and checks its id. */
export async function parseVerifierKey(
  text: string,
): Promise<Result<VerifierKey, VerifierKeyFault>> {
  const match = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/u.exec(text);
  const [, name = '', keyId = '', encoded = ''] = match ?? [];
  const bytes = decodeBase64(encoded);
  if (!isLogOrigin(name) || !bytes.ok) return err('KEY_MALFORMED');
  const key = { name, type: bytes.value[0] as number, publicKey: bytes.value.slice(1) };
  const row = keyTypes.get(key.type);
  if (row === undefined) return err('KEY_TYPE_UNKNOWN');
  if (row.sizeBytes !== undefined && key.publicKey.length !== row.sizeBytes) {
    return err('KEY_MALFORMED');
  }
  const isDerived = !row.hasDerivedId || (await deriveKeyId(key)) === keyId;
  return isDerived ? ok({ ...key, keyId }) : err('KEY_ID_MISMATCH');
}
