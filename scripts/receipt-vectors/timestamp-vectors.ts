// Timestamps as far as both verifiers read them: their form, and that none is believed unchecked.
// Real tokens are checked in src/receipts, against the program `openssl`.
import { encodeBase64 } from '../../src/core/base64.ts';
import { type Base, invalid, type ReceiptVector, type Vectors } from './receipt-vector.ts';

const pem = (body: string): string =>
  `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
const root = pem(encodeBase64(new Uint8Array(48).fill(1)));
const token = encodeBase64(Uint8Array.of(0x30, 0x00));

/** Names begin with `timestamp-`. */
export function timestampVectors({ bundle, trust }: Base): Vectors {
  const holding = (timestamps: unknown): string =>
    JSON.stringify({ ...(JSON.parse(bundle) as object), evidence: { timestamps } });
  const believing = (roots: unknown, policy = trust): string =>
    JSON.stringify({ policy, timestamp_roots: roots });
  const malformed = (timestamps: unknown): ReceiptVector => ({
    ...{ bundle: holding(timestamps), trust },
    expect: { verdict: 'bad_input', input: 'bundle', code: 'BUNDLE_MALFORMED' },
  });
  const badRoots = (roots: unknown): ReceiptVector => ({
    ...{ bundle, trust: believing(roots) },
    expect: { verdict: 'bad_input', input: 'trust', code: 'TRUST_MALFORMED' },
  });
  const judged = (text: string, believed: string, code?: string): ReceiptVector => ({
    ...{ bundle: text, trust: believed },
    expect: code === undefined ? { verdict: 'valid' } : invalid(5, code),
  });
  const list: Record<string, ReceiptVector> = {
    'not-asked-for': judged(holding([token]), trust),
    'no-roots': judged(holding([token]), believing([])),
    none: judged(holding([]), trust),
    missing: judged(bundle, believing([root]), 'TIMESTAMP_MISSING'),
    'missing-in-a-list': judged(holding([]), believing([root]), 'TIMESTAMP_MISSING'),
    unchecked: judged(holding([token]), believing([root]), 'TIMESTAMP_UNAVAILABLE'),
    'root-with-windows-lines': judged(
      holding([token]),
      believing([root.replaceAll('\n', '\r\n')]),
      'TIMESTAMP_UNAVAILABLE',
    ),
    'as-text': malformed(token),
    'as-number': malformed([1]),
    null: malformed(null),
    'empty-token': malformed(['']),
    'base64url-token': malformed(['_-_-']),
    'token-without-padding': malformed(['MAA']),
    nine: malformed(new Array(9).fill(token)),
    'token-too-long': malformed([encodeBase64(new Uint8Array(65_537))]),
    'roots-as-text': badRoots(root),
    'roots-null': badRoots(null),
    'root-as-number': badRoots([1]),
    'root-not-pem': badRoots([token]),
    'root-not-base64': badRoots([pem('AAA')]),
    'two-roots-in-one-text': badRoots([root + root]),
    'root-after-a-space': badRoots([` ${root}`]),
    'root-with-a-key-beside': badRoots([root.replaceAll('CERTIFICATE', 'PUBLIC KEY')]),
    'thirty-three-roots': badRoots(new Array(33).fill(root)),
  };
  return Object.entries(list).map(([name, vector]) => [`timestamp-${name}`, vector]);
}
