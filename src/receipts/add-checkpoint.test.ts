import { describe, expect, it } from 'vitest';
import { formatAddCheckpoint, parseAddCheckpoint } from './add-checkpoint.ts';

const checkpoint = 'log.example\n7\nroot\n\n— log.example AAAA\n';
const hash = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);

describe('parseAddCheckpoint', () => {
  it('reads back what a log hands over', () => {
    for (const path of [[], [hash(1)], Array.from({ length: 63 }, (_unused, i) => hash(i))]) {
      const submission = { oldSize: path.length, path, checkpoint };
      expect(parseAddCheckpoint(formatAddCheckpoint(submission))).toEqual(submission);
    }
  });

  it('refuses every other form', () => {
    const line = Buffer.from(hash(1)).toString('base64');
    const bodies = [
      '',
      'old 5',
      'old 5\n',
      `\n\n${checkpoint}`,
      `5\n\n${checkpoint}`,
      `old  5\n\n${checkpoint}`,
      `old 05\n\n${checkpoint}`,
      `old -5\n\n${checkpoint}`,
      `old 9007199254740992\n\n${checkpoint}`,
      `OLD 5\n\n${checkpoint}`,
      `old 5\r\n\r\n${checkpoint}`,
      `old 5\n${line.slice(0, -1)}\n\n${checkpoint}`,
      `old 5\n${Buffer.alloc(31).toString('base64')}\n\n${checkpoint}`,
      `old 5\n${line} \n\n${checkpoint}`,
      `old 5\n${`${line}\n`.repeat(64)}\n${checkpoint}`,
    ];
    for (const body of bodies) expect(parseAddCheckpoint(body), body).toBeUndefined();
  });
});
