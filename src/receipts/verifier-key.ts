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
  /** This verifier can check such signatures of a log. */
  readonly isSupported: boolean;
}

/** The signature types a trust file may name. */
export const keyTypes: ReadonlyMap<number, KeyTypeRow> = new Map<number, KeyTypeRow>([
  [0x01, { use: 'log', sizeBytes: 32, hasDerivedId: true, isSupported: true }],
  [0x02, { use: 'log', hasDerivedId: false, isSupported: false }],
  [0x04, { use: 'cosigner', sizeBytes: 32, hasDerivedId: true, isSupported: false }],
  [0x06, { use: 'both', sizeBytes: 1312, hasDerivedId: true, isSupported: false }],
]);

/** Signature type of a log's Ed25519 key. */
const ed25519Type = 0x01;

/** The id a key has under a name: the first four bytes of a hash over both. */
export async function deriveKeyId(key: Omit<VerifierKey, 'keyId'>): Promise<string> {
  const name = new TextEncoder().encode(`${key.name}\n`);
  const digest = await webSha256(Uint8Array.from([...name, key.type, ...key.publicKey]));
  return Array.from(digest.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The verifier key of a log with an Ed25519 key. Throws on a name no note can carry. */
export async function createLogKey(origin: string, publicKey: Uint8Array): Promise<VerifierKey> {
  if (!isLogOrigin(origin)) throw new RangeError(`\`${origin.slice(0, 100)}\` is no log origin`);
  const key = { name: origin, type: ed25519Type, publicKey };
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
