// Phone numbers by shape: with a country prefix, of the North American plan, or near a phone word.

const phoneWords = [
  '\\b(?:tel|phone|telephone|mobile?|cell|call|dial|fax|sms|whatsapp|hotline|handy)',
  '\\b(?:telefon(?:nummer)?|mobil(?:nummer)?|rückruf|anrufen?|durchwahl|rufnummer)',
  '\\b(?:appele[rz]?|telefono|móvil|tél(?:éphone)?)',
  'tel:|☎|📞',
];
const fillers = 'number|no|nr|nummer|unter|me|us|at|on|is|ist|au|the|new|neue';
const phoneWord = new RegExp(
  `(?:${phoneWords.join('|')})[\\s.:#)(-]*(?:(?:${fillers})[\\s.:]+){0,3}$`,
  'iu',
);
const wordDistanceMax = 40;
const northAmerican = /^(?:1[ .-]?)?\(?[2-9]\d{2}\)?[ .-]\d{3}[ .-]\d{4}$/u;
const grouped = /^0\d{1,5}[ ./-]\d/u;

export interface PhoneCandidate {
  /** The run of digits and separators as written. */
  readonly spelled: string;
  /** Text before the run. */
  readonly before: string;
  /** Words around it name something else: only a country prefix or a phone word counts. */
  readonly isNoPhone: boolean;
}

/**
 * The number in canonical form, E.164 where it has a country prefix; undefined for other runs.
 * `+49 (0)30` loses the trunk zero.
 */
export function readPhone(candidate: PhoneCandidate): string | undefined {
  const { spelled, before } = candidate;
  const digits = spelled.replace(/\D/gu, '');
  const isCalled = phoneWord.test(before.slice(-wordDistanceMax));
  if (/\+\(?$/u.test(before) && !isSignedAmount(spelled)) {
    const international = spelled.replace(/\(0\)/u, '').replace(/\D/gu, '');
    return isBetween(international, 7, 15) ? `+${international}` : undefined;
  }
  const hasSeparator = digits.length < spelled.length;
  if (/^00[1-9]/u.test(digits) && isBetween(digits, 10, 17) && (hasSeparator || isCalled)) {
    return `+${digits.slice(2)}`;
  }
  if (isCalled && isBetween(digits, 6, 15)) return digits;
  if (candidate.isNoPhone) return undefined;
  if (northAmerican.test(spelled)) return digits;
  return grouped.test(spelled) && isBetween(digits, 9, 12) ? digits : undefined;
}

const isBetween = (digits: string, min: number, max: number): boolean =>
  digits.length >= min && digits.length <= max;

/** `+1.500.000`: a change, not a number to call. */
const isSignedAmount = (spelled: string): boolean => /^\d{1,3}(?:\.\d{3}){1,3}$/u.test(spelled);
