import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { StderrLines } from './stderr-lines.ts';

function linesOf(secrets: readonly string[] = []): {
  readonly lines: string[];
  readonly stderr: StderrLines;
  nowMs: number;
} {
  const state = { lines: [] as string[], nowMs: 0 };
  const stderr = new StderrLines({
    onLine: (line) => state.lines.push(line),
    secrets,
    nowMs: () => state.nowMs,
  });
  return Object.assign(state, { stderr });
}

describe('StderrLines', () => {
  verifies('MCP-H4', 'lines are bounded, made visible and masked', () => {
    const { lines, stderr } = linesOf(['s3cret', 'abc']);
    stderr.push(Buffer.from('one\r\n\ntw'));
    stderr.push(Buffer.from('o\u001b[31m s3cret abc\n'));
    stderr.push(Buffer.from(`${'x'.repeat(10_000)}\nrest`));
    stderr.end();
    expect(lines[0]).toBe('one');
    expect(lines[1]).toBe('two<U+001B>[31m *** abc');
    expect(lines[2]).toBe(`${'x'.repeat(8192)} … (cut)`);
    expect(lines[3]).toBe('rest');
    expect(stderr.last).toBe('rest');
  });

  it('lets 200 lines a second pass and says how many it dropped', () => {
    const state = linesOf();
    state.stderr.push(Buffer.from('x\n'.repeat(500)));
    expect(state.lines).toHaveLength(200);
    state.nowMs = 1000;
    state.stderr.push(Buffer.from('y\n'));
    expect(state.lines.slice(200)).toEqual(['… 300 more lines dropped', 'y']);
  });
});
