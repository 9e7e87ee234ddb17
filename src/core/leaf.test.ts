import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { aDecisionDraft } from '../testing/test-bundle.ts';
import { CanonicalJsonError, type CanonicalValue, canonicalJson } from './canonical-json.ts';
import {
  type LeafDraft,
  LeafError,
  leafSizeMaxBytes,
  parseLeaf,
  type SealSettings,
  sealLeaf,
} from './leaf.ts';
import { leafTypes } from './leaf-format.ts';
import { leafHash } from './merkle.ts';

const opId = '00112233445566778899aabbccddeeff';
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

function settings(changes: Partial<SealSettings> = {}): SealSettings {
  let next = 0;
  const salts = (): Uint8Array => {
    next += 1;
    return new Uint8Array(32).fill(next);
  };
  return { seq: 7, ts: 1_790_000_000_000, gw: '0.1.0', config: 'digest', salts, ...changes };
}

const outcome: LeafDraft = {
  type: 'outcome',
  opId,
  prev: 'DISPATCHING',
  state: 'FAILED',
  code: 'EXECUTION_FAILED',
  open: { class: 'NOT_SENT', attempt: 1, late: false },
  committed: { result: 'no', reason: 'refused' },
};

function faultOf(draft: object, changes: Partial<SealSettings> = {}): LeafError['fault'] {
  try {
    sealLeaf({ ...outcome, ...draft } as LeafDraft, settings(changes));
  } catch (error) {
    if (error instanceof LeafError) return error.fault;
    throw error;
  }
  throw new Error('the draft was sealed');
}

describe('sealLeaf', () => {
  it('writes one flat canonical object and its leaf hash', () => {
    const { bytes, hash } = sealLeaf(outcome, settings());
    expect(text(bytes)).toMatch(
      /^\{"attempt":1,"class":"NOT_SENT","code":"EXECUTION_FAILED","commit":\{"reason":"[\w-]{43}","result":"[\w-]{43}"\},"config":"digest","gw":"0\.1\.0","late":false,"op_id":"00112233445566778899aabbccddeeff","prev":"DISPATCHING","seq":7,"state":"FAILED","ts":1790000000000,"type":"outcome","v":1\}$/,
    );
    expect(hash).toEqual(leafHash(bytes));
  });

  it('commits each field under its own salt with HMAC over label, type, field and value', () => {
    const { bytes, payload } = sealLeaf(outcome, settings());
    const leaf = JSON.parse(text(bytes)) as { commit: Record<string, string> };
    for (const [field, value] of Object.entries(outcome.committed)) {
      const { salt, value: valueText } = payload[field] ?? { salt: '', value: '' };
      expect(valueText).toBe(JSON.stringify(value));
      const message = `intentplane/field/v1\0["outcome","${field}",${valueText}]`;
      const mac = createHmac('sha256', Buffer.from(salt, 'base64url')).update(message).digest();
      expect(leaf.commit[field]).toBe(mac.toString('base64url'));
    }
    expect(payload['reason']?.salt).not.toBe(payload['result']?.salt);
  });

  verifies('RCP-05', 'gives one salt per field, so that opening one opens no other', () => {
    const draft = { ...outcome, committed: { result: 'same', reason: 'same' } };
    const { bytes, payload } = sealLeaf(draft, settings());
    const { commit } = JSON.parse(text(bytes)) as { commit: Record<string, string> };
    expect(Object.keys(payload).sort()).toEqual(['reason', 'result']);
    const message = 'intentplane/field/v1\0["outcome","result","same"]';
    const macWith = (salt: string | undefined): string =>
      createHmac('sha256', Buffer.from(salt ?? '', 'base64url'))
        .update(message)
        .digest('base64url');
    expect(macWith(payload['result']?.salt)).toBe(commit['result']);
    expect(macWith(payload['reason']?.salt)).not.toBe(commit['result']);
    expect(commit['reason']).not.toBe(commit['result']);
  });

  verifies('RCP-04', 'keeps every committed value out of the bytes, whatever its field', () => {
    const personal = ['DE89370400440532013000', 'ann@example.com', 'Ann Example', '1240.00'];
    for (const type of Object.keys(leafTypes) as LeafDraft['type'][]) {
      const committed = Object.fromEntries(personal.map((value, i) => [`param.${i}`, value]));
      const { bytes } = sealLeaf({ type, opId, open: {}, committed }, settings());
      for (const value of personal) expect(text(bytes)).not.toContain(value);
    }
  });

  verifies('RCP-04', 'refuses an open field that its type does not have', () => {
    for (const field of ['amount', 'person', 'iban', 'toString']) {
      expect(faultOf({ open: { [field]: 'x' } })).toEqual({ code: 'LEAF_FIELD_UNKNOWN', field });
    }
    const mandate = { type: 'mandate.issue', open: { principal: 'ann' } };
    expect(faultOf(mandate)).toEqual({ code: 'LEAF_FIELD_UNKNOWN', field: 'principal' });
    expect(faultOf({ open: { seq: 1 } })).toEqual({ code: 'LEAF_FIELD_UNKNOWN', field: 'seq' });
  });

  it('seals every type, and parsing gives back what went in', () => {
    for (const [type, row] of Object.entries(leafTypes)) {
      const open = Object.fromEntries(row.open.map((field, i) => [field, [i, field]]));
      const committed = { 'param.é': { value: [1, 'x'], source: null } };
      const draft = { type, open, committed, ...(row.ofOperation ? { opId } : {}) } as LeafDraft;
      const { bytes } = sealLeaf(draft, settings());
      expect(text(bytes)).toBe(canonicalJson(JSON.parse(text(bytes)) as CanonicalValue));
      const parsed = parseLeaf(bytes);
      const { salts, ...stamp } = settings();
      expect(salts).toBeTypeOf('function');
      expect(parsed.ok && parsed.value).toMatchObject({ type, open, ...stamp });
      expect(parsed.ok && Object.keys(parsed.value.commit)).toEqual(['param.é']);
    }
  });

  it('refuses what can be no leaf, naming the field', () => {
    expect(faultOf({ type: 'other' }).code).toBe('LEAF_TYPE_UNKNOWN');
    expect(faultOf({ type: 'toString' }).code).toBe('LEAF_TYPE_UNKNOWN');
    const cases: [object, Partial<SealSettings>, string][] = [
      [{ opId: undefined }, {}, 'op_id'],
      [{ opId: 'F'.repeat(32) }, {}, 'op_id'],
      [{ state: '' }, {}, 'state'],
      [{ prev: '' }, {}, 'state'],
      [{ code: '' }, {}, 'state'],
      [{ open: { class: undefined } }, {}, 'open'],
      [{}, { seq: -1 }, 'seq'],
      [{}, { seq: 1.5 }, 'seq'],
      [{}, { ts: 1.5 }, 'ts'],
      [{}, { gw: '' }, 'gw'],
      [{}, { config: '' }, 'config'],
      [{ committed: { constructor: 1 } }, {}, 'constructor'],
    ];
    for (const [draft, changes, field] of cases) {
      expect(faultOf(draft, changes)).toEqual({ code: 'LEAF_FIELD_INVALID', field });
    }
    expect(() => sealLeaf({ ...outcome, opId: 'x' }, settings())).toThrow('field `op_id`');
  });

  it('refuses values without a canonical form and salts of another length', () => {
    const bad = { ...outcome, committed: { amount: 1.5 } };
    expect(() => sealLeaf(bad, settings())).toThrow(CanonicalJsonError);
    expect(() => sealLeaf({ ...outcome, open: { attempt: 0.5 } }, settings())).toThrow(
      CanonicalJsonError,
    );
    const salts = (): Uint8Array => new Uint8Array(31);
    expect(() => sealLeaf(outcome, settings({ salts }))).toThrow(RangeError);
  });

  it('takes 16,384 bytes and refuses one more', () => {
    const spare = leafSizeMaxBytes - sealLeaf({ ...outcome, code: 'x' }, settings()).bytes.length;
    const fits = { ...outcome, code: 'x'.repeat(spare + 1) };
    expect(sealLeaf(fits, settings()).bytes).toHaveLength(16_384);
    expect(faultOf({ code: 'x'.repeat(spare + 2) })).toEqual({
      code: 'LEAF_TOO_LARGE',
      sizeBytes: 16_385,
    });
    expect(() => sealLeaf({ ...fits, code: `${fits.code}x` }, settings())).toThrow(
      'leaf of 16385 bytes: at most 16384 fit',
    );
  });
});

describe('parseLeaf', () => {
  const valid = JSON.parse(text(sealLeaf(aDecisionDraft(), settings()).bytes)) as CanonicalValue;
  const changed = (changes: object, without?: string): Uint8Array => {
    const record: Record<string, unknown> = { ...(valid as object), ...changes };
    if (without !== undefined) delete record[without];
    return bytesOf(canonicalJson(record as CanonicalValue));
  };
  const codeOf = (bytes: Uint8Array): unknown => {
    const parsed = parseLeaf(bytes);
    return parsed.ok ? parsed.value : parsed.error;
  };

  verifies('RCP-07', 'refuses bytes that are not the canonical form of what they say', () => {
    const good = canonicalJson(valid);
    const cases = [
      ` ${good}`,
      `${good}\n`,
      `${good}${good}`,
      good.replace('"v":1', '"v":1.0'),
      good.replace('"seq":7', '"seq":7e0'),
      good.replace('"level":0', '"level":-0'),
      good.replace('"level":0', '"level":0.5'),
      good.replace('"ts":1790000000000', '"ts":9007199254740993'),
      good.replace('"mode":"enforce"', '"mode":"\\u0065nforce"'),
      good.replace('"mode":"enforce"', '"mode":"\\ud800"'),
      good.replace('{"codes"', '{"v":1,"codes"'),
      good.replace('"v":1}', '"v":1,"a":1}'),
      good.replace(':', ': '),
      `\ufeff${good}`,
      '[]',
      '"leaf"',
      '',
    ];
    for (const each of cases) {
      expect(codeOf(bytesOf(each)), each).toEqual({ code: 'LEAF_NOT_CANONICAL' });
    }
    const cut = bytesOf(good.replace('enforce', 'é')).subarray(0, -1);
    expect(codeOf(cut)).toEqual({ code: 'LEAF_NOT_CANONICAL' });
    expect(parseLeaf(bytesOf(good)).ok).toBe(true);
  });

  it('refuses more than 16,384 bytes before reading them', () => {
    expect(codeOf(new Uint8Array(16_385))).toEqual({ code: 'LEAF_TOO_LARGE', sizeBytes: 16_385 });
  });

  it('refuses unknown types and unknown fields', () => {
    expect(codeOf(changed({ type: 'other' }))).toEqual({ code: 'LEAF_TYPE_UNKNOWN' });
    expect(codeOf(changed({ type: 1 }))).toEqual({ code: 'LEAF_TYPE_UNKNOWN' });
    expect(codeOf(changed({}, 'type'))).toEqual({ code: 'LEAF_TYPE_UNKNOWN' });
    expect(codeOf(changed({ amount: '1.00' }))).toEqual({
      code: 'LEAF_FIELD_UNKNOWN',
      field: 'amount',
    });
  });

  it('refuses missing and malformed common fields', () => {
    for (const field of ['v', 'seq', 'ts', 'gw', 'config', 'commit', 'op_id']) {
      expect(codeOf(changed({}, field))).toEqual({ code: 'LEAF_FIELD_INVALID', field });
    }
    const malformed: Record<string, unknown[]> = {
      v: [2, '1'],
      seq: [-1, '7', null],
      ts: [-1, '7'],
      gw: ['', 1],
      config: ['', null],
      op_id: [opId.toUpperCase(), 1, `${opId}0`],
      prev: ['', 1],
      state: ['', null],
      code: ['', []],
      commit: [[], 'x', { a: 1 }, { a: 'x' }, { a: `${'A'.repeat(42)}B` }],
    };
    for (const [field, values] of Object.entries(malformed)) {
      for (const value of values) {
        const found = codeOf(changed({ [field]: value }));
        expect(found).toEqual({ code: 'LEAF_FIELD_INVALID', field });
      }
    }
  });
});
