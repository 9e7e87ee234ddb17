// Random bytes for salts and nonces, drawn from the system in blocks: one call for each salt
// costs ten times as much.
import { randomFillSync } from 'node:crypto';

const blockSizeBytes = 4096;

/** A source of fresh random bytes; no byte is given out twice. */
export function createRandomSource(): (sizeBytes: number) => Uint8Array {
  const block = new Uint8Array(blockSizeBytes);
  let at = blockSizeBytes;
  return (sizeBytes) => {
    if (sizeBytes > blockSizeBytes) return randomFillSync(new Uint8Array(sizeBytes));
    if (at + sizeBytes > blockSizeBytes) {
      randomFillSync(block);
      at = 0;
    }
    const bytes = block.slice(at, at + sizeBytes);
    // What was given out is a secret of its owner: keep no copy.
    block.fill(0, at, at + sizeBytes);
    at += sizeBytes;
    return bytes;
  };
}
