// Bundles and trust files that were changed in one place at random. The same seed gives the same.
import type { ReceiptVector } from '../scripts/receipt-vectors/receipt-vector.ts';

type Input = Pick<ReceiptVector, 'bundle' | 'trust'>;

interface Bundle {
  readonly leaf: string;
  readonly proof: string;
  readonly evidence: { readonly preimage?: string };
}

/** `count` changed inputs for each part: the files themselves, leaf, proof and operation. */
export function damaged(
  { bundle, trust }: Input,
  settings: { readonly seed: number; readonly count: number },
): readonly Input[] {
  const random = randomFrom(settings.seed);
  const json = JSON.parse(bundle) as Bundle;
  const of = (changes: object): Input => ({
    bundle: JSON.stringify({ ...json, ...changes }),
    trust,
  });
  const edit = (text: string): string => damageText(text, random);
  const parts: (() => Input)[] = [
    () => ({ bundle: edit(bundle), trust }),
    () => ({ bundle, trust: edit(trust) }),
    () => of({ leaf: damageBytes(Buffer.from(json.leaf, 'base64'), random).toString('base64') }),
    () => of({ proof: edit(json.proof) }),
    () => of({ evidence: { preimage: edit(json.evidence.preimage ?? '{}') } }),
  ];
  return parts.flatMap((make) => Array.from({ length: settings.count }, make));
}

type Random = (below: number) => number;

/** Characters that one of two readers may take for something else. */
const odd = [
  ...'"\\{}[]:, +-=/_019eE.\n\r\t\u0000\u007f\u0085\u00a0\u2028\u3000\ufeff٤é',
  '\u{1f600}',
];

/** Bits of a byte flipped; the text stays UTF-8, since only texts reach the verifiers. */
function damageText(text: string, random: Random): string {
  const characters = [...text];
  const at = random(characters.length);
  const here = characters[at] ?? '';
  const code = (here.codePointAt(0) ?? 0) ^ (1 << random(7));
  const kinds = [
    () => [String.fromCodePoint(code >= 0xd800 && code < 0xe000 ? 0x40 : code)],
    () => [String.fromCodePoint((here.codePointAt(0) ?? 0) ^ 0x20)],
    () => [odd[random(odd.length)] ?? ''],
    () => [here, odd[random(odd.length)] ?? ''],
    () => [here, here],
    () => [],
  ];
  characters.splice(at, 1, ...((kinds[random(kinds.length)] ?? (() => []))() as string[]));
  return characters.join('');
}

function damageBytes(bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length);
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ (1 << random(8));
  return random(4) > 0 ? changed : Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
}

/** A small generator of numbers that only have to look unordered (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
