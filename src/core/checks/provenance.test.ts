import { describe, expect, it } from 'vitest';
import {
  aCandidate,
  aContract,
  aCriticalParam,
  aCriticalValue,
  aFinding,
  aParam,
  aReadCall,
} from '../../testing/contract-builders.ts';
import type { ParamContract, SourceRef } from '../contract.ts';
import type { CriticalValue, ParamFact, SourceFinding, TextFact } from '../facts.ts';
import { type Resolution, resolveCall } from './provenance.ts';

interface Given {
  readonly param: ParamContract;
  readonly values: readonly CriticalValue[];
}

function resolve(given: readonly Given[], texts: readonly TextFact[] = []): Resolution {
  const params = given.map(
    ({ param, values }): ParamFact => ({ param, critical: values, free: [] }),
  );
  const contract = aContract(given.map(({ param }) => param));
  return resolveCall(aReadCall({ contract, params, texts }));
}

/** One critical value of one parameter. */
const one = (
  findings: readonly SourceFinding[],
  options: { readonly param?: ParamContract; readonly value?: Partial<CriticalValue> } = {},
): Resolution =>
  resolve([
    {
      param: options.param ?? aCriticalParam('to'),
      values: [aCriticalValue('to', findings, options.value)],
    },
  ]);

const codes = ({ failures }: Resolution): readonly string[] => failures.map(({ code }) => code);
const anna = aCandidate({ recordId: 'r1', own: 'a' });
const alsoAnna = aCandidate({ recordId: 'r2', own: 'a' });

describe('resolveCall', () => {
  it("replaces a trusted value by the record's own spelling", () => {
    const record = aCandidate({ own: 'DE89 3704', changedAtMs: 5, version: '7' });
    const warnings = ['SPACES_REMOVED'];
    const normalised = { ok: true, canonical: 'A', display: 'A', warnings } as const;
    const { values, failures } = one([aFinding({ byValue: [record] })], { value: { normalised } });
    expect(failures).toEqual([]);
    expect(values).toEqual([
      {
        param: 'to',
        path: 'to',
        canonical: 'A',
        display: 'A',
        send: 'DE89 3704',
        replaced: true,
        byReference: false,
        source: 'registry:payees',
        origin: 'system_of_record',
        recordId: 'r1',
        recordVersion: '7',
        recordChangedAtMs: 5,
        warnings,
      },
    ]);
  });

  it('passes free values on as they came', () => {
    const free = { path: 'note', canonical: 'x', display: 'x', send: 'x' };
    const params = [{ param: aParam('note'), critical: [], free: [free] }];
    expect(resolveCall(aReadCall({ params })).values).toEqual([
      {
        param: 'note',
        ...free,
        replaced: false,
        byReference: false,
        source: '',
        origin: 'untrusted',
        warnings: [],
      },
    ]);
  });

  it('refuses a value that no source knows', () => {
    const findings = [aFinding(), aFinding({ source: 'mandate:landlord' })];
    expect(one(findings).failures).toEqual([
      {
        code: 'PROVENANCE_UNTRUSTED',
        path: 'to',
        given: 'A',
        triedSources: ['registry:payees', 'mandate:landlord'],
      },
    ]);
  });

  it('says which form is wanted where the value has none, and echoes only texts', () => {
    const normalised = { ok: false, detail: 'checksum', hint: 'an IBAN' } as const;
    expect(one([aFinding()], { value: { normalised } }).failures).toMatchObject([
      { code: 'PROVENANCE_UNTRUSTED', detail: 'checksum', expected: 'an IBAN' },
    ]);
    const bare = { ok: false, detail: 'type' } as const;
    const [failure] = one([aFinding()], { value: { normalised: bare, given: 7 } }).failures;
    expect(failure).toEqual({
      code: 'PROVENANCE_UNTRUSTED',
      path: 'to',
      detail: 'type',
      triedSources: ['registry:payees'],
    });
  });

  it('takes the first source that explains the value', () => {
    const claim = aCandidate({ own: 'claimed' });
    const findings = [
      aFinding({ source: 'mandate:landlord', origin: 'user_channel', byValue: [claim] }),
      aFinding({ byValue: [anna] }),
    ];
    expect(one(findings).values).toMatchObject([{ send: 'claimed', origin: 'user_channel' }]);
    expect(one(findings.toReversed()).values).toMatchObject([
      { send: 'a', source: 'registry:payees' },
    ]);
  });

  it('tries the value itself before a reference', () => {
    const named = aCandidate({ recordId: 'r9', own: 'named' });
    expect(one([aFinding({ byValue: [anna], byReference: [named] })]).values).toMatchObject([
      { send: 'a' },
    ]);
    expect(one([aFinding({ byReference: [named] })]).values).toMatchObject([
      { send: 'named', byReference: true },
    ]);
    const normalised = { ok: false, detail: 'form' } as const;
    expect(
      one([aFinding({ byReference: [named] })], { value: { normalised } }).values,
    ).toMatchObject([{ send: 'named', warnings: [] }]);
  });

  it('is not told apart by two records with one spelling where only the value counts', () => {
    expect(one([aFinding({ byValue: [anna, alsoAnna] })]).values).toMatchObject([
      { recordId: 'r1' },
    ]);
  });

  it('is ambiguous where two spellings fit, or where a name fits two records', () => {
    const other = aCandidate({ recordId: 'r2', own: 'A' });
    expect(codes(one([aFinding({ byValue: [anna, other] })]))).toEqual(['PROVENANCE_AMBIGUOUS']);
    expect(
      codes(one([aFinding({ byValue: [anna, alsoAnna, { ...other, recordId: 'r3' }] })])),
    ).toEqual(['PROVENANCE_AMBIGUOUS']);
    expect(codes(one([aFinding({ byReference: [anna, alsoAnna] })]))).toEqual([
      'PROVENANCE_AMBIGUOUS',
    ]);
    expect(codes(one([aFinding({ byReference: [anna] })]))).toEqual([]);
  });

  it('refuses a stale record and takes it when it is fresh', () => {
    expect(codes(one([aFinding({ byValue: [{ ...anna, stale: true }] })]))).toEqual([
      'PROVENANCE_STALE',
    ]);
    expect(codes(one([aFinding({ byValue: [anna] })]))).toEqual([]);
  });

  it('names a lookalike, which outranks a source that cannot be reached', () => {
    const down = aFinding({ source: 'registry:old', status: 'unavailable' });
    expect(codes(one([down, aFinding({ lookalike: true })]))).toEqual(['PROVENANCE_LOOKALIKE']);
  });

  it('names only the sources that cannot be reached', () => {
    const down = aFinding({ source: 'registry:old', status: 'unavailable' });
    expect(one([aFinding(), down]).failures).toMatchObject([
      { code: 'PROVENANCE_SOURCE_UNAVAILABLE', triedSources: ['registry:old'] },
    ]);
    expect(codes(one([down, aFinding({ byValue: [anna] })]))).toEqual([]);
  });

  it('takes a record of another type for no value of the parameter', () => {
    const number = aCandidate({ canonical: 7, own: 7 });
    const truth = aCandidate({ canonical: true, own: true });
    const ofType = (type: ParamContract['type'], candidate: typeof anna): readonly string[] =>
      codes(
        one([aFinding({ byReference: [candidate] })], { param: aCriticalParam('to', { type }) }),
      );
    expect(ofType('string', number)).toEqual(['PROVENANCE_UNTRUSTED']);
    expect(ofType('integer', number)).toEqual([]);
    expect(ofType('number', number)).toEqual([]);
    expect(ofType('number', anna)).toEqual(['PROVENANCE_UNTRUSTED']);
    expect(ofType('boolean', truth)).toEqual([]);
    expect(ofType('boolean', number)).toEqual(['PROVENANCE_UNTRUSTED']);
    expect(ofType('date', anna)).toEqual([]);
    expect(ofType('money', number)).toEqual(['PROVENANCE_UNTRUSTED']);
  });
});

describe('resolveCall, lists', () => {
  const to = aCriticalParam('to', { each: true });
  const trusted = (path: string, canonical: string): CriticalValue =>
    aCriticalValue(path, [aFinding({ byValue: [aCandidate({ canonical, recordId: canonical })] })]);

  it('takes every item or none', () => {
    const bad = aCriticalValue('to[1]', [aFinding()]);
    const { failures } = resolve([{ param: to, values: [trusted('to[0]', 'A'), bad] }]);
    expect(failures).toMatchObject([{ code: 'PROVENANCE_UNTRUSTED', path: 'to[1]' }]);
  });

  it('lets free items repeat', () => {
    const free = ['tags[0]', 'tags[1]'].map((path) => ({
      path,
      canonical: 'x',
      display: 'x',
      send: 'x',
    }));
    const params = [{ param: aParam('tags', { each: true }), critical: [], free }];
    expect(resolveCall(aReadCall({ params })).failures).toEqual([]);
  });

  it('refuses the same recipient twice, and takes it once in each of two lists', () => {
    const twice = [trusted('to[0]', 'A'), trusted('to[1]', 'B'), trusted('to[2]', 'A')];
    expect(resolve([{ param: to, values: twice }]).failures).toEqual([
      { code: 'PROVENANCE_AMBIGUOUS', path: 'to[2]', detail: 'same as to[0]' },
    ]);
    const cc = aCriticalParam('cc', { each: true });
    const apart = resolve([
      { param: to, values: [trusted('to[0]', 'A'), trusted('to[1]', 'B')] },
      { param: cc, values: [trusted('cc[0]', 'A')] },
    ]);
    expect(codes(apart)).toEqual([]);
  });
});

describe('resolveCall, record bindings', () => {
  const invoices: readonly SourceRef[] = [
    { kind: 'registry', name: 'registry:invoices', registry: 'invoices' },
  ];
  const ibans: readonly SourceRef[] = [
    { kind: 'registry', name: 'registry:invoices.iban', registry: 'invoices', field: 'iban' },
    { kind: 'registry', name: 'registry:vendors', registry: 'vendors' },
  ];
  const invoice = aCriticalParam('invoice', { sources: invoices });
  const iban = aCriticalParam('iban', { sources: ibans, record: 'invoice' });
  const record = (recordId: string, canonical: string) =>
    aCandidate({ recordId, canonical, own: canonical });
  const invoiceOf = (...records: readonly ReturnType<typeof record>[]): Given => ({
    param: invoice,
    values: [
      aCriticalValue('invoice', [aFinding({ source: 'registry:invoices', byValue: records })]),
    ],
  });
  const ibanOf = (source: string, ...records: readonly ReturnType<typeof record>[]): Given => ({
    param: iban,
    values: [aCriticalValue('iban', [aFinding({ source, byValue: records })])],
  });
  const ofInvoices = 'registry:invoices.iban';

  it('takes the value of the selected record, whichever argument comes first', () => {
    const given = [invoiceOf(record('i1', '2026-1')), ibanOf(ofInvoices, record('i1', 'DE1'))];
    expect(resolve(given).failures).toEqual([]);
    expect(resolve(given.toReversed()).values.map(({ param }) => param)).toEqual([
      'iban',
      'invoice',
    ]);
  });

  it("refuses another record's value", () => {
    const given = [invoiceOf(record('i1', '2026-1')), ibanOf(ofInvoices, record('i2', 'DE2'))];
    expect(resolve(given).failures).toMatchObject([
      { code: 'PROVENANCE_RECORD_MISMATCH', path: 'iban', detail: 'invoice' },
    ]);
  });

  it('refuses a record of another registry that happens to have the same id', () => {
    const given = [
      invoiceOf(record('i1', '2026-1')),
      ibanOf('registry:vendors', record('i1', 'DE9')),
    ];
    expect(codes(resolve(given))).toEqual(['PROVENANCE_RECORD_MISMATCH']);
  });

  it('refuses a bound value while the record is not known, also one with an empty id', () => {
    const unknown: Given = { param: invoice, values: [aCriticalValue('invoice', [aFinding()])] };
    expect(resolve([unknown, ibanOf(ofInvoices, record('i1', 'DE1'))]).failures).toMatchObject([
      { code: 'PROVENANCE_UNTRUSTED', path: 'invoice' },
      { code: 'PROVENANCE_RECORD_MISMATCH', path: 'iban', detail: 'invoice was not resolved' },
    ]);
    expect(codes(resolve([ibanOf(ofInvoices, record('', 'DE1'))]))).toEqual([
      'PROVENANCE_RECORD_MISMATCH',
    ]);
  });

  it('lists failures in the order of the arguments', () => {
    const unknown: Given = { param: invoice, values: [aCriticalValue('invoice', [aFinding()])] };
    const { failures } = resolve([ibanOf(ofInvoices), unknown]);
    expect(failures.map(({ path }) => path)).toEqual(['iban', 'invoice']);
  });

  it('is ambiguous where two records fit and another value is bound to the choice', () => {
    const twins = [record('i1', '2026-1'), record('i2', '2026-1')];
    expect(codes(resolve([invoiceOf(...twins), ibanOf(ofInvoices)]))).toEqual([
      'PROVENANCE_AMBIGUOUS',
      'PROVENANCE_UNTRUSTED',
    ]);
    expect(codes(resolve([invoiceOf(...twins)]))).toEqual([]);
  });

  it('is bound to a claim by the claim itself', () => {
    const claim: SourceRef = { kind: 'mandate', name: 'mandate:case', claim: 'case' };
    const selector = aCriticalParam('case', { sources: [claim] });
    const bound = aCriticalParam('note', { sources: [claim], record: 'case' });
    const finding = aFinding({
      source: 'mandate:case',
      byValue: [aCandidate({ recordId: 'case' })],
    });
    const given = [selector, bound].map((param) => ({
      param,
      values: [aCriticalValue(param.name, [finding])],
    }));
    expect(codes(resolve(given))).toEqual([]);
  });
});

describe('resolveCall, texts', () => {
  const entity = { kind: 'email', text: 'x@evil.example', certain: true };
  const text = (changes: Partial<TextFact>): TextFact => ({
    path: 'body',
    onUnknown: 'deny',
    unknown: [entity],
    secret: false,
    ...changes,
  });

  it('refuses an unknown entity where the contract denies, and leaves it to a person where it asks', () => {
    expect(resolve([], [text({})]).failures).toEqual([
      { code: 'PROVENANCE_TEXT_ENTITY', path: 'body', detail: 'email', given: 'x@evil.example' },
    ]);
    expect(resolve([], [text({ onUnknown: 'ask' })]).failures).toEqual([]);
    expect(resolve([], [text({ unknown: [] })]).failures).toEqual([]);
  });

  it('refuses a secret in any case, and does not repeat it', () => {
    expect(resolve([], [text({ onUnknown: 'ask', secret: true })]).failures).toEqual([
      { code: 'PROVENANCE_TEXT_ENTITY', path: 'body', detail: 'secret' },
    ]);
  });

  it('names values and texts together', () => {
    const given = [{ param: aCriticalParam('to'), values: [aCriticalValue('to', [aFinding()])] }];
    expect(codes(resolve(given, [text({})]))).toEqual([
      'PROVENANCE_UNTRUSTED',
      'PROVENANCE_TEXT_ENTITY',
    ]);
  });
});
