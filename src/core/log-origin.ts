// The name of a receipt log: first line of its checkpoints and name of its key.

/** Longest origin in UTF-8 bytes: cosignatures carry it behind a one-byte length. */
const originSizeMaxBytes = 255;

const forbidden = /[\p{White_Space}\p{Cc}\p{Surrogate}+]/u;

/**
 * True for a name that a signed note can carry: not empty, no space, no plus sign, no control
 * character. A schema-less URL such as `example.com/payments` avoids clashes.
 */
export function isLogOrigin(name: string): boolean {
  const sizeBytes = new TextEncoder().encode(name).length;
  return sizeBytes > 0 && sizeBytes <= originSizeMaxBytes && !forbidden.test(name);
}
