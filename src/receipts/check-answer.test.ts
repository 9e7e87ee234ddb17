import { describe, expect, it } from 'vitest';
import {
  type AnswerChanges,
  answerBundle,
  assertedEvidence,
  createTestPasskey,
  passkeyEvidence,
} from '../../scripts/receipt-vectors/signed-answer.ts';
import { flags } from '../../test/fixtures/soft-authenticator.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { decodeBase64Url, encodeBase64Url } from '../core/base64.ts';
import type { CheckedAnswer } from './check-answer.ts';
import type { PasskeyEvidence } from './passkey-evidence.ts';
import { type VerifyStep, verifyBundle } from './verify.ts';

const good = passkeyEvidence();
const known = { person: 'alice', public_key: good.public_key };

/** Step 7 of a receipt that is otherwise good, and what it says the answer is worth. */
async function verifyAnswer(
  evidence: object,
  changes?: AnswerChanges,
): Promise<{
  readonly step: VerifyStep | undefined;
  readonly approval: CheckedAnswer | undefined;
}> {
  const { bundle, trust } = await answerBundle(evidence, changes);
  const report = await verifyBundle(bundle, { trust });
  if (report.verdict === 'bad_input') throw new Error(report.fault.code);
  expect(report.steps.slice(0, 4).map(({ status }) => status)).toEqual(new Array(4).fill('pass'));
  return { step: report.steps[6], approval: report.approval };
}

describe('verify, of an answer', () => {
  verifies(
    ['APR-31', 'APR-11'],
    'says signed, with assurance, channel and person, when the passkey signed this operation',
    async () => {
      const { step, approval } = await verifyAnswer(good, { approvals: { passkeys: [known] } });
      expect(approval).toEqual({
        verdict: 'approve',
        assurance: 'passkey',
        channel: 'page',
        proof: 'signed',
        person: 'alice',
      });
      expect(step).toEqual({
        ...{ step: 7, status: 'pass', code: 'OK', isRequired: true },
        detail: 'approve is signed with the passkey of `alice`; assurance passkey, channel page',
      });
      const { approval: unnamed, step: bare } = await verifyAnswer(good);
      expect(unnamed).toMatchObject({ proof: 'signed', person: undefined });
      expect(bare).toMatchObject({ isRequired: false });
      expect(bare?.detail).toContain('signed with a passkey');
    },
  );

  verifies('APR-31', 'says asserted of a passcode', async () => {
    const { step, approval } = await verifyAnswer(assertedEvidence);
    expect(approval).toMatchObject({ proof: 'asserted', assurance: 'passcode', channel: 'page' });
    expect(step?.detail).toBe(
      "approve is asserted: the gateway's own word; assurance passcode, channel page",
    );
  });

  it('says nothing of an answer whose evidence is closed, or does not hold', async () => {
    expect(await verifyAnswer(good, { disclose: ['person'] })).toMatchObject({
      step: { status: 'absent', code: 'NOT_ASKED' },
      approval: undefined,
    });
    expect(await verifyAnswer(good, { open: { op_hash: 'ab'.repeat(32) } })).toMatchObject({
      step: { status: 'fail', code: 'PASSKEY_CHALLENGE_MISMATCH' },
      approval: undefined,
    });
  });

  it('never takes a gateway word for a passkey, nor a signature for a reject', async () => {
    const codeOf = async (evidence: object, open: AnswerChanges['open']): Promise<unknown> =>
      (await verifyAnswer(evidence, { open: { ...open } })).step?.code;
    expect(await codeOf(assertedEvidence, { assurance: 'passkey' })).toBe('ASSURANCE_MISMATCH');
    expect(await codeOf(good, { verdict: 'reject' })).toBe('ASSURANCE_MISMATCH');
  });

  verifies('APR-12', 'refuses a signature without a verified person', async () => {
    const { step } = await verifyAnswer(passkeyEvidence({ flipFlags: flags.verified }));
    expect(step).toMatchObject({ status: 'fail', code: 'PASSKEY_USER_NOT_VERIFIED' });
  });

  it('refuses every flipped bit of what was signed, and of signature and key', async () => {
    const parts = ['authenticator_data', 'client_data', 'signature', 'public_key'] as const;
    for (const part of parts) {
      const bytes = decodeBase64Url(good[part]);
      if (!bytes.ok) throw new Error(part);
      for (let bit = 0; bit < bytes.value.length * 8; bit += 1) {
        const flipped = Uint8Array.from(bytes.value);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const evidence = { ...good, [part]: encodeBase64Url(flipped) };
        expect(await holds(evidence), `${part} bit ${bit}`).toBe(false);
      }
    }
    expect(await holds(good)).toBe(true);
  });

  it('takes the key of one person only, whoever the receipt names', async () => {
    const other = passkeyEvidence({}, createTestPasskey(2));
    const passkeys = [known, { person: 'bob', public_key: other.public_key }];
    const asked = { approvals: { passkeys } };
    expect((await verifyAnswer(good, asked)).approval).toMatchObject({ person: 'alice' });
    // The receipt names alice.
    expect((await verifyAnswer(other, asked)).step).toMatchObject({ code: 'PASSKEY_KEY_UNKNOWN' });
    const closed = { ...asked, disclose: ['evidence'] };
    expect((await verifyAnswer(other, closed)).approval).toMatchObject({ person: 'bob' });
  });
});

/** Whether evidence holds under a leaf that commits to it. */
async function holds(evidence: PasskeyEvidence): Promise<boolean> {
  const { verdict } = await answerBundle(evidence).then(({ bundle, trust }) =>
    verifyBundle(bundle, { trust }),
  );
  return verdict === 'valid';
}
