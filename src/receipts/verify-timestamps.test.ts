// Step 5 with timestamps: real tokens, and what the trust file asks for.
import { afterAll, describe, expect, it } from 'vitest';
import { TimeStampingAuthority } from '../../test/fixtures/time-stamping-authority.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { createTestSigner, makeTestBundle } from '../testing/test-bundle.ts';
import { cosignNote } from './cosign-note.ts';
import { formatSignature, parseNote } from './signed-note.ts';
import type { CheckTimestamp } from './timestamp-evidence.ts';
import { checkTimestamp, formatTimestampRequest } from './timestamp-token.ts';
import { createVerifierKey, formatVerifierKey } from './verifier-key.ts';
import { verifyBundle } from './verify.ts';

const authority = new TimeStampingAuthority();
const other = new TimeStampingAuthority('other');
afterAll(async () => {
  await authority.close();
  await other.close();
});

const { bundle, trust } = await makeTestBundle({ size: 7, seq: 4 });
const json = JSON.parse(bundle) as { readonly proof: string };
const note = json.proof.slice(json.proof.indexOf('\n\n') + 2);

const stamp = (by: TimeStampingAuthority, text: string): string => {
  const { body } = formatTimestampRequest(new TextEncoder().encode(text), new Uint8Array(16));
  return by.token(by.reply(body)).toString('base64');
};
const own = stamp(authority, note);

const withTimestamps = (timestamps: unknown, more: object = {}): string =>
  JSON.stringify({ ...json, ...more, evidence: { timestamps } });
const believe = (roots: unknown, more: object = {}): string =>
  JSON.stringify({ policy: trust, timestamp_roots: roots, ...more });

async function stepOf(
  text: string,
  believed: string,
  timestampVerifier: CheckTimestamp | undefined = checkTimestamp,
): Promise<string> {
  const report = await verifyBundle(text, { trust: believed, timestampVerifier });
  if (report.verdict === 'bad_input') return `${report.input} ${report.fault.code}`;
  const step = report.steps[4];
  return `${report.verdict} ${step?.status} ${step?.code} ${step?.detail}`;
}

describe('step 5', () => {
  verifies(
    'RCP-23',
    'passes with a timestamp behind which a root of the trust file stands',
    async () => {
      const believed = believe([authority.root]);
      expect(await stepOf(withTimestamps([own]), believed)).toMatch(
        /^valid pass OK signed not later than 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      );
      const mixed = withTimestamps([stamp(other, note), own, stamp(authority, 'another')]);
      expect(await stepOf(mixed, believe([authority.root], { require: [5] }))).toContain(
        'valid pass',
      );
    },
  );

  verifies('RCP-23', 'fails without one, and with one that does not hold', async () => {
    const believed = believe([authority.root]);
    for (const text of [bundle, withTimestamps([])]) {
      expect(await stepOf(text, believed)).toContain('invalid fail TIMESTAMP_MISSING');
    }
    expect(await stepOf(withTimestamps([stamp(other, note)]), believed)).toContain(
      'invalid fail TIMESTAMP_ROOT_UNKNOWN',
    );
    expect(await stepOf(withTimestamps([stamp(authority, 'another')]), believed)).toContain(
      'invalid fail TIMESTAMP_OTHER_NOTE',
    );
    expect(await stepOf(withTimestamps(['MAA=']), believed)).toContain('fail TIMESTAMP_MALFORMED');
  });

  verifies('RCP-23', 'never passes where timestamps cannot be checked', async () => {
    const report = await verifyBundle(withTimestamps([own]), { trust: believe([authority.root]) });
    expect(report).toMatchObject({ verdict: 'invalid', failedStep: 5 });
    expect(report.verdict !== 'bad_input' && report.steps[4]).toMatchObject({
      status: 'absent',
      code: 'TIMESTAMP_UNAVAILABLE',
      detail: expect.stringContaining('pkijs'),
    });
  });

  it('looks at no timestamp that is not asked for', async () => {
    for (const believed of [trust, believe([])]) {
      expect(await stepOf(withTimestamps(['MAA=']), believed)).toContain('valid absent NOT_ASKED');
    }
    const broken = withTimestamps([own], { proof: 'x' });
    expect(await stepOf(broken, believe([authority.root]))).toContain('absent NO_CHECKPOINT');
  });

  it('asks for witnesses and a timestamp when both are named, whichever came first', async () => {
    const signer = createTestSigner(11);
    const publicKey = signer.publicKey;
    const key = await createVerifierKey({ name: 'w.example', type: 0x04, publicKey });
    const parsed = parseNote(note);
    if (!parsed.ok) throw new Error(parsed.error);
    const terms = { timeS: 1_790_000_000, text: parsed.value.text };
    const line = formatSignature(cosignNote({ key, signer }, terms));
    const witness = `witness W ${formatVerifierKey(key)}\nquorum W\n`;
    const policy = trust.replace('quorum none\n', witness);
    const believed = believe([authority.root], { policy });
    const cosigned = { proof: json.proof + line };
    for (const token of [own, stamp(authority, note + line)]) {
      expect(await stepOf(withTimestamps([token], cosigned), believed)).toMatch(
        /^valid pass OK cosigned by W, last at 2026-09-21T.*; signed not later than 20/,
      );
    }
    expect(await stepOf(withTimestamps([own]), believed)).toContain('fail QUORUM_MISSING');
    expect(await stepOf(withTimestamps([], cosigned), believed)).toContain('TIMESTAMP_MISSING');
    // A line that stands where the log's own stood is another note.
    const moved = { proof: json.proof.replace(/(— .*\n)$/, `${line}$1`) };
    expect(await stepOf(withTimestamps([own], moved), believed)).toContain('TIMESTAMP_OTHER_NOTE');
  });

  it('refuses roots and timestamps in another form', async () => {
    const root = authority.root.trim();
    for (const roots of [
      1,
      [1],
      ['x'],
      [root.slice(1)],
      [`${root}\n${root}`],
      Array(33).fill(root),
    ]) {
      expect(await stepOf(bundle, believe(roots))).toBe('trust TRUST_MALFORMED');
    }
    const spare = root.replace(/\n(?=-----END)/, '=\n');
    expect(await stepOf(bundle, believe([spare]))).toBe('trust TRUST_MALFORMED');
    const windows = root.replaceAll('\n', '\r\n');
    expect(await stepOf(withTimestamps([own]), believe([windows]))).toContain('valid pass');
    expect(await stepOf(withTimestamps('x'), trust)).toBe('bundle BUNDLE_MALFORMED');
  });
});
