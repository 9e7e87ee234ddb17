// Keys and tokens by their shape. They are refused in every outgoing text.
import type { Found } from './text-entity.ts';

const pem = /-----BEGIN [A-Z0-9 ]{3,40}-----/gu;
const jws = /(?<![0-9A-Za-z_-])eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{4,}\.[0-9A-Za-z_-]{8,}/gu;
const prefixes = [
  'sk-[0-9A-Za-z_-]{20,}',
  '(?:sk|rk)_(?:live|test)_[0-9A-Za-z]{16,}',
  'whsec_[0-9A-Za-z]{16,}',
  'gh[opsur]_[0-9A-Za-z]{30,}',
  'github_pat_[0-9A-Za-z_]{20,}',
  'glpat-[0-9A-Za-z_-]{16,}',
  'xox[abeprs]-[0-9A-Za-z-]{10,}',
  'xapp-[0-9A-Za-z-]{10,}',
  '(?:AKIA|ASIA)[0-9A-Z]{16}',
  'AIza[0-9A-Za-z_-]{30,}',
  'ya29\\.[0-9A-Za-z_-]{20,}',
  'npm_[0-9A-Za-z]{30,}',
  'pypi-[0-9A-Za-z_-]{30,}',
  'SG\\.[0-9A-Za-z_-]{16,}\\.[0-9A-Za-z_-]{16,}',
  'hf_[0-9A-Za-z]{30,}',
  'dop_v1_[0-9a-f]{40,}',
  'shp(?:at|ss)_[0-9a-f]{30,}',
  'AGE-SECRET-KEY-1[0-9A-Z]{50,}',
];
const known = new RegExp(`(?<![0-9A-Za-z_-])(?:${prefixes.join('|')})`, 'gu');
const longRun = /(?<![0-9A-Za-z_-])[0-9A-Za-z_-]{10}/u;

/** All keys and tokens of a text. */
export function findSecrets(text: string): Found[] {
  if (!longRun.test(text)) return [];
  return [pem, jws, known].flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (match) => ({
      kind: 'secret' as const,
      certainty: 'certain' as const,
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
}
