// Signed notes (c2sp.org/signed-note): a text, a blank line, one line per signature.
import { decodeBase64, encodeBase64 } from '../core/base64.ts';
import { err, ok, type Result } from '../core/result.ts';
import { isNoteSignature, type OptionalAlgorithms } from './note-signature.ts';
import type { VerifierKey } from './verifier-key.ts';

/** Longest note that is read. */
const noteSizeMaxBytes = 131_072;
/** Most signature lines that are read; the format asks for at least 16. */
export const signaturesMax = 100;

/** One signature line. */
export interface NoteSignature {
  readonly name: string;
  /** Eight lower-case hex digits. A hint which key to try, never a reason to trust. */
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/** A note as read; nothing of it is verified. */
export interface Note {
  /** With its last newline: exactly what is signed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Why a text is no note, or why its signatures do not carry it. */
export type NoteFault =
  | 'NOTE_TOO_LARGE'
  | 'NOTE_MALFORMED'
  | 'NOTE_SIGNATURE_INVALID'
  | 'NOTE_KEY_UNKNOWN';

/** Reads a note without verifying it. */
export function parseNote(note: string): Result<Note, NoteFault> {
  if (encoder.encode(note).length > noteSizeMaxBytes) return err('NOTE_TOO_LARGE');
  const split = note.lastIndexOf('\n\n');
  if (split < 0 || !note.endsWith('\n') || forbidden.test(note)) return err('NOTE_MALFORMED');
  const lines = note.slice(split + 2, -1).split('\n');
  if (lines.length > signaturesMax) return err('NOTE_MALFORMED');
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const signature = parseSignature(line);
    if (signature === undefined) return err('NOTE_MALFORMED');
    signatures.push(signature);
  }
  return ok({ text: note.slice(0, split + 1), signatures });
}

/** The note of a text and its signatures. */
export function formatNote(note: Note): string {
  return `${note.text}\n${note.signatures.map(formatSignature).join('')}`;
}

/** One signature line with its newline. */
export function formatSignature({ name, keyId, signature }: NoteSignature): string {
  const bytes = Uint8Array.from([...idBytes(keyId), ...signature]);
  return `— ${name} ${encodeBase64(bytes)}\n`;
}

/**
 * The known keys that signed the note. Lines of unknown keys are ignored; one bad signature
 * under a known name and id rejects the note, whatever the others say.
 */
export async function verifyNote(
  note: Note,
  keys: readonly VerifierKey[],
  algorithms: OptionalAlgorithms = {},
): Promise<Result<readonly VerifierKey[], NoteFault>> {
  const { text } = note;
  const signers = new Set<VerifierKey>();
  for (const { name, keyId, signature } of note.signatures) {
    for (const key of keys.filter((each) => each.name === name && each.keyId === keyId)) {
      if (!(await isNoteSignature(key, { text, signature }, algorithms))) {
        return err('NOTE_SIGNATURE_INVALID');
      }
      signers.add(key);
    }
  }
  return signers.size > 0 ? ok([...signers]) : err('NOTE_KEY_UNKNOWN');
}

const encoder = new TextEncoder();
const signatureLine = /^— ([^\p{White_Space}+]+) ([A-Za-z0-9+/=]+)$/u;
// A newline is the only control character below U+0020 that a note may hold.
const forbidden = /[^\n\u{20}-\u{10ffff}]|\p{Surrogate}/u;

function parseSignature(line: string): NoteSignature | undefined {
  const [, name, encoded] = signatureLine.exec(line) ?? [];
  if (name === undefined || encoded === undefined) return undefined;
  const bytes = decodeBase64(encoded);
  if (!bytes.ok || bytes.value.length <= 4) return undefined;
  const keyId = hex(bytes.value.subarray(0, 4));
  return { name, keyId, signature: bytes.value.slice(4) };
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const idBytes = (keyId: string): number[] =>
  [0, 2, 4, 6].map((at) => Number.parseInt(keyId.slice(at, at + 2), 16));
