import { describe, expect, it } from 'vitest';
import { createTestSigner } from '../testing/test-bundle.ts';
import { formatTrustFile, parseTrustFile } from './trust-file.ts';
import { createLogKey, deriveKeyId, formatVerifierKey } from './verifier-key.ts';

const key = await createLogKey('log.example', createTestSigner(1).publicKey);
const policy = formatTrustFile(key);

async function requiredOf(text: string): Promise<number[] | string> {
  const trust = await parseTrustFile(text);
  return trust.ok ? [...trust.value.required].sort() : trust.error.code;
}

describe('parseTrustFile', () => {
  it('reads the bare policy that formatTrustFile writes', async () => {
    expect(policy).toBe(`log ${formatVerifierKey(key)}\nquorum none\n`);
    const trust = await parseTrustFile(policy);
    expect(trust.ok && trust.value.policy.logs).toEqual([key]);
    expect(await requiredOf(policy)).toEqual([1, 2, 3, 4]);
  });

  it('reads the keys that formatTrustFile says are distrusted', async () => {
    const distrust = [{ key: formatVerifierKey(key), after: 7 }];
    const trust = await parseTrustFile(formatTrustFile(key, distrust));
    expect(trust).toMatchObject({ ok: true, value: { distrust, policy: { logs: [key] } } });
  });

  it('reads JSON with a policy and required steps', async () => {
    expect(await requiredOf(JSON.stringify({ policy }))).toEqual([1, 2, 3, 4]);
    expect(await requiredOf(` \n${JSON.stringify({ policy, require: [7, 1, 7] })}`)).toEqual([
      1, 2, 3, 4, 7,
    ]);
  });

  it('requires witnesses when the policy has a quorum', async () => {
    const witness = { name: 'w.example', type: 0x04, publicKey: createTestSigner(2).publicKey };
    const text = formatVerifierKey({ ...witness, keyId: await deriveKeyId(witness) });
    expect(await requiredOf(`witness W ${text}\nquorum W\n`)).toEqual([1, 2, 3, 4, 5]);
  });

  it('reads what is asked of answers, and names the part when it is malformed', async () => {
    const publicKey = `pAEBAycgBiFYI${'A'.repeat(43)}`;
    const approvals = {
      min_assurance: 'passkey',
      passkeys: [{ person: 'alice', public_key: publicKey }],
      refuse_solo: true,
    };
    expect(await parseTrustFile(JSON.stringify({ policy, approvals }))).toMatchObject({
      ok: true,
      value: {
        approvals: {
          assuranceMin: 'passkey',
          passkeys: [{ person: 'alice', publicKey }],
          refusesSolo: true,
        },
      },
    });
    expect(await parseTrustFile(JSON.stringify({ policy, approvals: {} }))).toMatchObject({
      value: { approvals: { assuranceMin: undefined, passkeys: undefined, refusesSolo: false } },
    });
    expect(await parseTrustFile(policy)).toMatchObject({ value: { approvals: undefined } });
    const wrong = JSON.stringify({ policy, approvals: { min_assurance: 'strong' } });
    expect(await parseTrustFile(wrong)).toEqual({
      ok: false,
      error: { code: 'TRUST_MALFORMED', key: 'approvals' },
    });
  });

  it('refuses a policy with a fault in either form', async () => {
    expect(await requiredOf('quorum X')).toBe('POLICY_NAME');
    expect(await requiredOf(JSON.stringify({ policy: 'quorum X' }))).toBe('POLICY_NAME');
  });

  it('refuses other JSON, and names keys it does not know or cannot honour yet', async () => {
    for (const text of ['{', '{}', '{"policy":1}', '{"policy":"","policy":""}']) {
      expect(await requiredOf(text), text).toBe('TRUST_MALFORMED');
    }
    for (const require of [1, [0], [9], [1.5], ['1'], [[1]], null]) {
      expect(await requiredOf(JSON.stringify({ policy, require }))).toBe('TRUST_MALFORMED');
    }
    const unknown = JSON.stringify({ policy, requires: [7] });
    expect(await parseTrustFile(unknown)).toEqual({
      ok: false,
      error: { code: 'TRUST_KEY_UNKNOWN', key: 'requires' },
    });
    // Other white space than that of JSON makes it a policy, and a bad one.
    expect(await requiredOf(`\t\r\n ${JSON.stringify({ policy })}`)).toEqual([1, 2, 3, 4]);
    for (const space of ['\ufeff', '\u00a0', '\u2028']) {
      expect(await requiredOf(`${space}${JSON.stringify({ policy })}`)).toBe('POLICY_LINE');
    }
    const both = JSON.stringify({ approvers: [], requires: [7] });
    expect(await requiredOf(both)).toBe('TRUST_KEY_UNKNOWN');
    for (const name of ['approvers', 'assurance_min', 'accept_solo']) {
      expect(await parseTrustFile(JSON.stringify({ policy, [name]: [] }))).toEqual({
        ok: false,
        error: { code: 'TRUST_NOT_SUPPORTED', key: name },
      });
    }
  });
});
