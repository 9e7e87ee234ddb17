// Bundle files that cannot be read.
import { type Base, change, type Json, type Vectors } from './receipt-vector.ts';

/** Bundle files. */
export function bundleVectors({ bundle, trust }: Base): Vectors {
  const { leaf } = JSON.parse(bundle) as { leaf: string };
  const salt = 'A'.repeat(43);
  const list: [string, string, string][] = [
    ['empty', '', 'BUNDLE_NOT_JSON'],
    ['second-value', `${bundle}{}`, 'BUNDLE_NOT_JSON'],
    ['duplicate-key', bundle.replace('"leaf"', '"leaf": "", "leaf"'), 'BUNDLE_NOT_JSON'],
    ['byte-order-mark', `\ufeff${bundle}`, 'BUNDLE_NOT_JSON'],
    ['other-format', change(bundle, { format: 'intentplane-receipt/2' }), 'BUNDLE_FORMAT'],
    ['unknown-key', change(bundle, { note: 'x' }), 'BUNDLE_MALFORMED'],
    ['no-leaf', change(bundle, { leaf: undefined }), 'BUNDLE_MALFORMED'],
    ['base64url-leaf', change(bundle, { leaf: `-_-_${leaf}` }), 'BUNDLE_MALFORMED'],
    ['leaf-without-padding', change(bundle, { leaf: 'AA' }), 'BUNDLE_MALFORMED'],
    ['leaf-with-spare-bits', change(bundle, { leaf: 'AB==' }), 'BUNDLE_MALFORMED'],
    [
      'base64-salt',
      change(bundle, { disclosed: { x: { salt: `${salt}=`, value: 1 } } }),
      'BUNDLE_MALFORMED',
    ],
    [
      'fraction-disclosed',
      change(bundle, { disclosed: { x: { salt, value: 0.5 } } }),
      'BUNDLE_MALFORMED',
    ],
    ['unknown-evidence', change(bundle, { evidence: { approvals: [] } }), 'BUNDLE_MALFORMED'],
  ];
  return list.map(([name, text, code]) => [
    `bundle-${name}`,
    { bundle: text, trust, expect: { verdict: 'bad_input', input: 'bundle', code } },
  ]);
}

/** Bundles in JSON whose parts have another form. */
export function bundlePartVectors({ bundle, trust }: Base): Vectors {
  const { disclosed } = JSON.parse(bundle) as { disclosed: Record<string, Json> };
  const { salt } = disclosed['reasons'] as { salt: string };
  const opened = (opening: unknown): string => change(bundle, { disclosed: { x: opening } });
  const shown = (text: string): string => opened({ salt, value: 'here' }).replace('"here"', text);
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const json: [string, string][] = [
    ['cut', bundle.slice(0, -3)],
    ['trailing-comma', bundle.trimEnd().replace(/\}$/, ',}')],
    ['comment', `${bundle}// end`],
    ['raw-newline-in-a-text', bundle.replace(/\\n/, '\n')],
    ['lone-surrogate', change(bundle, { proof: 'here' }).replace('here', '\\ud800')],
    ['forbidden-key', bundle.replace('"leaf"', '"__proto__": {}, "leaf"')],
    ['forbidden-field', bundle.replace('"reasons"', '"constructor"')],
    ['key-twice-by-escape', bundle.replace('"leaf"', '"le\\u0061f": "", "leaf"')],
    ['41-deep', shown(nested(38))],
    ['other-white-space', `\u00a0${bundle}`],
  ];
  const format: [string, string][] = [
    ['list', `[${bundle}]`],
    ['null', 'null'],
    ['no-format', change(bundle, { format: undefined })],
    ['format-in-a-list', change(bundle, { format: ['intentplane-receipt/1'] })],
    ['format-with-space', change(bundle, { format: 'intentplane-receipt/1 ' })],
    ['format-in-upper-case', change(bundle, { format: 'Intentplane-Receipt/1' })],
    ['other-format-and-unknown-key', change(bundle, { format: 1, x: 1 })],
  ];
  const malformed: [string, string][] = [
    ['leaf-as-number', change(bundle, { leaf: 1 })],
    ['leaf-with-newline', change(bundle, { leaf: 'AAAA\nAAAA' })],
    ['leaf-with-too-much-padding', change(bundle, { leaf: 'AAAA====' })],
    ['leaf-with-padding-inside', change(bundle, { leaf: 'AA==AAAA' })],
    ['no-proof', change(bundle, { proof: undefined })],
    ['proof-as-list', change(bundle, { proof: [] })],
    ['no-disclosed', change(bundle, { disclosed: undefined })],
    ['disclosed-list', change(bundle, { disclosed: [] })],
    ['disclosed-null', change(bundle, { disclosed: null })],
    ['opening-as-list', opened([salt, 1])],
    ['opening-without-salt', opened({ value: 1 })],
    ['opening-without-value', opened({ salt })],
    ['opening-with-another-key', opened({ salt, value: 1, type: 'x' })],
    ['salt-as-number', opened({ salt: 1, value: 1 })],
    ['salt-of-31-bytes', opened({ salt: 'A'.repeat(42), value: 1 })],
    ['salt-of-33-bytes', opened({ salt: 'A'.repeat(44), value: 1 })],
    ['salt-with-spare-bits', opened({ salt: `${'A'.repeat(42)}B`, value: 1 })],
    ['salt-in-the-other-alphabet', opened({ salt: `${'+'.repeat(42)}A`, value: 1 })],
    ['value-minus-zero', shown('-0')],
    ['value-with-point', shown('1.0')],
    ['value-with-exponent', shown('1e0')],
    ['value-of-two-to-the-53', shown('9007199254740992')],
    ['value-of-5000-digits', shown('9'.repeat(5000))],
    ['value-33-deep', shown(nested(33))],
    ['value-37-deep', shown(nested(37))],
    ['no-evidence', change(bundle, { evidence: undefined })],
    ['evidence-null', change(bundle, { evidence: null })],
    ['evidence-list', change(bundle, { evidence: [] })],
    ['preimage-null', change(bundle, { evidence: { preimage: null } })],
    ['preimage-as-object', change(bundle, { evidence: { preimage: {} } })],
  ];
  const all = [
    ...json.map(([name, text]) => [name, text, 'BUNDLE_NOT_JSON']),
    ...format.map(([name, text]) => [name, text, 'BUNDLE_FORMAT']),
    ...malformed.map(([name, text]) => [name, text, 'BUNDLE_MALFORMED']),
  ];
  return all.map(([name = '', text = '', code = '']) => [
    `bundle-${name}`,
    { bundle: text, trust, expect: { verdict: 'bad_input', input: 'bundle', code } },
  ]);
}
