import { describe, expect, it } from 'vitest';
import { captureStreams } from '../../test/fixtures/capture-streams.ts';
import { alignColumns, createOutput } from './output.ts';

describe('createOutput', () => {
  it('prints lines, or one JSON object, on stdout; notes go to stderr', async () => {
    const seen = await captureStreams(async () => {
      createOutput(false).answer({ ok: true }, ['one', 'two']);
      createOutput(true).answer({ ok: true, text: 'ü\n' }, ['one', 'two']);
      createOutput(true).note('a word to the person');
    });
    expect(seen.stdout).toBe('one\ntwo\n{"ok":true,"text":"ü\\n"}\n');
    expect(seen.stderr).toBe('a word to the person\n');
  });
});

describe('alignColumns', () => {
  it('aligns all columns but the last one', () => {
    const rows = [
      ['a', 'bbb', 'c'],
      ['aaa', 'b', 'cccccc'],
    ];
    expect(alignColumns(rows)).toEqual(['a    bbb  c', 'aaa  b    cccccc']);
    expect(alignColumns([])).toEqual([]);
  });
});
