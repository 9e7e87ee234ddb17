// The second verifier, in Python, against ours: on every vector, and on bundles damaged at random.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { answerVector, type VectorAnswer } from '../scripts/receipt-vectors/answer-vector.ts';
import {
  answersOfPython,
  compareVerifiers,
  pythonVerifierFolder,
  runPythonVerifier,
} from '../scripts/receipt-vectors/compare-verifiers.ts';
import type { ReceiptVector } from '../scripts/receipt-vectors/receipt-vector.ts';
import { makeTestBundle } from '../src/testing/test-bundle.ts';
import { damaged } from './damaged-bundles.ts';
import { describeWithPython } from './peers/python-peer.ts';
import { verifies } from './requirements/verifies.ts';
import { repositoryRoot } from './source-files.ts';

const vectors = join(repositoryRoot, 'test/vectors/receipts');
const temporary = mkdtempSync(join(tmpdir(), 'python-verifier-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

type Input = Pick<ReceiptVector, 'bundle' | 'trust'>;

interface Answers {
  readonly ours: VectorAnswer;
  readonly python: VectorAnswer | undefined;
  readonly input: Input;
}

const vectorOf = (name: string): ReceiptVector =>
  JSON.parse(readFileSync(join(vectors, `${name}.json`), 'utf8')) as ReceiptVector;

/** A new folder with one file for each vector. */
function folderOf(name: string, inputs: readonly Input[]): string {
  const folder = join(temporary, name);
  mkdirSync(folder);
  for (const [i, input] of inputs.entries()) {
    writeFileSync(join(folder, `${i}.json`), JSON.stringify(input));
  }
  return folder;
}

describeWithPython('the Python verifier', (python) => {
  verifies(
    'RCP-28',
    'says what every vector expects, as ours does',
    async () => {
      const comparison = await compareVerifiers(python, vectors);
      expect(comparison.disagreements).toEqual([]);
      expect(comparison.vectors).toBeGreaterThanOrEqual(200);
      expect(comparison).toMatchObject({ ok: true, agreeing: comparison.vectors });
    },
    60_000,
  );

  /** What the two say about each input. */
  async function answersTo(name: string, inputs: readonly Input[]): Promise<readonly Answers[]> {
    const answers = answersOfPython(python, folderOf(name, inputs));
    return Promise.all(
      inputs.map(async (input, i) => ({
        ours: await answerVector(input),
        python: answers.get(String(i)),
        input,
      })),
    );
  }

  it('says the same as ours of bundles and trust files with bytes changed at random', async () => {
    const names = [
      'valid-two-keys-both-signed',
      'valid-leaf-every-escape',
      'valid-operation-of-four-eyes',
      'valid-trust-groups-unused',
      'valid-disclosed-strange-names',
      'valid-trust-json',
      'valid-answer-es256',
      'valid-answer-known-passkey',
    ];
    const inputs = names.flatMap((name, i) => damaged(vectorOf(name), { seed: i + 1, count: 60 }));
    expect(inputs.length).toBeGreaterThan(1000);
    const answers = await answersTo('damaged', inputs);
    expect(answers.filter(({ ours, python }) => !isDeepStrictEqual(ours, python))).toEqual([]);
  }, 60_000);

  it('says the same as ours of texts at the limits of size', async () => {
    const { bundle, trust } = vectorOf('valid-size-3-2');
    const { disclosed, ...parts } = JSON.parse(bundle) as { disclosed: Record<string, object> };
    const opened = (value: unknown): string => {
      const reasons = { ...disclosed['reasons'], value };
      return JSON.stringify({ ...parts, disclosed: { reasons } });
    };
    const padded = (text: string, sizeBytes: number): string =>
      text + ' '.repeat(sizeBytes - Buffer.byteLength(text));
    const settings = JSON.stringify({ policy: trust });
    const inputs = [
      { bundle: opened(new Array(524_287).fill(1)), trust },
      { bundle: opened(new Array(524_288).fill(1)), trust },
      { bundle: opened('x'.repeat(1_048_574)), trust },
      { bundle: opened('é'.repeat(524_288)), trust },
      { bundle: padded(bundle, 4_194_304), trust },
      { bundle: padded(bundle, 4_194_305), trust },
      { bundle, trust: settings.padEnd(1_048_576) },
      { bundle, trust: settings.padEnd(1_048_577) },
      { bundle, trust: trust.padEnd(262_144) },
      { bundle, trust: `${trust}#${'é'.repeat(262_144)}` },
    ];
    const answers = await answersTo('large', inputs);
    expect(answers.map(({ python }) => python)).toEqual(answers.map(({ ours }) => ours));
    expect(answers.map(({ ours }) => ('code' in ours ? ours.code : 'OK'))).toEqual([
      'COMMITMENT_MISMATCH',
      'BUNDLE_MALFORMED',
      'COMMITMENT_MISMATCH',
      'BUNDLE_MALFORMED',
      'OK',
      'BUNDLE_TOO_LARGE',
      'OK',
      'TRUST_MALFORMED',
      'OK',
      'POLICY_TOO_LARGE',
    ]);
  }, 60_000);

  it('is found out where it or ours says something else', async () => {
    const wrong = { ...vectorOf('valid-size-3-2'), expect: { verdict: 'invalid' } };
    const comparison = await compareVerifiers(python, folderOf('wrong', [wrong]));
    const valid = { verdict: 'valid' };
    expect(comparison).toEqual({
      ok: false,
      vectors: 1,
      agreeing: 0,
      disagreements: [{ vector: '0', ours: valid, python: valid, expect: { verdict: 'invalid' } }],
    });
    expect(() => answersOfPython(python, join(temporary, 'nowhere'))).toThrow('holds no vectors');
  });

  describe('on the command line', async () => {
    const { bundle, trust } = await makeTestBundle();
    const write = (name: string, text: string | Uint8Array): string => {
      const path = join(temporary, name);
      writeFileSync(path, text);
      return path;
    };
    const good = write('bundle.json', bundle);
    const trusted = write('trust.txt', trust);
    const run = (...args: string[]): ReturnType<typeof runPythonVerifier> =>
      runPythonVerifier(python, args);

    it('prints the steps of a valid receipt', () => {
      const { status, stdout, stderr } = run(good, '--trust', trusted);
      expect(stderr).toBe('');
      expect(stdout).toMatch(/^1 {2}pass {4}OK\n(?:.*\n){7}valid\n$/);
      expect(status).toBe(0);
    });

    it('prints one object with --json', () => {
      const bad = write('bad.json', bundle.replace('1240.00', '1240.01'));
      const { status, stdout } = run(bad, '--trust', trusted, '--json');
      const report = JSON.parse(stdout) as { steps: object[] };
      expect(report).toMatchObject({ verdict: 'invalid', step: 2, code: 'COMMITMENT_MISMATCH' });
      expect(report.steps[1]).toEqual({
        step: 2,
        status: 'fail',
        code: 'COMMITMENT_MISMATCH',
        required: true,
      });
      expect(status).toBe(1);
    });

    it.each([
      ['no bundle', () => [], /no bundle.*BUNDLE --trust FILE/],
      ['no trust file', () => [good], /--trust is missing: name the trust file/],
      ['a missing bundle', () => ['gone.json', '--trust', trusted], /`gone.json`.*check the path/],
      ['a missing trust file', () => [good, '--trust', 'gone'], /`gone` cannot be read.*check/],
      ['a folder', () => [temporary, '--trust', trusted], /cannot be read.*check the path/],
      [
        'a bundle that is no JSON',
        () => [write('text', 'x'), '--trust', trusted],
        /text` is no receipt bundle: BUNDLE_NOT_JSON; ask/,
      ],
      [
        'a bundle that is no UTF-8',
        () => [write('bytes', Uint8Array.of(0xff)), '--trust', trusted],
        /bytes` is not UTF-8 text: take the file/,
      ],
      [
        'a trust file that is none',
        () => [good, '--trust', good],
        /bundle.json` is no trust file: TRUST_KEY_UNKNOWN; ask/,
      ],
      ['an empty folder of vectors', () => ['--vectors', 'gone'], /`gone` holds no vectors/],
    ])('refuses %s with exit code 2, and says what to do', (_what, args, message) => {
      const { status, stdout, stderr } = run(...args());
      expect(stderr).toMatch(message);
      expect(stderr).not.toContain('Traceback');
      expect(stdout).toBe('');
      expect(status).toBe(2);
    });
  });
});

describe('the package intentplane_verify', () => {
  verifies('RCP-17', 'imports nothing that could open a connection', () => {
    const folder = join(pythonVerifierFolder, 'intentplane_verify');
    const files = readdirSync(folder).filter((file) => file.endsWith('.py'));
    const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
    const imported = [...text.matchAll(/^\s*(?:import|from) ([a-z]\w*)/gm)].map(([, name]) => name);
    expect([...new Set(imported)].sort()).toEqual(
      'argparse base64 cryptography dataclasses hashlib hmac json pathlib re sys'.split(' '),
    );
    expect(text).not.toMatch(/__import__|importlib|\beval\b|\bexec\b/);
  });
});

describe('npm run vectors', () => {
  it('names the script that installs Python when there is none', () => {
    const script = join(repositoryRoot, 'scripts/run-vectors.ts');
    const { status, stderr } = spawnSync(process.execPath, [script, '--json'], {
      encoding: 'utf8',
      env: { ...process.env, INTENTPLANE_PEERS: join(temporary, 'gone') },
    });
    expect(stderr).toMatch(/gone`, which is missing: run scripts\/python-peers.sh once/);
    expect(status).toBe(2);
  });
});
