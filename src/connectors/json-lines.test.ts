import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader, LineWriter, type OversizeFrame } from './json-lines.ts';

interface Read {
  readonly lines: string[];
  readonly oversize: OversizeFrame[];
  readonly reader: LineReader;
}

function readerOf(sizeMaxBytes: number): Read {
  const lines: string[] = [];
  const oversize: OversizeFrame[] = [];
  const reader = new LineReader({
    sizeMaxBytes,
    onLine: (line) => lines.push(line.toString('utf8')),
    onOversize: (frame) => oversize.push(frame),
  });
  return { lines, oversize, reader };
}

describe('LineReader', () => {
  it('cuts the same frames wherever the chunks end', () => {
    const line = fc
      .string({ unit: 'binary', maxLength: 20 })
      .map((text) => text.replaceAll(/[\r\n]/g, ''));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(7)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const { lines: got, reader } = readerOf(1000);
        let at = 0;
        for (const cut of cuts) {
          reader.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        reader.push(bytes.subarray(at));
        const wanted = lines.map((text) => Buffer.from(text).toString('utf8'));
        expect(got).toEqual(wanted.filter((text) => text !== ''));
        expect(reader.restBytes).toBe(0);
      }),
    );
  });

  it('takes a line at the limit, skips one above it, and goes on', () => {
    for (const step of [1, 3, 100_000]) {
      const { lines, oversize, reader } = readerOf(10_000);
      const bytes = Buffer.from(`${'a'.repeat(10_000)}\nhead${'b'.repeat(19_992)}tail\nnext\r\n`);
      for (let at = 0; at < bytes.length; at += step) reader.push(bytes.subarray(at, at + step));
      expect(lines).toEqual(['a'.repeat(10_000), 'next']);
      expect(oversize).toHaveLength(1);
      expect(oversize[0]?.sizeBytes).toBe(20_000);
      expect(oversize[0]?.head.toString().startsWith('head')).toBe(true);
      expect(oversize[0]?.tail.toString().endsWith('tail')).toBe(true);
      expect(oversize[0]?.tail.length).toBe(4096);
    }
  });
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('LineWriter', () => {
  it('writes the frames of one turn together and says when each is sent', async () => {
    const chunks: string[] = [];
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        chunks.push(chunk.toString());
        done();
      },
    });
    const writer = new LineWriter(stream);
    const sent: string[] = [];
    writer.write('a', { markSent: () => sent.push('a') });
    const dropped = writer.write('b', { markSent: () => sent.push('b') });
    writer.write('c');
    dropped.isDropped = true;
    expect(sent).toEqual([]);
    await turn();
    expect(chunks).toEqual(['a\nc\n']);
    expect(sent).toEqual(['a']);
  });

  it('keeps frames unsent while the peer does not read', async () => {
    const stream = new PassThrough({ highWaterMark: 4 });
    const blocked: boolean[] = [];
    const writer = new LineWriter(stream, { onBlocked: (isBlocked) => blocked.push(isBlocked) });
    const sent: string[] = [];
    writer.write('first frame', { markSent: () => sent.push('first') });
    await turn();
    writer.write('second', { markSent: () => sent.push('second') });
    await turn();
    expect(sent).toEqual(['first']);
    expect(writer.waitingUnits).toBeGreaterThan(10);
    stream.resume();
    await turn();
    await turn();
    expect(sent).toEqual(['first', 'second']);
    expect(blocked.slice(0, 2)).toEqual([true, false]);
  });

  it('sends nothing after it was closed', async () => {
    const stream = new PassThrough();
    const writer = new LineWriter(stream);
    const queued = writer.write('a');
    writer.close();
    expect(queued.isDropped).toBe(true);
    expect(writer.write('b').isDropped).toBe(true);
    await turn();
    expect(stream.read()).toBeNull();
  });
});
