// Steps 4 and 5 with second keys and witnesses; all other forms are test/vectors/receipts.
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { createTestSigner, makeTestBundle } from '../testing/test-bundle.ts';
import { type CosigningKey, cosignNote } from './cosign-note.ts';
import { formatSignature, parseNote } from './signed-note.ts';
import { createVerifierKey, formatVerifierKey } from './verifier-key.ts';
import { type VerifySettings, verifyBundle } from './verify.ts';
import type { CheckSignature } from './web-hash.ts';

const { bundle, trust, log } = await makeTestBundle({ size: 7, seq: 4 });
const timeS = 1_790_000_000;
/** Node 22 has no such keys. */
const skip = findMissing();
afterEach(() => vi.restoreAllMocks());

function findMissing(): boolean {
  try {
    generateKeyPairSync('ml-dsa-44' as 'ed25519');
    return false;
  } catch {
    return true;
  }
}

async function ed25519Witness(seed: number): Promise<CosigningKey> {
  const signer = createTestSigner(seed);
  const key = { name: `w${seed}.example`, type: 0x04, publicKey: signer.publicKey };
  return { key: await createVerifierKey(key), signer };
}

/** A real key where this Node has the algorithm. */
async function mlDsaKey(name: string): Promise<CosigningKey> {
  const { privateKey } = generateKeyPairSync('ml-dsa-44' as 'ed25519');
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = Uint8Array.from(spki.subarray(22));
  const signer = { sign: (bytes: Uint8Array) => Uint8Array.from(sign(null, bytes, privateKey)) };
  return { key: await createVerifierKey({ name, type: 0x06, publicKey }), signer };
}

/** The bundle with these lines under its note. */
function cosigned(...keys: readonly CosigningKey[]): string {
  const json = JSON.parse(bundle) as { proof: string };
  const note = parseNote(json.proof.slice(json.proof.indexOf('\n\n') + 2));
  if (!note.ok) throw new Error(note.error);
  const lines = keys.map((key) =>
    formatSignature(cosignNote(key, { timeS, text: note.value.text })),
  );
  return JSON.stringify({ ...json, proof: json.proof + lines.join('') });
}

const believe = (keys: readonly CosigningKey[], quorum: string): string =>
  trust.replace(
    'quorum none\n',
    `${keys.map(({ key }, i) => `witness W${i} ${formatVerifierKey(key)}\n`).join('')}${quorum}\n`,
  );

async function stepOf(step: number, text: string, settings: VerifySettings): Promise<string> {
  const report = await verifyBundle(text, settings);
  if (report.verdict === 'bad_input') return report.fault.code;
  const found = report.steps.find((each) => each.step === step);
  return `${report.verdict} ${found?.status} ${found?.code} ${found?.detail}`;
}

type CryptoKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

describe('step 5', () => {
  it('names the witnesses in the order of the trust file, and the newest time', async () => {
    const [first, second] = [await ed25519Witness(11), await ed25519Witness(12)];
    const believed = believe([first, second], 'group G all W0 W1\nquorum G');
    expect(await stepOf(5, cosigned(second, first), { trust: believed })).toBe(
      'valid pass OK cosigned by W0, W1, last at 2026-09-21T14:13:20.000Z',
    );
  });

  it('says of an earlier step that nothing can be cosigned', async () => {
    const believed = believe([await ed25519Witness(11)], 'quorum W0');
    const broken = JSON.stringify({ ...(JSON.parse(bundle) as object), proof: 'x' });
    expect(await stepOf(5, broken, { trust: believed })).toContain('absent NO_CHECKPOINT');
  });

  verifies(
    'RCP-29',
    'a line of a witness with ML-DSA-44 is checked where the algorithm is, and absent elsewhere',
    { skip },
    async () => {
      const witness = await mlDsaKey('w.example');
      const believed = believe([witness], 'quorum W0');
      expect(await stepOf(5, cosigned(witness), { trust: believed })).toContain('valid pass OK');
      const other = await mlDsaKey('w.example');
      const forged = cosigned({ key: witness.key, signer: other.signer });
      expect(await stepOf(5, forged, { trust: believed })).toContain('fail COSIGNATURE_INVALID');
      const without = { trust: believed, mlDsa44: null };
      expect(await stepOf(5, cosigned(witness), without)).toContain(
        'invalid absent ALG_UNAVAILABLE',
      );
    },
  );

  verifies('RCP-29', 'a platform whose WebCrypto has no ML-DSA-44 is noticed', async () => {
    const key = { name: 'w.example', type: 0x06, publicKey: new Uint8Array(1312) };
    const signer = { sign: () => new Uint8Array(2420) };
    const witness = { key: await createVerifierKey(key), signer };
    const { subtle } = globalThis.crypto;
    const importKey = subtle.importKey.bind(subtle) as (...args: unknown[]) => Promise<CryptoKey>;
    vi.spyOn(subtle, 'importKey').mockImplementation(async (...args: unknown[]) => {
      if (args[2] !== 'ML-DSA-44') return importKey(...args);
      throw new DOMException('Unrecognized algorithm name', 'NotSupportedError');
    });
    const settings = { trust: believe([witness], 'quorum W0') };
    expect(await stepOf(5, cosigned(witness), settings)).toContain('absent ALG_UNAVAILABLE');
  });
});

describe('step 4', () => {
  verifies(
    'RCP-29',
    'a trust file that names only the ML-DSA-44 key of a log demands its line',
    { skip },
    async () => {
      const second = await mlDsaKey(log.key.name);
      const believed = `log ${formatVerifierKey(second.key)}\nquorum none\n`;
      expect(await stepOf(4, cosigned(second), { trust: believed })).toContain('valid pass OK');
      expect(await stepOf(4, bundle, { trust: believed })).toContain('fail NOTE_KEY_UNKNOWN');
      const without = { trust: believed, mlDsa44: null };
      expect(await stepOf(4, cosigned(second), without)).toContain('absent ALG_UNAVAILABLE');
    },
  );

  it.skipIf(skip)('takes the check that the caller has', async () => {
    const second = await mlDsaKey(log.key.name);
    const believed = `log ${formatVerifierKey(second.key)}\nquorum none\n`;
    const mlDsa44: CheckSignature = async () => false;
    expect(await stepOf(4, cosigned(second), { trust: believed, mlDsa44 })).toContain(
      'fail NOTE_SIGNATURE_INVALID',
    );
  });

  it('asks the platform for nothing that the trust file does not need', async () => {
    const importKey = vi.spyOn(globalThis.crypto.subtle, 'importKey');
    expect((await verifyBundle(bundle, { trust })).verdict).toBe('valid');
    expect(importKey.mock.calls.map(([, , algorithm]) => algorithm)).not.toContain('ML-DSA-44');
  });
});
