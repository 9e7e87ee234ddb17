import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberRuns } from './json-members.ts';

/** The runs of a text, and whether it is one object. */
function runsOf(text: string): { readonly runs: readonly string[]; readonly isObject: boolean } {
  const runs: string[] = [];
  const found = memberRuns(text);
  for (;;) {
    const next = found.next();
    if (next.done) return { runs, isObject: next.value };
    expect(text.slice(next.value.at, next.value.at + next.value.text.length)).toBe(next.value.text);
    runs.push(next.value.text);
  }
}

describe('memberRuns', () => {
  it('gives a small object in one run', () => {
    expect(runsOf(' {"a": 1, "b": {"c": [1, 2]}} \n')).toEqual({
      runs: ['"a": 1, "b": {"c": [1, 2]}'],
      isObject: true,
    });
    expect(runsOf('{}')).toEqual({ runs: [''], isObject: true });
  });

  it('cuts after every 1,000 members and loses none', () => {
    const object = Object.fromEntries(
      Array.from({ length: 2_500 }, (_unused, index) => [`k"${index}\\`, { v: `a,b}"${index}` }]),
    );
    const { runs, isObject } = runsOf(JSON.stringify(object));
    expect(isObject).toBe(true);
    expect(runs).toHaveLength(3);
    expect(Object.assign({}, ...runs.map((run) => JSON.parse(`{${run}}`)))).toEqual(object);
  });

  it('gives any JSON object back as it was', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const { runs, isObject } = runsOf(JSON.stringify(object));
        expect(isObject).toBe(true);
        expect(runs.join('')).toBe(JSON.stringify(object).slice(1, -1));
      }),
    );
  });

  it('takes no text for an object that is none from the first brace to the last', () => {
    for (const text of ['', '[]', '"a"', '{"a": 1', '{"a": "', '{"a": 1} x', '{}{}', '{"a": [1}']) {
      expect(runsOf(text).isObject, text).toBe(false);
    }
  });

  it('does not hide a comma before the end', () => {
    const members = Array.from({ length: 1_000 }, (_unused, index) => `"k${index}": 1`).join(',');
    expect(runsOf(`{${members},}`).isObject).toBe(false);
    expect(runsOf(`{${members}}`).isObject).toBe(true);
  });
});
