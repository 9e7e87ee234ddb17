// Against tokens that `openssl` made: the code under test never judges what it wrote itself.
import { X509Certificate } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { TimeStampingAuthority } from '../../test/fixtures/time-stamping-authority.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { checkTimestamp, formatTimestampRequest, readTimestampReply } from './timestamp-token.ts';

const authority = new TimeStampingAuthority();
const other = new TimeStampingAuthority('other');
afterAll(async () => {
  await authority.close();
  await other.close();
});

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const der = (pem: string): Uint8Array => Uint8Array.from(new X509Certificate(pem).raw);
const text = encode('a checkpoint\n');
const nonce = new Uint8Array(16).fill(0xff);
const { body } = formatTimestampRequest(text, nonce);
const reply = authority.reply(body);
const token = authority.token(reply);
const roots = [der(authority.root)];

async function codeOf(bytes: Uint8Array, more: object = {}): Promise<string> {
  const checked = await checkTimestamp(bytes, { texts: [text], roots, ...more });
  return checked.ok ? 'OK' : checked.error;
}

async function replyCode(bytes: Uint8Array, more: object = {}): Promise<string> {
  const read = await readTimestampReply(bytes, { text, nonce, ...more });
  return read.ok ? 'OK' : read.error;
}

describe('readTimestampReply', () => {
  verifies('RCP-23', 'takes the token out of an answer that is about the request', async () => {
    const read = await readTimestampReply(reply, { text, nonce });
    expect(read.ok && Buffer.from(read.value).equals(token)).toBe(true);
    for (const first of [0x00, 0x3f, 0x40, 0x80]) {
      const own = Uint8Array.from(nonce, (byte, i) => (i === 0 ? first : byte));
      const answer = authority.reply(formatTimestampRequest(text, own).body);
      expect(await replyCode(answer, { nonce: own }), String(first)).toBe('OK');
    }
  });

  verifies('RCP-23', 'refuses an answer about another request', async () => {
    expect(await replyCode(reply, { nonce: new Uint8Array(16).fill(1) })).toBe(
      'TIMESTAMP_OTHER_NONCE',
    );
    expect(await replyCode(reply, { text: encode('another') })).toBe('TIMESTAMP_OTHER_NOTE');
    // The authority takes SHA-512 only, and says no.
    const refused = authority.reply(body, { settings: 'digests = sha512' });
    expect(await replyCode(refused)).toBe('TIMESTAMP_REFUSED');
  });

  verifies('RCP-23', 'refuses a token whose certificate is not for it', async () => {
    for (const by of ['expired', 'server', 'mixed', 'casual', 'bare'] as const) {
      const signed = authority.wrap(authority.signAgain(body, { by }));
      expect(await replyCode(signed), by).toBe('TIMESTAMP_CERTIFICATE');
    }
    expect(await replyCode(authority.wrap(authority.signAgain(body, { by: 'good' })))).toBe('OK');
  });

  verifies('RCP-23', 'refuses what is no answer', async () => {
    const granted = Uint8Array.from([0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x00]);
    const bytes = [encode('<html>'), new Uint8Array(), reply.subarray(0, -1), token, granted];
    for (const each of [...bytes, Buffer.concat([reply, new Uint8Array(1)])]) {
      expect(await replyCode(each)).toBe('TIMESTAMP_MALFORMED');
    }
  });
});

describe('checkTimestamp', () => {
  verifies('RCP-23', 'names the time of a token whose chain ends in a root', async () => {
    const checked = await checkTimestamp(token, { texts: [encode('later'), text], roots });
    const timeMs = checked.ok ? checked.value.timeMs : 0;
    expect(timeMs % 1_000).toBe(0);
    expect(new Date(timeMs).getUTCFullYear()).toBeGreaterThan(2_025);
    const many = [encode('no certificate'), der(other.root), ...roots];
    expect(await codeOf(token, { roots: many })).toBe('OK');
    for (const by of ['rsa', 'below'] as const) {
      expect(await codeOf(authority.token(authority.reply(body, { by }))), by).toBe('OK');
    }
  });

  verifies('RCP-23', 'refuses a chain that ends elsewhere', async () => {
    expect(await codeOf(token, { roots: [der(other.root)] })).toBe('TIMESTAMP_ROOT_UNKNOWN');
    expect(await codeOf(token, { roots: [] })).toBe('TIMESTAMP_ROOT_UNKNOWN');
    // The certificate itself is no root: it is not one of an authority.
    const own = [der(authority.certificate('good'))];
    expect(await codeOf(token, { roots: own })).toBe('TIMESTAMP_ROOT_UNKNOWN');
  });

  it('ends where certificates vouch for each other', async () => {
    const circle = authority.signInCircle(body);
    expect(await codeOf(circle, { roots: undefined })).toBe('OK');
    expect(await codeOf(circle)).toBe('TIMESTAMP_ROOT_UNKNOWN');
  });

  it('takes a certificate that is named by another hash', async () => {
    for (const algorithm of ['sha1', 'sha384', 'sha512']) {
      const settings = `ess_cert_id_alg = ${algorithm}`;
      const named = authority.token(authority.reply(body, { settings }));
      expect(await codeOf(named), algorithm).toBe('OK');
    }
    const odd = authority.token(authority.reply(body, { settings: 'ess_cert_id_alg = sha224' }));
    expect(await codeOf(odd)).toBe('TIMESTAMP_CERTIFICATE');
  });

  it('refuses a token that does not say which certificate signed it', async () => {
    const silent = authority.signAgain(body, { by: 'good', more: [] });
    expect(await codeOf(silent)).toBe('TIMESTAMP_CERTIFICATE');
  });

  it('refuses a statement that another text was signed for', async () => {
    const content = authority.content(token);
    const wrong = Buffer.from(token);
    const place = wrong.indexOf(content.subarray(-8));
    wrong[place] = (wrong[place] ?? 0) ^ 1;
    expect(await codeOf(wrong)).toBe('TIMESTAMP_SIGNATURE_INVALID');
  });

  it('refuses each bit that is changed in the signature', async () => {
    for (const place of [1, 9, 33, 60]) {
      const wrong = Buffer.from(token);
      const at = wrong.length - place;
      wrong[at] = (wrong[at] ?? 0) ^ 1;
      expect(await codeOf(wrong), String(place)).toBe('TIMESTAMP_SIGNATURE_INVALID');
    }
  });

  it('refuses other signed things', async () => {
    authority.content(token);
    const by = 'good';
    const data = { type: '1.2.840.113549.1.7.1', by, more: [] };
    const timestamp = '1.2.840.113549.1.9.16.1.4';
    const cases = {
      'other content': authority.sign('content.der', data),
      'no timestamp inside': authority.sign('root.pem', { ...data, type: timestamp }),
      'no signed attributes': authority.sign('content.der', {
        ...data,
        type: timestamp,
        more: ['-noattr'],
      }),
      'no signed data': new X509Certificate(authority.root).raw,
      'too long': Buffer.concat([token, Buffer.alloc(65_536)]),
    };
    for (const [name, bytes] of Object.entries(cases)) {
      expect(await codeOf(bytes), name).toBe('TIMESTAMP_MALFORMED');
    }
  });

  it('refuses a token without its certificate', async () => {
    const lonely = authority.signAgain(body, { by: 'good', more: ['-cades', '-nocerts'] });
    expect(await codeOf(lonely)).toBe('TIMESTAMP_SIGNATURE_INVALID');
  });
});
