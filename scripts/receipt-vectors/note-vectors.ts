// Checkpoints that no believed log signed.
import { encodeBase64 } from '../../src/core/base64.ts';
import { createTestLog } from '../../src/testing/test-bundle.ts';
import { type Base, editNote, invalid, type Vectors } from './receipt-vector.ts';

/** Step 4. */
export async function noteVectors({ log, bundle, trust }: Base): Promise<Vectors> {
  const other = await createTestLog({ seed: 2 });
  const elsewhere = await createTestLog({ origin: 'log.example/other' });
  const line = log.checkpoint().split('\n').at(-2) ?? '';
  const lastWords = (text: string): string => text.split(' ').at(-1) ?? '';
  const bad = `— ${log.key.name} ${encodeBase64(
    Uint8Array.from(Buffer.from(lastWords(line), 'base64'), (byte, i) =>
      i === 20 ? byte ^ 1 : byte,
    ),
  )}`;
  const list: [string, (note: string) => string, string, string][] = [
    ['bad-signature', (note) => note.replace(line, bad), trust, 'NOTE_SIGNATURE_INVALID'],
    ['good-and-bad-signature', (note) => `${note}${bad}\n`, trust, 'NOTE_SIGNATURE_INVALID'],
    ['unknown-key-only', (note) => note, other.trust, 'NOTE_KEY_UNKNOWN'],
    [
      'other-key-name',
      (note) => note.replace('— log.example/test', '— log.example/x'),
      trust,
      'NOTE_KEY_UNKNOWN',
    ],
    ['other-origin', (note) => note, elsewhere.trust, 'ORIGIN_UNKNOWN'],
    [
      'extension-line',
      (note) => note.replace('=\n\n', '=\nx\n\n'),
      trust,
      'NOTE_SIGNATURE_INVALID',
    ],
    ['missing-newline', (note) => note.slice(0, -1), trust, 'NOTE_MALFORMED'],
    ['no-signature', (note) => note.replace(`${line}\n`, ''), trust, 'NOTE_MALFORMED'],
    [
      'control-character',
      (note) => note.replace('log.example', 'log\u0007example'),
      trust,
      'NOTE_MALFORMED',
    ],
    ['hyphen-for-dash', (note) => note.replace('— ', '- '), trust, 'NOTE_MALFORMED'],
    ['space-at-end', (note) => note.replace(line, `${line} `), trust, 'NOTE_MALFORMED'],
    [
      'size-with-leading-zero',
      (note) => note.replace('\n7\n', '\n07\n'),
      trust,
      'CHECKPOINT_MALFORMED',
    ],
    ['no-root', (note) => note.replace(/\n7\n.*\n\n/, '\n7\n\n'), trust, 'CHECKPOINT_MALFORMED'],
    [
      'larger-than-128-kib',
      (note) => `${note}${`${line}\n`.repeat(1200)}`,
      trust,
      'NOTE_TOO_LARGE',
    ],
  ];
  return list.map(([name, edit, believed, code]) => [
    `note-${name}`,
    { bundle: editNote(bundle, edit), trust: believed, expect: invalid(4, code) },
  ]);
}
