import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aPreimage } from '../testing/test-bundle.ts';
import {
  encodePreimage,
  type OperationPreimage,
  opHash,
  PreimageError,
  parsePreimage,
} from './op-hash.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function faultOf(changes: Record<string, unknown>, without?: string): string | undefined {
  const preimage: Record<string, unknown> = { ...aPreimage(), ...changes };
  if (without !== undefined) delete preimage[without];
  try {
    encodePreimage(preimage as unknown as OperationPreimage);
  } catch (error) {
    if (error instanceof PreimageError) return error.path;
    throw error;
  }
  return undefined;
}

describe('opHash', () => {
  it('is SHA-256 over label, zero byte and canonical text, in lower-case hex', () => {
    const text = encodePreimage(aPreimage());
    const expected = createHash('sha256').update('intentplane/op/v1\0').update(text).digest('hex');
    expect(opHash(text)).toBe(expected);
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
  });

  it('changes with every single field', () => {
    const hashes = new Set([opHash(encodePreimage(aPreimage()))]);
    const changes: Partial<OperationPreimage>[] = [
      { op_id: 'f'.repeat(32) },
      { nonce: 'A'.repeat(43) },
      { gateway: 'other.example' },
      { action: 'mail.send' },
      { contract: '0'.repeat(64) },
      { values: { ...aPreimage().values, amount: { type: 'money', value: '1240.01' } } },
      {
        origins: {
          ...aPreimage().origins,
          iban: { source: 'registry:vendors.iban', record: 'v12', version: '4' },
        },
      },
      { principal: 'other' },
      { agent: 'agent' },
      { mandate: { ...aPreimage().mandate, id: 'm-2' } },
      { level: 1 },
      { quorum: { ...aPreimage().quorum, count: 1 } },
      { policy: { ...aPreimage().policy, cedar: '4.13.1' } },
      { target: { ...aPreimage().target, definition: null } },
      { expires: 1 },
    ];
    for (const change of changes) hashes.add(opHash(encodePreimage(aPreimage(change))));
    expect(hashes.size).toBe(changes.length + 1);
  });
});

describe('encodePreimage', () => {
  it('refuses a missing field, whichever it is', () => {
    for (const field of Object.keys(aPreimage())) expect(faultOf({}, field)).toBe(field);
    for (const field of ['mandate', 'quorum', 'policy', 'target'] as const) {
      for (const inner of Object.keys(aPreimage()[field])) {
        const part: Record<string, unknown> = { ...aPreimage()[field] };
        delete part[inner];
        expect(faultOf({ [field]: part })).toBe(`${field}.${inner}`);
      }
    }
  });

  it('refuses an extra field at every depth', () => {
    const { mandate, values, origins } = aPreimage();
    expect(faultOf({ note: 'x' })).toBe('note');
    expect(faultOf({ mandate: { ...mandate, note: 'x' } })).toBe('mandate.note');
    expect(faultOf({ values: { ...values, iban: { ...values['iban'], note: 1 } } })).toBe(
      'values.iban.note',
    );
    expect(faultOf({ origins: { ...origins, other: origins['iban'] } })).toBe('origins.other');
  });

  it('demands an origin for every value', () => {
    const { iban } = aPreimage().origins;
    expect(faultOf({ origins: { iban } })).toBe('origins.amount');
    expect(faultOf({ values: {}, origins: {} })).toBeUndefined();
  });

  it('refuses fields of another shape', () => {
    const { quorum, target, origins } = aPreimage();
    const cases: [Record<string, unknown>, string][] = [
      [{ v: 2 }, 'v'],
      [{ op_id: 'F'.repeat(32) }, 'op_id'],
      [{ nonce: 'AAAA' }, 'nonce'],
      [{ nonce: `${'A'.repeat(42)}B` }, 'nonce'],
      [{ gateway: '' }, 'gateway'],
      [{ contract: 'C'.repeat(64) }, 'contract'],
      [{ values: [] }, 'values'],
      [{ origins: null }, 'origins'],
      [{ values: { ...aPreimage().values, iban: 'x' } }, 'values.iban'],
      [
        { origins: { ...origins, iban: { source: '', record: null, version: null } } },
        'origins.iban.source',
      ],
      [
        { origins: { ...origins, iban: { source: 'x', record: 1, version: null } } },
        'origins.iban.record',
      ],
      [{ principal: null }, 'principal'],
      [{ agent: '' }, 'agent'],
      [{ level: 3 }, 'level'],
      [{ mandate: 'm' }, 'mandate'],
      [{ quorum: { ...quorum, count: -1 } }, 'quorum.count'],
      [{ quorum: { ...quorum, persons: 'user' } }, 'quorum.persons'],
      [{ quorum: { ...quorum, roles: [''] } }, 'quorum.roles'],
      [{ quorum: { ...quorum, include_user: 0 } }, 'quorum.include_user'],
      [{ target: { ...target, definition: 'x' } }, 'target.definition'],
      [{ expires: 1.5 }, 'expires'],
    ];
    for (const [change, path] of cases) expect(faultOf(change)).toBe(path);
    const { level, ...rest } = aPreimage();
    expect(level).toBe(0);
    expect(() => encodePreimage(rest as OperationPreimage)).toThrow('field `level` is missing');
  });

  it('refuses a value that has no canonical form', () => {
    const values = { ...aPreimage().values, amount: { type: 'number', value: 12.5 } };
    expect(() => encodePreimage(aPreimage({ values }))).toThrow('safe integers only');
  });
});

describe('parsePreimage', () => {
  it('reads back what was encoded', () => {
    const text = encodePreimage(aPreimage());
    const parsed = parsePreimage(bytesOf(text));
    expect(parsed.ok && encodePreimage(parsed.value)).toBe(text);
  });

  it('refuses other bytes and other fields', () => {
    const text = encodePreimage(aPreimage());
    expect(parsePreimage(bytesOf(` ${text}`))).toEqual({
      ok: false,
      error: { code: 'PREIMAGE_NOT_CANONICAL' },
    });
    expect(parsePreimage(bytesOf(text.replace('"v":1', '"v":2')))).toEqual({
      ok: false,
      error: { code: 'PREIMAGE_INVALID', path: 'v' },
    });
    expect(parsePreimage(bytesOf('[]'))).toEqual({
      ok: false,
      error: { code: 'PREIMAGE_INVALID', path: '' },
    });
  });
});
