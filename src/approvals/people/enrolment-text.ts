// A one-time code as people read it out: 80 random bits, no letter that looks like a digit.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groupLength = 4;
const length = 16;

/** `random` fills with random bytes. */
export function makeEnrolmentCode(random: (size: number) => Uint8Array): string {
  const letters = [...random(length)].map((byte) => alphabet[byte % alphabet.length] ?? '');
  const groups = Array.from({ length: length / groupLength }, (_unused, i) =>
    letters.slice(i * groupLength, (i + 1) * groupLength).join(''),
  );
  return groups.join('-');
}
