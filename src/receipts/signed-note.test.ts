import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { createTestSigner } from '../testing/test-bundle.ts';
import { formatNote, type Note, parseNote, signaturesMax, verifyNote } from './signed-note.ts';
import { createLogKey, parseVerifierKey, type VerifierKey } from './verifier-key.ts';

/** The example of c2sp.org/signed-note. */
const exampleKey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const exampleNote = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;
const line = (name: string, signature = 'AAAAAAA='): string => `— ${name} ${signature}\n`;

async function readKey(text: string): Promise<VerifierKey> {
  const key = await parseVerifierKey(text);
  if (!key.ok) throw new Error(key.error);
  return key.value;
}

function readNote(text: string): Note {
  const note = parseNote(text);
  if (!note.ok) throw new Error(note.error);
  return note.value;
}

/** A note signed by two logs. */
async function twoSigned(): Promise<{ note: Note; keys: [VerifierKey, VerifierKey] }> {
  const text = 'text\n';
  const signers = [createTestSigner(1), createTestSigner(2)] as const;
  const keys: [VerifierKey, VerifierKey] = [
    await createLogKey('a.example', signers[0].publicKey),
    await createLogKey('b.example', signers[1].publicKey),
  ];
  const signatures = keys.map(({ name, keyId }, i) => ({
    name,
    keyId,
    signature: signers[i === 0 ? 0 : 1].sign(new TextEncoder().encode(text)),
  }));
  return { note: { text, signatures }, keys };
}

const broken = (note: Note, at: number): Note => ({
  ...note,
  signatures: note.signatures.map((each, i) =>
    i === at ? { ...each, signature: each.signature.map((byte) => byte ^ 1) } : each,
  ),
});

describe('parseNote', () => {
  it('reads the published example and writes it back unchanged', () => {
    const note = readNote(exampleNote);
    expect(note.text).toBe('This is an example message.\n');
    expect(note.signatures).toMatchObject([{ name: 'example.com/foo', keyId: '530d903a' }]);
    expect(formatNote(note)).toBe(exampleNote);
  });

  it('splits at the last empty line', () => {
    expect(readNote(`a\n\nb\n\n${line('k')}`).text).toBe('a\n\nb\n');
    expect(readNote(`\n\n${line('k')}`).text).toBe('\n');
  });

  it('accepts 100 signatures and refuses more', () => {
    const lines = (count: number): string => `a\n\n${line('k').repeat(count)}`;
    expect(readNote(lines(signaturesMax)).signatures).toHaveLength(100);
    expect(parseNote(lines(signaturesMax + 1))).toEqual({ ok: false, error: 'NOTE_MALFORMED' });
  });

  it('accepts 128 KiB of UTF-8 and refuses one byte more', () => {
    const rest = `\n\n${line('k')}`;
    const text = 'é'.repeat((131_072 - new TextEncoder().encode(rest).length) / 2);
    const pad = 131_072 - new TextEncoder().encode(text + rest).length;
    expect(parseNote('x'.repeat(pad) + text + rest).ok).toBe(true);
    expect(parseNote('x'.repeat(pad + 1) + text + rest)).toEqual({
      ok: false,
      error: 'NOTE_TOO_LARGE',
    });
  });

  it('refuses everything that is not exactly the format', () => {
    const cases = [
      '',
      'a\n',
      'a\n\n',
      `a\n${line('k')}`,
      `a\n\n${line('k')}`.slice(0, -1),
      `a\n\n${line('k')}\n`,
      `a\n\n${line('k')}x\n`,
      `a\r\n\r\n${line('k')}`,
      `a\u0000\n\n${line('k')}`,
      `a\t\n\n${line('k')}`,
      `\ud800\n\n${line('k')}`,
      `a\n\n- k AAAAAAA=\n`,
      `a\n\n—k AAAAAAA=\n`,
      `a\n\n—  AAAAAAA=\n`,
      `a\n\n— k  AAAAAAA=\n`,
      `a\n\n— k AAAAAAA= \n`,
      `a\n\n— k\u00a0x AAAAAAA=\n`,
      `a\n\n— k+x AAAAAAA=\n`,
      `a\n\n${line('k', 'AAAAAA==')}`,
      `a\n\n${line('k', 'AAAAAA')}`,
      `a\n\n${line('k', 'AAAAAAB=')}`,
      `a\n\n${line('k', 'AAAAAA-=')}`,
    ];
    for (const text of cases) {
      expect(parseNote(text), JSON.stringify(text)).toEqual({ ok: false, error: 'NOTE_MALFORMED' });
    }
  });
});

describe('verifyNote', () => {
  it('verifies the published example and nothing else', async () => {
    const key = await readKey(exampleKey);
    expect(await verifyNote(readNote(exampleNote), [key])).toEqual({ ok: true, value: [key] });
    const other = readNote(exampleNote.replace('an example', 'no example'));
    expect(await verifyNote(other, [key])).toEqual({ ok: false, error: 'NOTE_SIGNATURE_INVALID' });
  });

  verifies('RCP-10', 'ignores lines of unknown keys, also under a known name or id', async () => {
    const { note, keys } = await twoSigned();
    const [first, second] = keys;
    expect(await verifyNote(note, [first])).toEqual({ ok: true, value: [first] });
    expect(await verifyNote(note, keys)).toEqual({ ok: true, value: keys });
    const sameName = { ...second, name: first.name };
    const sameId = { ...second, keyId: first.keyId };
    expect(await verifyNote(note, [first, sameName, sameId])).toEqual({ ok: true, value: [first] });
    expect(await verifyNote(broken(note, 1), [first])).toEqual({ ok: true, value: [first] });
  });

  verifies('RCP-10', 'rejects the note for one bad signature of a known key', async () => {
    const { note, keys } = await twoSigned();
    for (const at of [0, 1]) {
      expect(await verifyNote(broken(note, at), keys)).toEqual({
        ok: false,
        error: 'NOTE_SIGNATURE_INVALID',
      });
    }
    const short = {
      ...note,
      signatures: [{ ...note.signatures[0], signature: new Uint8Array(63) }],
    };
    expect(await verifyNote(short as Note, keys)).toEqual({
      ok: false,
      error: 'NOTE_SIGNATURE_INVALID',
    });
  });

  verifies('RCP-10', 'rejects the note when no known key signed it', async () => {
    const { note, keys } = await twoSigned();
    const stranger = await createLogKey('c.example', createTestSigner(3).publicKey);
    for (const known of [[], [stranger], [{ ...keys[0], keyId: '00000000' }]]) {
      expect(await verifyNote(note, known)).toEqual({ ok: false, error: 'NOTE_KEY_UNKNOWN' });
    }
  });

  it('takes a key that is no curve point as a bad signature', async () => {
    const { note, keys } = await twoSigned();
    const wrong = { ...keys[0], publicKey: new Uint8Array(31) };
    expect((await verifyNote(note, [wrong])).ok).toBe(false);
  });
});
