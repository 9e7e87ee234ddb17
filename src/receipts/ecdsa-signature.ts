// ECDSA signatures of P-256 in DER (RFC 3279 section 2.2.3): a sequence of two integers.

const numberSizeBytes = 32;

/** r and s side by side, 32 bytes each. Undefined for anything but strict DER of two such numbers. */
export function ecdsaNumbers(der: Uint8Array): Uint8Array | undefined {
  // Two numbers of 33 bytes at most: every length fits one byte.
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined;
  const r = readNumber(der, 2);
  const s = r && readNumber(der, r.end);
  if (r === undefined || s?.end !== der.length) return undefined;
  const numbers = new Uint8Array(2 * numberSizeBytes);
  numbers.set(r.bytes, numberSizeBytes - r.bytes.length);
  numbers.set(s.bytes, 2 * numberSizeBytes - s.bytes.length);
  return numbers;
}

/** An integer that is not negative, without a needless zero in front. */
function readNumber(
  der: Uint8Array,
  at: number,
): { readonly bytes: Uint8Array; readonly end: number } | undefined {
  const sizeBytes = der[at + 1];
  if (der[at] !== 0x02 || sizeBytes === undefined || sizeBytes === 0) return undefined;
  const end = at + 2 + sizeBytes;
  const [first, second] = der.subarray(at + 2, end);
  if (first === undefined || end > der.length || first >= 0x80) return undefined;
  const isPadded = first === 0 && sizeBytes > 1;
  if (isPadded && (second as number) < 0x80) return undefined;
  const bytes = der.slice(isPadded ? at + 3 : at + 2, end);
  return bytes.length > numberSizeBytes ? undefined : { bytes, end };
}
