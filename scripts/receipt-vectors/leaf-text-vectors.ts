// Leaves that are JSON in other words than the canonical ones, and bytes that are no JSON.
import { bundleOfBytes, goodLeaf, invalid, type Vectors } from './receipt-vector.ts';

/** Other spellings of the text `enforce`. */
const texts: readonly (readonly [string, string])[] = [
  ['upper-case-escape', '"\\u001F"'],
  ['escaped-slash', '"a\\/b"'],
  ['long-escape-of-a-newline', '"\\u000a"'],
  ['escaped-delete', '"\\u007f"'],
  ['escaped-surrogate-pair', '"\\ud83d\\ude00"'],
  ['surrogate-halves-swapped', '"\\ude00\\ud83d"'],
  ['raw-newline', '"\n"'],
  ['raw-nul', '"\u0000"'],
  ['unknown-escape', '"\\x41"'],
  ['short-escape', '"\\u12"'],
  ['escape-of-other-digits', '"\\u００４１"'],
  ['single-quotes', "'enforce'"],
];

/** Other spellings of the number 0, or values in its place. */
const values: readonly (readonly [string, string])[] = [
  ['leading-zero', '00'],
  ['plus-sign', '+1'],
  ['point-without-digit', '1.'],
  ['digits-of-another-script', '١'],
  ['minus-two-to-the-53', '-9007199254740992'],
  ['5000-digits', `1${'0'.repeat(5000)}`],
  ['not-a-number', 'NaN'],
  ['upper-case-word', 'True'],
  ['comment', '/**/0'],
  ['no-break-space', '\u00a00'],
  ['nested-keys-unsorted', '{"b":1,"a":2}'],
  ['nested-key-twice', '{"a":1,"a":1}'],
  ['nested-forbidden-key', '{"constructor":1}'],
  ['keys-by-code-point', '{"\ufb33":1,"\u{1f600}":1}'],
  ['key-without-quotes', '{a:1}'],
  ['key-twice-by-escape', '0,"\\u006cevel":0'],
];

/** Bytes in place of the text `enforce` that are no UTF-8. */
const bytes: readonly (readonly [string, readonly number[]])[] = [
  ['byte-ff', [0xff]],
  ['overlong-slash', [0xc0, 0xaf]],
  ['encoded-surrogate', [0xed, 0xa0, 0x80]],
  ['above-unicode', [0xf4, 0x90, 0x80, 0x80]],
  ['character-cut-short', [0xe2, 0x82]],
];

/** Step 1: each in a log that holds exactly these bytes. */
export async function leafTextVectors(): Promise<Vectors> {
  const good = await goodLeaf();
  const [before = '', after = ''] = good.split('enforce');
  const all: [string, Uint8Array][] = [
    ...texts.map(edit(good, '"enforce"')),
    ...values.map(edit(good, '0', '"level":')),
    ['trailing-comma', Buffer.from(good.replace('"v":1}', '"v":1,}'))],
    ['without-end', Buffer.from(good.slice(0, -1))],
    ['nul-at-end', Buffer.from(`${good}\u0000`)],
    ['null', Buffer.from('null')],
    ['utf-16', Buffer.from(good, 'utf16le')],
    ...bytes.map(([name, wrong]): [string, Uint8Array] => [
      name,
      Buffer.concat([Buffer.from(before), Uint8Array.from(wrong), Buffer.from(after)]),
    ]),
  ];
  return Promise.all(
    all.map(async ([name, leaf]): Promise<Vectors[number]> => {
      const { bundle, trust } = await bundleOfBytes(leaf);
      const expect = invalid(1, 'LEAF_NOT_CANONICAL');
      return [`leaf-${name}`, { bundle, trust, expect }];
    }),
  );
}

/** An edit of the leaf that puts each text where `from` stands behind `label`. */
const edit =
  (good: string, from: string, label = '') =>
  ([name, to]: readonly [string, string]): [string, Uint8Array] => [
    name,
    Buffer.from(good.replace(label + from, label + to)),
  ];
