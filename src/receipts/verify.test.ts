import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { decodeBase64, encodeBase64 } from '../core/base64.ts';
import { encodePreimage } from '../core/op-hash.ts';
import {
  aDecisionDraft,
  aPreimage,
  createTestLog,
  makeTestBundle,
} from '../testing/test-bundle.ts';
import { formatBundle, parseBundle } from './bundle.ts';
import { formatCheckpoint } from './checkpoint.ts';
import { formatNote } from './signed-note.ts';
import { deriveKeyId, formatVerifierKey } from './verifier-key.ts';
import { notProven, type VerifyReport, type VerifySettings, verifyBundle } from './verify.ts';

type Json = Record<string, unknown>;

const { bundle, trust, log } = await makeTestBundle({ size: 7, seq: 4 });

/** The valid bundle with other members. */
const changed = (changes: Json): string =>
  JSON.stringify({ ...(JSON.parse(bundle) as Json), ...changes });

const { proof } = JSON.parse(bundle) as { proof: string };

/** `valid`, `bad_input`, or the step that failed with its code. */
async function outcomeOf(text: string, settings: Partial<VerifySettings> = {}): Promise<string> {
  const report = await verifyBundle(text, { trust, ...settings });
  if (report.verdict === 'bad_input') return `bad_input ${report.input} ${report.fault.code}`;
  const failed = report.steps.find(({ step }) => step === report.failedStep);
  return failed === undefined ? report.verdict : `${failed.step} ${failed.status} ${failed.code}`;
}

function stepsOf(report: VerifyReport): string[] {
  if (report.verdict === 'bad_input') return [];
  return report.steps.map(({ step, status, code }) => `${step} ${status} ${code}`);
}

describe('verifyBundle', () => {
  it('passes steps 1 to 4 and the operation of step 7, and says what it did not run', async () => {
    const report = await verifyBundle(bundle, { trust });
    expect(report.verdict).toBe('valid');
    expect(stepsOf(report)).toEqual([
      '1 pass OK',
      '2 pass OK',
      '3 pass OK',
      '4 pass OK',
      '5 absent NOT_ASKED',
      '6 absent NOT_ASKED',
      '7 pass OK',
      '8 absent NOT_ASKED',
    ]);
    const receipt = report.verdict === 'bad_input' ? undefined : report.receipt;
    expect(receipt).toMatchObject({
      leaf: { type: 'decision', seq: 4, open: { decision: 'allow' } },
      checkpoint: { origin: 'log.example/test', size: 7 },
      disclosed: { 'param.amount': '{"source":"untrusted","value":"1240.00"}', reasons: '[]' },
    });
  });

  it('verifies every leaf of trees of every shape', async () => {
    for (const size of [1, 2, 3, 8, 9, 255, 256, 257]) {
      for (const seq of new Set([0, size >> 1, size - 1])) {
        const made = await makeTestBundle({ size, seq });
        expect(await outcomeOf(made.bundle, { trust: made.trust }), `${seq}/${size}`).toBe('valid');
      }
    }
  });

  verifies(
    'RCP-25',
    'says REDACTED where values were erased, and passes all the rest',
    async () => {
      const json = JSON.parse(bundle) as { disclosed: Record<string, unknown> };
      const { reasons, ...erased } = json.disclosed;
      const after = JSON.stringify({
        ...{ ...json, disclosed: { reasons }, redacted: Object.keys(erased), evidence: {} },
      });
      const report = await verifyBundle(after, { trust });
      expect(report.verdict).toBe('valid');
      expect(stepsOf(report).slice(0, 4)).toEqual([
        '1 pass OK',
        '2 pass REDACTED',
        '3 pass OK',
        '4 pass OK',
      ]);
      const [, second] = report.verdict === 'bad_input' ? [] : report.steps;
      expect(second?.detail).toMatch(/^1 of \d committed fields .*, \d said to be erased$/);
      const stray = JSON.stringify({ ...json, redacted: ['param.name'] });
      expect(await outcomeOf(stray, { trust })).toBe('2 fail FIELD_NOT_COMMITTED');
    },
  );

  verifies('RCP-05', 'confirms one disclosed field and learns nothing of the others', async () => {
    const one = log.bundle(4, { disclose: ['param.iban'] });
    expect(one).not.toContain('1240.00');
    const report = await verifyBundle(one, { trust });
    const [, step] = report.verdict === 'bad_input' ? [] : report.steps;
    expect(step?.detail).toBe('1 of 3 committed fields disclosed and confirmed');
  });

  describe('step 1', () => {
    const leafOf = (text: string): string => changed({ leaf: encodeBase64(Buffer.from(text)) });
    const leaf = Buffer.from(log.leaf(4).bytes).toString();

    it('refuses bytes that are no canonical leaf', async () => {
      expect(await outcomeOf(leafOf(` ${leaf}`))).toBe('1 fail LEAF_NOT_CANONICAL');
      expect(await outcomeOf(leafOf(leaf.replace('"v":1', '"v":2')))).toBe(
        '1 fail LEAF_FIELD_INVALID',
      );
      expect(await outcomeOf(leafOf(leaf.replace('decision"', 'decisive"')))).toBe(
        '1 fail LEAF_FIELD_UNKNOWN',
      );
      expect(await outcomeOf(leafOf('x'.repeat(16_385)))).toBe('1 fail LEAF_TOO_LARGE');
    });

    it('refuses a leaf at another place than its own', async () => {
      const moved = proof.replace('index 4', 'index 5');
      expect(await outcomeOf(changed({ proof: moved }))).toBe('1 fail SEQ_MISMATCH');
    });
  });

  describe('step 2', () => {
    const { disclosed } = JSON.parse(bundle) as { disclosed: Record<string, Json> };
    const disclose = (changes: Json): string =>
      changed({ disclosed: { ...disclosed, ...changes }, evidence: {} });

    it('refuses another value, another salt and a swapped field', async () => {
      const [amount, iban] = [disclosed['param.amount'], disclosed['param.iban']];
      const value = { source: 'untrusted', value: '1240.01' };
      for (const changes of [
        { 'param.amount': { ...amount, value } },
        { 'param.amount': { ...amount, value: null } },
        { 'param.amount': { ...amount, salt: iban?.['salt'] } },
        { 'param.amount': iban, 'param.iban': amount },
      ]) {
        expect(await outcomeOf(disclose(changes))).toBe('2 fail COMMITMENT_MISMATCH');
      }
    });

    it('refuses a field that was never logged', async () => {
      const note = disclosed['reasons'];
      expect(await outcomeOf(disclose({ note }))).toBe('2 fail FIELD_NOT_COMMITTED');
      expect(await outcomeOf(disclose({ toString: note }))).toBe('2 fail FIELD_NOT_COMMITTED');
      const wrong = { ...disclosed['reasons'], value: 1 };
      const both = disclose({ reasons: wrong, note });
      expect(await outcomeOf(both)).toBe('2 fail FIELD_NOT_COMMITTED');
    });
  });

  describe('step 3', () => {
    const lines = proof.split('\n');
    const withHashes = (change: (hashes: string[]) => string[]): string => {
      const hashes = change(lines.slice(2, 5));
      return changed({ proof: [...lines.slice(0, 2), ...hashes, ...lines.slice(5)].join('\n') });
    };

    it('refuses a proof with a hash changed, left out, added or moved', async () => {
      expect(lines[5]).toBe('');
      expect(await outcomeOf(withHashes((hashes) => hashes))).toBe('valid');
      expect(await outcomeOf(withHashes((hashes) => hashes.toReversed()))).toBe(
        '3 fail PROOF_ROOT_MISMATCH',
      );
      expect(await outcomeOf(withHashes((hashes) => hashes.slice(1)))).toBe('3 fail PROOF_LENGTH');
      expect(await outcomeOf(withHashes((hashes) => [...hashes, ...hashes]))).toBe(
        '3 fail PROOF_LENGTH',
      );
    });

    it('refuses an index outside the tree and a proof that cannot be read', async () => {
      const small = changed({ proof: proof.replace('\n7\n', '\n4\n') });
      expect(await outcomeOf(small)).toBe('3 fail PROOF_LENGTH');
      const unreadable = await verifyBundle(changed({ proof: 'x' }), { trust });
      expect(stepsOf(unreadable).slice(0, 4)).toEqual([
        '1 absent PROOF_MALFORMED',
        '2 pass OK',
        '3 fail PROOF_MALFORMED',
        '4 absent NO_CHECKPOINT',
      ]);
    });
  });

  describe('step 4', () => {
    it('refuses notes and checkpoints that cannot be read', async () => {
      const note = await verifyBundle(changed({ proof: `${proof}x` }), { trust });
      expect(stepsOf(note).slice(2, 4)).toEqual([
        '3 absent NO_CHECKPOINT',
        '4 fail NOTE_MALFORMED',
      ]);
      const size = changed({ proof: proof.replace('\n7\n', '\n07\n') });
      expect(await outcomeOf(size)).toBe('4 fail CHECKPOINT_MALFORMED');
      const large = changed({ proof: proof.replace('\n7\n', `\n7\n${'x'.repeat(131_072)}\n`) });
      expect(await outcomeOf(large)).toBe('4 fail NOTE_TOO_LARGE');
    });

    it('refuses another origin, an unknown key and a bad signature', async () => {
      const other = await createTestLog({ seed: 2 });
      expect(await outcomeOf(bundle, { trust: 'quorum none' })).toBe('4 fail ORIGIN_UNKNOWN');
      expect(await outcomeOf(bundle, { trust: other.trust })).toBe('4 fail NOTE_KEY_UNKNOWN');
      const elsewhere = await createTestLog({ origin: 'log.example/other' });
      expect(await outcomeOf(bundle, { trust: elsewhere.trust })).toBe('4 fail ORIGIN_UNKNOWN');
      const extended = changed({
        proof: proof.replace('\n7\n', '\n7\n').replace('=\n\n—', '=\nx\n\n—'),
      });
      expect(await outcomeOf(extended)).toBe('4 fail NOTE_SIGNATURE_INVALID');
    });

    it('does not take a key for an origin that is not its name', async () => {
      const forger = await createTestLog({ origin: 'forger.example', seed: 3 });
      forger.fill(4);
      forger.append(aDecisionDraft(aPreimage()));
      const made = JSON.parse(forger.bundle(4)) as { proof: string };
      // The forger's own signature, good in itself, over a checkpoint of the other log.
      const checkpoint = { origin: 'log.example/test', size: 5, root: forger.root() };
      const text = formatCheckpoint(checkpoint);
      const signature = forger.signer.sign(Buffer.from(text));
      const { name, keyId } = forger.key;
      const note = formatNote({ text, signatures: [{ name, keyId, signature }] });
      const claimed = made.proof.slice(0, made.proof.indexOf('\n\n') + 2) + note;
      const both = trust + forger.trust.split('\n')[0];
      const forged = JSON.stringify({ ...made, proof: claimed });
      expect(await outcomeOf(forged, { trust: both })).toBe('4 fail NOTE_KEY_UNKNOWN');
    });

    it('says when only a key of another algorithm could verify it', async () => {
      const key = { name: 'log.example/test', type: 0x06, publicKey: new Uint8Array(1312) };
      const line = `log ${formatVerifierKey({ ...key, keyId: await deriveKeyId(key) })}\n`;
      const pqOnly = `${line}quorum none\n`;
      expect(await outcomeOf(bundle, { trust: pqOnly, mlDsa44: null })).toBe(
        '4 absent ALG_UNAVAILABLE',
      );
      expect(await outcomeOf(bundle, { trust: line + trust })).toBe('valid');
    });
  });

  describe('steps that cannot be run here', () => {
    const requiring = (step: number): string => JSON.stringify({ policy: trust, require: [step] });

    it('fail the verdict when the trust file asks for them', async () => {
      expect(await outcomeOf(bundle, { trust: requiring(5) })).toBe('5 absent QUORUM_NOT_SET');
      expect(await outcomeOf(bundle, { trust: requiring(8) })).toBe('8 absent NOT_SUPPORTED');
    });

    it('include the approvals of step 7, also when the operation matches', async () => {
      const asked = requiring(7);
      expect(await outcomeOf(bundle, { trust: asked })).toBe('7 absent APPROVALS_NOT_CHECKED');
      expect(await outcomeOf(changed({ evidence: {} }), { trust: asked })).toBe(
        '7 absent NOT_SUPPORTED',
      );
    });
  });

  describe('step 6', () => {
    it('asks for an earlier checkpoint when the trust file does', async () => {
      const asking = JSON.stringify({ policy: trust, require: [6] });
      expect(await outcomeOf(bundle, { trust: asking })).toBe('6 absent NO_PREVIOUS');
    });

    verifies('RCP-16', 'passes for every earlier size of the log', async () => {
      for (let size = 0; size <= 7; size += 1) {
        const grown = log.bundle(4, { previousSize: size });
        const report = await verifyBundle(grown, { trust, previous: log.checkpoint(size) });
        expect(stepsOf(report)[5], String(size)).toBe('6 pass OK');
        expect(report.verdict).toBe('valid');
      }
    });

    it('says how to get a bundle that shows it', async () => {
      const report = await verifyBundle(bundle, { trust, previous: log.checkpoint(3) });
      expect(stepsOf(report)[5]).toBe('6 fail CONSISTENCY_MISSING');
      const detail = report.verdict === 'bad_input' ? '' : report.steps[5]?.detail;
      expect(detail).toContain('receipts export --previous');
    });

    verifies('RCP-16', 'refuses a cut tail, an old backup and a fork', async () => {
      const seen = log.checkpoint(6);
      expect(await outcomeOf(log.bundle(4, { size: 5 }), { previous: seen })).toBe(
        '6 fail LOG_SHORTER',
      );
      const fork = await createTestLog();
      fork.append(aDecisionDraft());
      fork.fill(9);
      expect(await outcomeOf(fork.bundle(0, { previousSize: 6 }), { previous: seen })).toBe(
        '6 fail CONSISTENCY_MISMATCH',
      );
      expect(await outcomeOf(fork.bundle(0, { size: 6 }), { previous: seen })).toBe(
        '6 fail LOG_FORKED',
      );
    });

    it('names a text that is no checkpoint', async () => {
      expect(await outcomeOf(bundle, { previous: 'x' })).toBe('bad_input previous NOTE_MALFORMED');
    });
  });

  describe('step 7', () => {
    const withPreimage = (preimage: string): string => changed({ evidence: { preimage } });

    it('refuses an operation that differs in one cent', async () => {
      const values = { ...aPreimage().values, amount: { type: 'money', value: '1240.01' } };
      const other = encodePreimage(aPreimage({ values }));
      expect(await outcomeOf(withPreimage(other))).toBe('7 fail OP_HASH_MISMATCH');
    });

    it('refuses text that is no operation', async () => {
      const text = encodePreimage(aPreimage());
      expect(await outcomeOf(withPreimage(`${text} `))).toBe('7 fail PREIMAGE_NOT_CANONICAL');
      expect(await outcomeOf(withPreimage('{}'))).toBe('7 fail PREIMAGE_INVALID');
    });

    it('refuses an operation under a leaf that names none', async () => {
      const other = await createTestLog();
      other.append({ type: 'alarm', open: { kind: 'clock_step' }, committed: {} });
      const text = other.bundle(0, { preimage: encodePreimage(aPreimage()) });
      expect(await outcomeOf(text)).toBe('7 fail OP_HASH_MISSING');
      const broken = { ...(JSON.parse(text) as Json), leaf: 'AAAA' };
      const report = await verifyBundle(JSON.stringify(broken), { trust });
      expect(stepsOf(report)).toContain('7 fail OP_HASH_MISSING');
      expect(stepsOf(report)).toContain('2 absent LEAF_NOT_CANONICAL');
      expect(report).toMatchObject({ receipt: undefined });
    });

    it('refuses an operation of another id or another log', async () => {
      const foreign = aPreimage({ gateway: 'other.example' });
      const draft = aDecisionDraft(foreign);
      const other = await createTestLog();
      other.append(draft);
      other.append({ ...aDecisionDraft(), opId: 'f'.repeat(32) });
      const preimage = encodePreimage(aPreimage());
      expect(await outcomeOf(other.bundle(0, { preimage: encodePreimage(foreign) }))).toBe(
        '7 fail PREIMAGE_OTHER_OPERATION',
      );
      expect(await outcomeOf(other.bundle(1, { preimage }))).toBe(
        '7 fail PREIMAGE_OTHER_OPERATION',
      );
      const unreadable = JSON.parse(other.bundle(1, { preimage })) as Json;
      const report = await verifyBundle(JSON.stringify({ ...unreadable, proof: 'x' }), { trust });
      expect(stepsOf(report)).toContain('7 fail PREIMAGE_OTHER_OPERATION');
    });
  });

  it('answers bad input without running a step', async () => {
    expect(await outcomeOf('{}')).toBe('bad_input bundle BUNDLE_FORMAT');
    expect(await outcomeOf('')).toBe('bad_input bundle BUNDLE_NOT_JSON');
    expect(await outcomeOf(bundle, { trust: '' })).toBe('bad_input trust POLICY_QUORUM');
    expect(await outcomeOf(bundle, { trust: '{' })).toBe('bad_input trust TRUST_MALFORMED');
  });

  verifies(
    'RCP-09',
    'rejects every flipped byte of leaf, proof and checkpoint',
    async () => {
      for (const seq of [0, 1, 5]) {
        const made = await makeTestBundle({ size: seq + 1 + (seq % 2), seq });
        for (const [what, text] of forgeries(made.bundle)) {
          if ((await outcomeOf(text, made)) === 'valid') expect.fail(`${seq}: ${what}`);
        }
      }
    },
    120_000,
  );

  verifies(
    'RCP-09',
    'rejects every flipped byte of the bundle file',
    async () => {
      for (const [at, flipped] of flips(Buffer.from(bundle))) {
        const text = Buffer.from(flipped).toString();
        if ((await outcomeOf(text)) === 'valid') expect.fail(`byte ${at}`);
      }
    },
    120_000,
  );

  verifies('RCP-18', 'lists what it does not prove', () => {
    expect(notProven.length).toBeGreaterThanOrEqual(7);
    for (const sentence of notProven) expect(sentence).toMatch(/^that /);
    const all = notProven.join('\n');
    for (const word of ['valid now', 'understood', 'legal', 'second history', 'outside']) {
      expect(all).toContain(word);
    }
  });
});

describe('the verifier', () => {
  verifies('RCP-17', 'imports nothing but its own pure files', () => {
    const files = importsOf(new URL('./verify.ts', import.meta.url));
    expect(files.size).toBeGreaterThan(10);
    const foreign = [...files].filter((url) => !url.startsWith('file:'));
    expect(foreign).toEqual([]);
    expect([...files].filter((url) => url.endsWith('/sha256.ts'))).toEqual([]);
    for (const url of files) {
      const source = readFileSync(fileURLToPath(url), 'utf8');
      expect(source).not.toMatch(/\b(?:fetch|WebSocket|XMLHttpRequest|Buffer|process)\b[.(]/);
    }
  });

  verifies(
    'RCP-17',
    'runs where every module of the platform and every request throws',
    async () => {
      const script = `
        import { registerHooks } from 'node:module';
        import { readFileSync } from 'node:fs';
        const input = JSON.parse(readFileSync(0, 'utf8'));
        registerHooks({ resolve(name, context, next) {
          if (!name.startsWith('file:') && !name.startsWith('.')) throw new Error('imports ' + name);
          return next(name, context);
        } });
        globalThis.fetch = () => { throw new Error('fetches'); };
        const { verifyBundle } = await import(${JSON.stringify(new URL('./verify.ts', import.meta.url).href)});
        process.stdout.write((await verifyBundle(input.bundle, input)).verdict);`;
      const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
      run.child.stdin?.end(JSON.stringify({ bundle, trust }));
      expect((await run).stdout).toBe('valid');
    },
    30_000,
  );
});

/** The bundle with one bit turned in its leaf or its proof, once for each byte of them. */
function* forgeries(text: string): Generator<[string, string]> {
  const read = parseBundle(text);
  if (!read.ok) throw new Error(read.error.code);
  for (const [at, leaf] of flips(read.value.leaf)) {
    yield [`leaf byte ${at}`, formatBundle({ ...read.value, leaf })];
  }
  for (const [at, bytes] of flips(Buffer.from(read.value.proof))) {
    yield [
      `proof byte ${at}`,
      formatBundle({ ...read.value, proof: Buffer.from(bytes).toString() }),
    ];
  }
}

/** The same bytes with one bit turned, once for each byte. */
function* flips(bytes: Uint8Array): Generator<[number, Uint8Array]> {
  for (let at = 0; at < bytes.length; at += 1) {
    const flipped = Uint8Array.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
    yield [at, flipped];
  }
}

/** Every module that the file loads at run time, itself included. */
function importsOf(entry: URL): Set<string> {
  const found = new Set<string>([entry.href]);
  for (const url of found) {
    if (!url.startsWith('file:')) continue;
    const source = readFileSync(fileURLToPath(url), 'utf8');
    const pattern = /^(?:import|export)\s+(?!type\b)[^;]*?from\s+'([^']+)'/gm;
    for (const [, name = ''] of source.matchAll(pattern)) {
      found.add(name.startsWith('.') ? new URL(name, url).href : name);
    }
  }
  return found;
}

it('decodes what the bundle encodes', () => {
  const { leaf } = JSON.parse(bundle) as { leaf: string };
  expect(decodeBase64(leaf)).toEqual({ ok: true, value: log.leaf(4).bytes });
});
