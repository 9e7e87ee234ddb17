import { describe, expect, it } from 'vitest';
import { messageLimits, parseStrictJson } from '../core/checks/strict-json.ts';
import type { JsonObject } from '../core/json-value.ts';
import {
  checkLegacyChain,
  checkLegacyLine,
  type LegacyHead,
  nextLegacyLine,
  readLegacyHead,
} from './legacy-chain.ts';

const zeros = '0'.repeat(64);
/** Written by the ledger of the Python package intentplane 0.5.3, in two runs of the process. */
const pythonLines = [
  `{"seq": 0, "ts": 1796043981.782279, "data": {"action": "bank.transfer", "raw": {"to": "DE89 3704 0044", "amount": 1240.5, "n": 100000000000000000000, "f": 1e-07, "g": 1e+22, "h": 5000.0, "i": 1.2345678901234568e+17, "neg": -0.0, "z": 0}, "status": "DENIED"}, "prev": "0000000000000000000000000000000000000000000000000000000000000000", "hash": "21bce996256e793f9203f7309f09c69fe0f4a77b0edc68a4ab341f5247685388"}`,
  String.raw`{"seq": 1, "ts": 1796043981.782609, "data": {"action": "mail.send", "raw": {"\ud83d\ude00": 1, "\uffee": 2, "\u00e9": "\u00fc\u2028\u007f\t\"\\/", "lone": "\ud800", "nan": NaN, "inf": Infinity, "ninf": -Infinity}, "reasons": [], "intent": null, "ok": true, "no": false, "nest": [[], {}, [{"a": [1, 2.5]}]]}, "prev": "21bce996256e793f9203f7309f09c69fe0f4a77b0edc68a4ab341f5247685388", "hash": "71c0ebefe803b3ca9099039861a73964c3a809e33e79d2217235262914fbfb39"}`,
  `{"seq": 2, "ts": 1796043981.782722, "data": {"action": "x"}, "prev": "71c0ebefe803b3ca9099039861a73964c3a809e33e79d2217235262914fbfb39", "hash": "db5d4f083fcfc2368895959d61648b7374f6025fab150e19ae33c536b37aa658"}`,
  `{"seq": 0, "ts": 1796043981.7829113, "data": {"action": "after restart", "b": 2, "a": 1}, "prev": "0000000000000000000000000000000000000000000000000000000000000000", "hash": "6a11d7762d0167ebbb772daf47d950f732b66699c954f48ca8c842f8c56f3a3d"}`,
] as const;

/** A line of ours that the Python ledger accepted as its own, text and hash. */
const acceptedByPython = `{"seq": 0, "ts": 1760000000.123, "data": {"a": 1, "raw": {"x": 1.5, "y": 1e-07, "z": 1e+22, "w": 5000.0, "v": 1.2345678901234568e+17, "n": -0.0, "m": 0, "big": 100000000000000000000, "huge": "1e400", "e16": 1e+16, "e15": 1000000000000000.0, "p": 0.0001, "q": 1e-05, "r": 1e+21, "s": 2.5e-10, "t": 100.0}}, "prev": "0000000000000000000000000000000000000000000000000000000000000000", "hash": "7527da19d2de686f6f78c07c9ea84019dcacc16298f5731cb533769e825ce565"}
`;

function json(text: string): JsonObject {
  const parsed = parseStrictJson(text, messageLimits);
  if (!parsed.ok) throw new Error(parsed.error.code);
  return parsed.value as JsonObject;
}

function faultAt(lines: readonly string[]): string | undefined {
  const report = checkLegacyChain(lines);
  return report.ok ? undefined : `${report.line} ${report.code}`;
}

describe('checkLegacyChain', () => {
  it('accepts a file that Python wrote, also over a restart', () => {
    expect(checkLegacyChain([...pythonLines, ''])).toEqual({
      ok: true,
      lines: 4,
      chains: 2,
      head: {
        seq: 0,
        hash: '6a11d7762d0167ebbb772daf47d950f732b66699c954f48ca8c842f8c56f3a3d',
      },
    });
    expect(checkLegacyChain([])).toEqual({ ok: true, lines: 0, chains: 0, head: undefined });
  });

  it('finds every changed character', () => {
    const line = pythonLines[1];
    const { hash } = head(pythonLines[0]);
    expect(checkLegacyLine(line, { seq: 0, hash }).ok).toBe(true);
    let unchanged = 0;
    for (let i = 0; i < line.length; i += 1) {
      const flipped = String.fromCharCode(line.charCodeAt(i) ^ 1);
      const forged = line.slice(0, i) + flipped + line.slice(i + 1);
      if (checkLegacyLine(forged, { seq: 0, hash }).ok) unchanged += 1;
    }
    expect(unchanged).toBe(0);
  });

  it('finds deleted, swapped and foreign lines', () => {
    const [first, second, third, restart] = pythonLines;
    expect(faultAt([first, third])).toBe('2 LEGACY_PREV_MISMATCH');
    expect(faultAt([second, first])).toBe('1 LEGACY_PREV_MISMATCH');
    expect(faultAt([first, second, second])).toBe('3 LEGACY_PREV_MISMATCH');
    expect(faultAt([first, restart, second])).toBe('3 LEGACY_PREV_MISMATCH');
    expect(faultAt([first, '', second])).toBe('2 LEGACY_LINE_MALFORMED');
    expect(faultAt([first, second.slice(0, -1)])).toBe('2 LEGACY_LINE_MALFORMED');
  });

  it('demands consecutive numbers', () => {
    const skipped = nextLegacyLine({ seq: 6, hash: zeros }, { tsMs: 0, data: {} }).line;
    expect(faultAt([skipped.trimEnd()])).toBe('1 LEGACY_SEQ_MISMATCH');
  });

  it('refuses lines that are not the five fields', () => {
    const entry = nextLegacyLine(undefined, { tsMs: 1, data: {} }).line.trimEnd();
    expect(faultAt([entry])).toBeUndefined();
    const cases = [
      '[]',
      '{}',
      'x',
      `${entry} x`,
      entry.replace('"data": {}, ', ''),
      entry.replace('"data"', '"date"'),
      entry.replace('"data": {}', '"data": {}, "more": 1'),
      entry.replace('"seq": 0', '"seq": 0.0'),
      entry.replace('"seq": 0', '"seq": "0"'),
      entry.replace('"seq": 0', '"seq": 00'),
      entry.replace(zeros, 'A'.repeat(64)),
      entry.replace(/"hash": "[^"]*"/, '"hash": null'),
      entry.replace('"data": {}', '"data": {"a": 1, "a": 1}'),
      entry.replace('"data": {}', '"data": {"a" 1}'),
      entry.replace('"data": {}', '"data": {"a": }'),
      entry.replace('"data": {}', '"data": {"a": 1,}'),
      entry.replace('"data": {}', '"data": [1, 2'),
      entry.replace('"data": {}', '"data": {a: 1}'),
      entry.replace('"data": {}', '"data": "\u0001"'),
      entry.replace('"data": {}', '"data": "\\x"'),
      entry.replace('"data": {}', '"data": "x'),
      `{"data`,
      entry.replace('"data": {}', `"data": ${'['.repeat(501)}${']'.repeat(501)}`),
    ];
    for (const line of cases) expect(faultAt([line]), line).toBe('1 LEGACY_LINE_MALFORMED');
    const deep = entry.replace('"data": {}', `"data": ${'['.repeat(500)}${']'.repeat(500)}`);
    expect(faultAt([deep])).toBe('1 LEGACY_HASH_MISMATCH');
  });
});

describe('nextLegacyLine', () => {
  it('writes what Python would write', () => {
    const raw = `{"a":1,"raw":{"x":1.50,"y":1e-7,"z":1E22,"w":5000.0,"v":123456789012345680.0,"n":-0.0,"m":-0,"big":100000000000000000000,"huge":1e400,"e16":1e16,"e15":1e15,"p":0.0001,"q":0.00001,"r":1e21,"s":2.5e-10,"t":1.0E+2}}`;
    const next = nextLegacyLine(undefined, { tsMs: 1_760_000_000_123, data: json(raw) });
    expect(next.line).toBe(acceptedByPython);
  });

  it('continues a chain that Python began', () => {
    const start = head(pythonLines[2]);
    const data = json(
      String.raw`{"b":[true,false,null,[],{}],"a":"é\u2028\u007f\n\"\\","z":{"\u{1f600}":1,"\uffee":2,"\uffee\u0001":3}}`.replace(
        String.raw`\u{1f600}`,
        '\u{1f600}',
      ),
    );
    const fourth = nextLegacyLine(start, { tsMs: 1_760_000_001_000, data });
    const fifth = nextLegacyLine(fourth.head, { tsMs: 1_760_000_002_500, data: {} });
    const added = [fourth, fifth].map(({ line }) => line.trimEnd());
    expect(checkLegacyChain([...pythonLines.slice(0, 3), ...added, ''])).toEqual({
      ok: true,
      lines: 5,
      chains: 1,
      head: fifth.head,
    });
    expect(fifth.head.seq).toBe(4);
    expect(added[0]).toContain('"z": {"\\ud83d\\ude00": 1, "\\uffee": 2, "\\uffee\\u0001": 3}');
  });
});

describe('readLegacyHead', () => {
  it('gives the head of an existing file by its last line', () => {
    expect(head(pythonLines[2])).toEqual({ seq: 2, hash: pythonLines[2].slice(-66, -2) });
    expect(readLegacyHead('{"seq": 0')).toEqual({ ok: false, error: 'LEGACY_LINE_MALFORMED' });
    const forged = pythonLines[2].replace('"x"', '"y"');
    expect(readLegacyHead(forged)).toEqual({ ok: false, error: 'LEGACY_HASH_MISMATCH' });
  });
});

function head(line: string): LegacyHead {
  const found = readLegacyHead(line);
  if (!found.ok) throw new Error(found.error);
  return found.value;
}
