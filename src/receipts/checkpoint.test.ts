import { describe, expect, it } from 'vitest';
import { createTestSigner } from '../testing/test-bundle.ts';
import { formatCheckpoint, parseCheckpoint, parseSize, signCheckpoint } from './checkpoint.ts';
import { parseNote, verifyNote } from './signed-note.ts';
import { createLogKey } from './verifier-key.ts';

/** The example of c2sp.org/tlog-checkpoint. */
const example = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
`;

describe('parseCheckpoint', () => {
  it('reads the published example and writes it back unchanged', () => {
    const parsed = parseCheckpoint(example);
    expect(parsed).toMatchObject({
      ok: true,
      value: { origin: 'example.com/behind-the-sofa', size: 20_852_163 },
    });
    expect(parsed.ok && formatCheckpoint(parsed.value)).toBe(example);
  });

  it('ignores extension lines', () => {
    expect(parseCheckpoint(`${example}timestamp 1\nmore\n`)).toEqual(parseCheckpoint(example));
  });

  it('refuses everything that is not exactly the format', () => {
    const cases = [
      '',
      '\n',
      example.slice(0, -1),
      `${example}\n`,
      `${example}x\n\n`,
      `${example}x`,
      example.replace('example.com/behind-the-sofa', ''),
      example.replace('20852163', '020852163'),
      example.replace('20852163', '+20852163'),
      example.replace('20852163', '9007199254740992'),
      example.replace('20852163', ''),
      example.replace('q2I=', 'q2J='),
      example.replace('q2I=', 'q2I'),
      example.replace('CsUY', ''),
    ];
    for (const text of cases) {
      const fault = { ok: false, error: 'CHECKPOINT_MALFORMED' };
      expect(parseCheckpoint(text), JSON.stringify(text)).toEqual(fault);
    }
  });
});

describe('signCheckpoint', () => {
  it('makes a note that the key verifies, the same one each time', async () => {
    const signer = createTestSigner(1);
    const key = await createLogKey('log.example', signer.publicKey);
    const tree = { size: 3, root: new Uint8Array(32).fill(7) };
    const note = parseNote(signCheckpoint(tree, key, signer));
    expect(note.ok && parseCheckpoint(note.value.text)).toEqual({
      ok: true,
      value: { origin: 'log.example', ...tree },
    });
    expect(note.ok && (await verifyNote(note.value, [key]))).toEqual({ ok: true, value: [key] });
    expect(signCheckpoint(tree, key, signer)).toBe(signCheckpoint(tree, key, signer));
  });
});

describe('parseSize', () => {
  it('takes decimals up to the last safe integer', () => {
    expect(['0', '7', '9007199254740991'].map(parseSize)).toEqual([0, 7, 9_007_199_254_740_991]);
    for (const text of ['', '00', '01', '-1', '1.0', '1e3', ' 1', '9007199254740993', '٣']) {
      expect(parseSize(text), text).toBeUndefined();
    }
  });
});
