import { describe, expect, it } from 'vitest';
import { formatTlogProof, parseTlogProof } from './tlog-proof.ts';

const hash = 'gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=';
const checkpoint = 'log.example\n5\nAAAA\n\n— log.example AAAAAAA=\n';
const proof = (lines: readonly string[]): string =>
  `c2sp.org/tlog-proof@v1\n${lines.join('\n')}\n\n${checkpoint}`;

describe('parseTlogProof', () => {
  it('reads what formatTlogProof writes, the checkpoint verbatim', () => {
    const path = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const text = formatTlogProof({ index: 4, path, checkpoint });
    expect(parseTlogProof(text)).toEqual({ ok: true, value: { index: 4, path, checkpoint } });
    const alone = { index: 0, path: [], checkpoint };
    expect(formatTlogProof(alone)).toBe(proof(['index 0']));
    expect(parseTlogProof(formatTlogProof(alone))).toEqual({ ok: true, value: alone });
  });

  it('accepts an extra line and tells nobody what it says', () => {
    const plain = parseTlogProof(proof(['index 1', hash]));
    expect(parseTlogProof(proof(['extra YWdl', 'index 1', hash]))).toEqual(plain);
    expect(parseTlogProof(proof(['extra ', 'index 1', hash]))).toEqual(plain);
  });

  it('refuses everything that is not exactly the format', () => {
    const cases = [
      '',
      checkpoint,
      proof([]),
      proof([hash]),
      proof(['index']),
      proof(['index 01']),
      proof(['index -1']),
      proof(['index 1 ']),
      proof(['index  1']),
      proof(['Index 1']),
      proof(['index 9007199254740992']),
      proof(['extra YWd', 'index 1']),
      proof(['extra', 'index 1']),
      proof(['index 1', 'extra YWdl']),
      proof(['extra YWdl', 'extra YWdl', 'index 1']),
      proof(['index 1', hash.slice(4)]),
      proof(['index 1', hash.replace('PlQ=', 'PlR=')]),
      proof(['index 1', `${hash} `]),
      proof(['index 1', ...Array.from({ length: 54 }, () => hash)]),
      proof(['index 1']).replace('@v1', '@v2'),
      proof(['index 1']).replaceAll('\n', '\r\n'),
      'c2sp.org/tlog-proof@v1\nindex 1\n',
      'c2sp.org/tlog-proof@v1\n\nindex 1\n',
    ];
    for (const text of cases) {
      const fault = { ok: false, error: 'PROOF_MALFORMED' };
      expect(parseTlogProof(text), JSON.stringify(text)).toEqual(fault);
    }
  });
});
