import { describe, expect, it } from 'vitest';
import { encodeBase64 } from '../core/base64.ts';
import { createTestSigner } from '../testing/test-bundle.ts';
import { createLogKey, deriveKeyId, formatVerifierKey, parseVerifierKey } from './verifier-key.ts';

const example = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';

async function faultOf(text: string): Promise<string | undefined> {
  const key = await parseVerifierKey(text);
  return key.ok ? undefined : key.error;
}

/** A key of any type with its right id. */
async function keyText(type: number, publicKey: Uint8Array): Promise<string> {
  const key = { name: 'w.example', type, publicKey };
  return formatVerifierKey({ ...key, keyId: await deriveKeyId(key) });
}

describe('parseVerifierKey', () => {
  it('reads the published example and writes it back unchanged', async () => {
    const key = await parseVerifierKey(example);
    expect(key).toMatchObject({ ok: true, value: { name: 'example.com/foo', type: 1 } });
    expect(key.ok && formatVerifierKey(key.value)).toBe(example);
  });

  it('reads keys of cosigners and of logs that this version cannot check', async () => {
    expect(await faultOf(await keyText(0x04, new Uint8Array(32)))).toBeUndefined();
    expect(await faultOf(await keyText(0x06, new Uint8Array(1312)))).toBeUndefined();
    // The id of an ECDSA key is the hash of another encoding: any is taken.
    const ecdsa = `w.example+00000000+${encodeBase64(Uint8Array.of(0x02, 1, 2, 3))}`;
    expect(await faultOf(ecdsa)).toBeUndefined();
  });

  it('refuses a key whose id is not its own', async () => {
    for (const text of [
      example.replace('530d903a', '530d903b'),
      example.replace('example.com', 'example.org'),
      example.replace('AekyeRrm', 'AfkyeRrm'),
    ]) {
      expect(await faultOf(text), text).toBe('KEY_ID_MISMATCH');
    }
  });

  it('refuses other forms, lengths and types', async () => {
    for (const text of [
      '',
      'example.com/foo',
      example.slice(0, -1),
      example.replace('+530d903a', '+530D903A'),
      example.replace('+530d903a', ''),
      example.replace('example.com/foo', ''),
      example.replace('example.com/foo', 'example com'),
      `${example.slice(0, 25)}+`,
      await keyText(0x01, new Uint8Array(31)),
      await keyText(0x04, new Uint8Array(33)),
      await keyText(0x06, new Uint8Array(32)),
    ]) {
      expect(await faultOf(text), text).toBe('KEY_MALFORMED');
    }
    expect(await faultOf(await keyText(0xff, new Uint8Array(32)))).toBe('KEY_TYPE_UNKNOWN');
  });
});

describe('createLogKey', () => {
  it('gives a key that parses', async () => {
    const key = await createLogKey('log.example/1', createTestSigner(1).publicKey);
    expect(await parseVerifierKey(formatVerifierKey(key))).toEqual({ ok: true, value: key });
  });

  it('refuses a name that no note can carry', async () => {
    await expect(createLogKey('my log', new Uint8Array(32))).rejects.toThrow('`my log`');
  });
});
