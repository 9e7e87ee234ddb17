// Timestamped cosignatures (c2sp.org/tlog-cosignature): what a cosigner signs about a checkpoint,
// and how time and signature stand together.
import { parseCheckpoint } from './checkpoint.ts';
import { mlDsa44Type, type VerifierKey } from './verifier-key.ts';

/** A time with the signature over it and a checkpoint. */
export interface Cosignature {
  /** Seconds since 1970, never 0: a cosigner that says no time says nothing about the newest tree. */
  readonly timeS: number;
  readonly signature: Uint8Array;
}

/** Who says when that it saw which checkpoint. */
export interface CosignedStatement {
  readonly key: Pick<VerifierKey, 'name' | 'type'>;
  readonly timeS: number;
  /** Signed text of the checkpoint's note. */
  readonly text: string;
}

const timeSizeBytes = 8;

/** The bytes behind the key id of a signature line. */
export function formatCosignature({ timeS, signature }: Cosignature): Uint8Array {
  return Uint8Array.from([...u64(timeS), ...signature]);
}

/** Undefined for a time of 0, or one that a JavaScript number does not hold exactly. */
export function parseCosignature(bytes: Uint8Array): Cosignature | undefined {
  if (bytes.length <= timeSizeBytes) return undefined;
  let timeS = 0;
  for (const byte of bytes.subarray(0, timeSizeBytes)) timeS = timeS * 256 + byte;
  if (timeS === 0 || !Number.isSafeInteger(timeS)) return undefined;
  return { timeS, signature: bytes.slice(timeSizeBytes) };
}

/** What is signed; undefined when the key's type needs a checkpoint and the text is none. */
export function cosignedMessage({ key, timeS, text }: CosignedStatement): Uint8Array | undefined {
  if (key.type !== mlDsa44Type) return encode(`cosignature/v1\ntime ${timeS}\n${text}`);
  const checkpoint = parseCheckpoint(text);
  if (!checkpoint.ok) return undefined;
  const { origin, size, root } = checkpoint.value;
  const names = [key.name, origin].map(encode);
  const [name = encode(''), log = encode('')] = names;
  if (names.some(({ length }) => length > 255)) return undefined;
  return Uint8Array.from([
    ...encode('subtree/v1\n\u0000'),
    ...[name.length, ...name],
    ...u64(timeS),
    ...[log.length, ...log],
    // A checkpoint is the subtree that starts at the first leaf.
    ...u64(0),
    ...u64(size),
    ...root,
  ]);
}

/** Big-endian. */
function u64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
