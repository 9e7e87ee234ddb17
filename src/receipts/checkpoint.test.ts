import { describe, expect, it } from 'vitest';
import { formatCheckpoint, parseCheckpoint } from './checkpoint.ts';

/** The example of c2sp.org/tlog-checkpoint. */
const example = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
`;

describe('parseCheckpoint', () => {
  it('reads the published example and writes it back unchanged', () => {
    const parsed = parseCheckpoint(example);
    expect(parsed).toMatchObject({
      ok: true,
      value: { origin: 'example.com/behind-the-sofa', size: 20_852_163 },
    });
    expect(parsed.ok && formatCheckpoint(parsed.value)).toBe(example);
  });

  it('ignores extension lines', () => {
    expect(parseCheckpoint(`${example}timestamp 1\nmore\n`)).toEqual(parseCheckpoint(example));
  });

  it('refuses everything that is not exactly the format', () => {
    const cases = [
      '',
      '\n',
      example.slice(0, -1),
      `${example}\n`,
      `${example}x\n\n`,
      `${example}x`,
      example.replace('example.com/behind-the-sofa', ''),
      example.replace('20852163', '020852163'),
      example.replace('20852163', '+20852163'),
      example.replace('20852163', '9007199254740992'),
      example.replace('20852163', ''),
      example.replace('q2I=', 'q2J='),
      example.replace('q2I=', 'q2I'),
      example.replace('CsUY', ''),
    ];
    for (const text of cases) {
      const fault = { ok: false, error: 'CHECKPOINT_MALFORMED' };
      expect(parseCheckpoint(text), JSON.stringify(text)).toEqual(fault);
    }
  });
});
