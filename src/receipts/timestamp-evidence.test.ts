import { describe, expect, it } from 'vitest';
import { earlierNotes, formatTimestamps, parseTimestamps } from './timestamp-evidence.ts';

describe('parseTimestamps', () => {
  it('reads what formatTimestamps writes', () => {
    const tokens = [Uint8Array.of(0x30, 0), new Uint8Array(65_536).fill(7)];
    expect(parseTimestamps(formatTimestamps(tokens))).toEqual(tokens);
    expect(parseTimestamps([])).toEqual([]);
  });

  it('refuses everything else', () => {
    const large = Buffer.alloc(65_537).toString('base64');
    for (const json of [null, {}, 'MAA=', [1], ['MAA'], [''], [large], Array(9).fill('MAA=')]) {
      expect(parseTimestamps(json)).toBeUndefined();
    }
    expect(parseTimestamps(Array(8).fill('MAA='))).toHaveLength(8);
  });
});

describe('earlierNotes', () => {
  it('is the note, then the note without its last signature line, to the first one', () => {
    const texts = earlierNotes('a\nb\n\n— one\n— two\n— three\n');
    expect(texts.map((bytes) => new TextDecoder().decode(bytes))).toEqual([
      'a\nb\n\n— one\n— two\n— three\n',
      'a\nb\n\n— one\n— two\n',
      'a\nb\n\n— one\n',
    ]);
  });
});
