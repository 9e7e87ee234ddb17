// Bundles that were made after values were erased.
import { type Base, change, invalid, type Json, type Vectors } from './receipt-vector.ts';

const redacted = { verdict: 'valid', redacted: true } as const;
const malformed = { verdict: 'bad_input', input: 'bundle', code: 'BUNDLE_MALFORMED' } as const;

/** Step 2, and the form of the list. */
export function redactionVectors({ bundle, trust }: Base): Vectors {
  const { disclosed } = JSON.parse(bundle) as { disclosed: Record<string, Json> };
  const { 'param.amount': amount, 'param.iban': iban, reasons } = disclosed;
  const all = ['param.amount', 'param.iban', 'reasons'];
  const rest = { 'param.amount': amount, reasons };
  const list: [string, Json, Vectors[number][1]['expect']][] = [
    ['everything', { disclosed: {}, redacted: all, evidence: {} }, redacted],
    ['one-field', { disclosed: rest, redacted: ['param.iban'] }, redacted],
    ['one-field-and-one-closed', { disclosed: { reasons }, redacted: ['param.iban'] }, redacted],
    ['in-another-order', { disclosed: {}, redacted: all.toReversed() }, redacted],
    ['nothing', { redacted: [] }, { verdict: 'valid' }],
    [
      'field-that-is-not-committed',
      { disclosed: rest, redacted: ['param.name'] },
      invalid(2, 'FIELD_NOT_COMMITTED'),
    ],
    ['open-field', { redacted: ['decision'] }, invalid(2, 'FIELD_NOT_COMMITTED')],
    ['inherited-name', { redacted: ['toString'] }, invalid(2, 'FIELD_NOT_COMMITTED')],
    ['empty-name', { redacted: [''] }, invalid(2, 'FIELD_NOT_COMMITTED')],
    [
      'beside-a-wrong-value',
      { disclosed: { reasons: { ...reasons, value: ['x'] } }, redacted: ['param.iban'] },
      invalid(2, 'COMMITMENT_MISMATCH'),
    ],
    [
      'unknown-before-a-wrong-value',
      { disclosed: { reasons: { ...reasons, value: ['x'] } }, redacted: ['x'] },
      invalid(2, 'FIELD_NOT_COMMITTED'),
    ],
    [
      'field-that-is-disclosed',
      { redacted: ['param.iban'], disclosed: { 'param.iban': iban } },
      malformed,
    ],
    ['field-twice', { disclosed: {}, redacted: ['reasons', 'reasons'] }, malformed],
    ['null', { redacted: null }, malformed],
    ['object', { redacted: {} }, malformed],
    ['text', { redacted: 'reasons' }, malformed],
    ['number-in-the-list', { disclosed: {}, redacted: [1] }, malformed],
    ['list-in-the-list', { disclosed: {}, redacted: [['reasons']] }, malformed],
    ['null-in-the-list', { disclosed: {}, redacted: [null] }, malformed],
  ];
  return list.map(([name, changes, expect]) => [
    `redacted-${name}`,
    { bundle: change(bundle, changes), trust, expect },
  ]);
}
