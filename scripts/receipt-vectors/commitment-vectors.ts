// Disclosures that do not open what the leaf committed to.
import { type Base, change, invalid, type Json, type Vectors } from './receipt-vector.ts';

/** Step 2. */
export function commitmentVectors({ bundle, trust }: Base): Vectors {
  const { disclosed } = JSON.parse(bundle) as { disclosed: Record<string, Json> };
  const { 'param.amount': amount, 'param.iban': iban, reasons } = disclosed;
  const list: [string, Json, string][] = [
    ['other-value', { reasons: { ...reasons, value: ['x'] } }, 'COMMITMENT_MISMATCH'],
    ['value-of-another-type', { reasons: { ...reasons, value: {} } }, 'COMMITMENT_MISMATCH'],
    ['null-value', { reasons: { ...reasons, value: null } }, 'COMMITMENT_MISMATCH'],
    ['wrong-salt', { reasons: { ...reasons, salt: iban?.['salt'] } }, 'COMMITMENT_MISMATCH'],
    ['zero-salt', { reasons: { ...reasons, salt: 'A'.repeat(43) } }, 'COMMITMENT_MISMATCH'],
    ['swapped-fields', { 'param.amount': iban, 'param.iban': amount }, 'COMMITMENT_MISMATCH'],
    ['unknown-field', { 'param.name': iban }, 'FIELD_NOT_COMMITTED'],
    ['open-field', { decision: reasons }, 'FIELD_NOT_COMMITTED'],
    ['inherited-name', { toString: reasons }, 'FIELD_NOT_COMMITTED'],
  ];
  return list.map(([name, changes, code]) => [
    `commitment-${name}`,
    { bundle: change(bundle, { disclosed: changes }), trust, expect: invalid(2, code) },
  ]);
}
