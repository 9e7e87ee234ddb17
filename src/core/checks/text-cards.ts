// Payment card numbers: the ranges of the card schemes and the Luhn checksum.

const ranges: readonly (readonly [start: RegExp, lengths: readonly number[]])[] = [
  [/^4/u, [13, 16, 19]],
  [/^(?:5[1-5]|2[2-7])/u, [16]],
  [/^3[47]/u, [15]],
  [/^3(?:0[0-5]|[689])/u, [14, 16]],
  [/^35/u, [16]],
  [/^6(?:011|4[4-9]|5|2)/u, [16, 19]],
  [/^(?:50|5[6-8]|6[037])/u, [16, 18, 19]],
];

/** True for digits that can be a payment card number. */
export function isCardNumber(digits: string): boolean {
  const fits = ranges.some(
    ([start, lengths]) => lengths.includes(digits.length) && start.test(digits),
  );
  return fits && hasLuhnChecksum(digits);
}

function hasLuhnChecksum(digits: string): boolean {
  let sum = 0;
  for (let i = 1; i <= digits.length; i += 1) {
    const digit = digits.charCodeAt(digits.length - i) - 48;
    const twice = digit * 2;
    sum += i % 2 === 1 ? digit : twice > 9 ? twice - 9 : twice;
  }
  return sum % 10 === 0;
}
