// SHA-256 and HMAC-SHA-256. The only file of the core that uses a Node module, so everything
// that must also run in a browser imports something else.
import { hash } from 'node:crypto';

const blockSizeBytes = 64;
const digestSizeBytes = 32;
/** Longest message that HMAC hashes out of its preallocated buffer. */
const scratchSizeBytes = 16_384;

/** SHA-256 of bytes, or of the UTF-8 form of a text. */
export function sha256(bytes: Uint8Array | string): Uint8Array {
  return toBytes(hash('sha256', bytes, 'binary'));
}

/** SHA-256 as 64 lower-case hex digits. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex');
}

/** HMAC-SHA-256 of bytes, or of the UTF-8 form of a text. */
export function hmacSha256(key: Uint8Array, bytes: Uint8Array | string): Uint8Array {
  return toBytes(hash('sha256', outerBlock(key, bytes), 'binary'));
}

/** HMAC-SHA-256 in base64url without padding: 43 characters. */
export function hmacSha256Base64Url(key: Uint8Array, bytes: Uint8Array | string): string {
  return hash('sha256', outerBlock(key, bytes), 'base64url');
}

// Two plain hashes over reused buffers: `createHmac` costs twelve times as much per call.
// Safe because nothing here waits, so no second call can start in between.
const outer = Buffer.alloc(blockSizeBytes + digestSizeBytes);
const scratch = Buffer.alloc(blockSizeBytes + scratchSizeBytes);

function outerBlock(key: Uint8Array, bytes: Uint8Array | string): Uint8Array {
  const sizeMaxBytes = typeof bytes === 'string' ? bytes.length * 3 : bytes.length;
  const inner =
    sizeMaxBytes <= scratchSizeBytes ? scratch : Buffer.alloc(blockSizeBytes + sizeMaxBytes);
  padKey(key.length > blockSizeBytes ? sha256(key) : key, inner);
  const sizeBytes = typeof bytes === 'string' ? inner.write(bytes, blockSizeBytes) : bytes.length;
  if (typeof bytes !== 'string') inner.set(bytes, blockSizeBytes);
  const digest = hash('sha256', inner.subarray(0, blockSizeBytes + sizeBytes), 'binary');
  outer.write(digest, blockSizeBytes, 'binary');
  return outer;
}

function padKey(key: Uint8Array, inner: Uint8Array): void {
  for (let i = 0; i < key.length; i += 1) {
    inner[i] = (key[i] as number) ^ 0x36;
    outer[i] = (key[i] as number) ^ 0x5c;
  }
  inner.fill(0x36, key.length, blockSizeBytes);
  outer.fill(0x5c, key.length, blockSizeBytes);
}

// One character is one byte. Asking `hash` for a Buffer costs twice as much, and a Buffer would
// drag its whole pool along when it is posted to a worker.
function toBytes(binary: string): Uint8Array {
  const bytes = new Uint8Array(digestSizeBytes);
  for (let i = 0; i < digestSizeBytes; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
