import { describe, expect, it } from 'vitest';
import { makeTestBundle } from '../testing/test-bundle.ts';
import { type BundleFault, bundleSizeMaxBytes, formatBundle, parseBundle } from './bundle.ts';
import { createBundle } from './create-bundle.ts';

const { bundle } = await makeTestBundle();

function faultOf(text: string): BundleFault | undefined {
  const parsed = parseBundle(text);
  return parsed.ok ? undefined : parsed.error;
}

/** The valid bundle with other members. */
function changed(changes: Record<string, unknown>): string {
  return JSON.stringify({ ...(JSON.parse(bundle) as object), ...changes });
}

const opening = { salt: 'A'.repeat(43), value: 1 };

describe('parseBundle', () => {
  it('reads what formatBundle writes', () => {
    const parsed = parseBundle(bundle);
    expect(parsed.ok && formatBundle(parsed.value)).toBe(bundle);
    expect(parsed.ok && parsed.value.disclosed['param.amount']?.value).toBe(
      '{"source":"untrusted","value":"1240.00"}',
    );
  });

  it('reads timestamps that createBundle puts in', () => {
    const timestamps = [Uint8Array.of(0x30, 0)];
    const text = createBundle({
      ...{ seq: 0, size: 1, leaf: Uint8Array.of(1), disclosed: {}, checkpoint: 'text\n' },
      readNode: () => new Uint8Array(32),
      timestamps,
    });
    const parsed = parseBundle(text);
    expect(parsed.ok && parsed.value.evidence).toEqual({ timestamps });
    expect(parsed.ok && formatBundle(parsed.value)).toBe(text);
  });

  it('reads a bundle that discloses nothing', () => {
    const parsed = parseBundle(changed({ disclosed: {}, evidence: {} }));
    expect(parsed).toMatchObject({ ok: true, value: { disclosed: {}, evidence: {} } });
  });

  it('reads the fields that were erased, each once and none that is disclosed', () => {
    const redactedOf = (changes: Record<string, unknown>): unknown => {
      const parsed = parseBundle(changed({ disclosed: {}, ...changes }));
      return parsed.ok ? parsed.value.redacted : parsed.error;
    };
    expect(redactedOf({ redacted: ['reasons', 'param.iban'] })).toEqual(['reasons', 'param.iban']);
    expect(redactedOf({ redacted: [] })).toBeUndefined();
    const malformed = { code: 'BUNDLE_MALFORMED', key: 'redacted' };
    for (const redacted of [null, 'x', {}, [1], ['x', 'x']]) {
      expect(redactedOf({ redacted })).toEqual(malformed);
    }
    expect(redactedOf({ redacted: ['x'], disclosed: { x: opening } })).toEqual(malformed);
    const parsed = parseBundle(changed({ disclosed: {}, redacted: ['reasons'] }));
    const text = parsed.ok ? formatBundle(parsed.value) : '';
    expect(JSON.parse(text)).toMatchObject({ redacted: ['reasons'] });
  });

  it('refuses text that is not one strict JSON document', () => {
    for (const text of [
      '',
      'rubbish',
      `${bundle}{}`,
      bundle.replace('"format"', '"format": "x", "format"'),
      `\ufeff${bundle}`,
      changed({ disclosed: { x: { salt: 'x', value: '\ud800' } } }),
      bundle.replace('"disclosed": {', '"disclosed": { "__proto__": 1,'),
    ]) {
      expect(faultOf(text), text.slice(0, 40)).toEqual({ code: 'BUNDLE_NOT_JSON', key: '' });
    }
  });

  it('refuses more than 4 MiB', () => {
    const text = bundle + ' '.repeat(bundleSizeMaxBytes - Buffer.byteLength(bundle));
    expect(faultOf(text)).toBeUndefined();
    expect(faultOf(`${text} `)).toEqual({ code: 'BUNDLE_TOO_LARGE', key: '' });
  });

  it('refuses another format', () => {
    for (const text of ['[]', '1', '{}', changed({ format: 'intentplane-receipt/2' })]) {
      expect(faultOf(text)).toEqual({ code: 'BUNDLE_FORMAT', key: 'format' });
    }
  });

  it('names the part that is missing, unknown or malformed', () => {
    const leaf = (JSON.parse(bundle) as { leaf: string }).leaf;
    const urlLeaf = Buffer.from('~~~?').toString('base64url');
    const cases: [Record<string, unknown>, string][] = [
      [{ note: 1 }, 'note'],
      [{ leaf: undefined }, 'leaf'],
      [{ leaf: leaf.slice(1) }, 'leaf'],
      [{ leaf: urlLeaf }, 'leaf'],
      [{ leaf: 1 }, 'leaf'],
      [{ proof: undefined }, 'proof'],
      [{ proof: ['x'] }, 'proof'],
      [{ disclosed: undefined }, 'disclosed'],
      [{ disclosed: [] }, 'disclosed'],
      [{ disclosed: { x: 1 } }, 'disclosed.x'],
      [{ disclosed: { x: { salt: opening.salt } } }, 'disclosed.x'],
      [{ disclosed: { x: { value: 1 } } }, 'disclosed.x'],
      [{ disclosed: { x: { ...opening, note: 1 } } }, 'disclosed.x'],
      [{ disclosed: { x: { ...opening, salt: 'A'.repeat(42) } } }, 'disclosed.x'],
      [{ disclosed: { x: { ...opening, salt: `${'A'.repeat(42)}B` } } }, 'disclosed.x'],
      [{ disclosed: { x: { ...opening, salt: `${'A'.repeat(43)}=` } } }, 'disclosed.x'],
      [{ disclosed: { x: { ...opening, salt: `${'A'.repeat(42)}/` } } }, 'disclosed.x'],
      [{ disclosed: { x: { ...opening, value: 1.5 } } }, 'disclosed.x'],
      [{ evidence: undefined }, 'evidence'],
      [{ evidence: [] }, 'evidence'],
      [{ evidence: { preimage: 1 } }, 'evidence.preimage'],
      [{ evidence: { approvals: [] } }, 'evidence.approvals'],
    ];
    for (const [changes, key] of cases) {
      expect(faultOf(changed(changes)), JSON.stringify(changes)).toEqual({
        code: 'BUNDLE_MALFORMED',
        key,
      });
    }
    const large = changed({ disclosed: { x: opening } }).replace('"value":1', '"value":1e400');
    expect(faultOf(large)).toEqual({ code: 'BUNDLE_MALFORMED', key: 'disclosed.x' });
  });
});
