// Salts out of one larger draw: asking the system for 32 bytes at a time costs more than sealing.

const saltSizeBytes = 32;
const drawSizeBytes = 4096;

/** Gives 32 bytes at each call, none of them twice. */
export function createSaltSource(random: (size: number) => Uint8Array): () => Uint8Array {
  let drawn: Uint8Array = new Uint8Array(0);
  let at = 0;
  return () => {
    if (at === drawn.length) {
      drawn = random(drawSizeBytes);
      at = 0;
    }
    const salt = drawn.subarray(at, at + saltSizeBytes);
    at += saltSizeBytes;
    return salt;
  };
}
