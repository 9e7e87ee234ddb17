import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lookalikesOf } from '../../../scripts/value-corpus/lookalikes.ts';
import { spelled, trustedValues } from '../../../scripts/value-corpus/trusted-values.ts';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { JsonValue } from '../json-value.ts';
import type { NormaliserOptions } from './normaliser.ts';
import { normalisers } from './normalisers.ts';

interface CorpusRow {
  readonly type: string;
  readonly raw: JsonValue;
  readonly options?: NormaliserOptions;
  readonly expect: { readonly canonical?: string; readonly code?: string; readonly differs?: true };
  readonly trusted?: string;
  readonly note: string;
}

const folder = new URL('../../../test/vectors/values/', import.meta.url);
const readRows = (name: string): CorpusRow[] =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as CorpusRow[];
const names = readdirSync(folder).filter((name) =>
  /^(?:hostile-.*|refused|honest)\.json$/.test(name),
);

/** Canonical form of an accepted value, `!` and the code of a refused one. */
function answer({ type, raw, options }: CorpusRow): string {
  const result = normalisers.get(type)?.normalise(raw, options ?? {});
  return result?.ok === true ? String(result.canonical) : `!${result?.code}`;
}

describe('the value corpus', () => {
  const rows = names.flatMap(readRows);

  it('is large and knows every type', () => {
    expect(rows.length).toBeGreaterThanOrEqual(2000);
    expect(readRows('honest.json').length).toBeGreaterThanOrEqual(300);
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(normalisers.keys()));
    expect(new Set(rows.flatMap(({ trusted }) => trusted ?? [])).size).toBeGreaterThanOrEqual(35);
  });

  verifies('VAL-28', 'gives no false allow', () => {
    const allowed = rows.filter((row) => row.trusted !== undefined && answer(row) === row.trusted);
    expect(allowed.filter(({ expect: wanted }) => wanted.canonical === undefined)).toEqual([]);
  });

  verifies('VAL-28', 'gives no false refusal', () => {
    const refused = readRows('honest.json').filter((row) => answer(row).startsWith('!'));
    expect(refused).toEqual([]);
  });

  verifies('VAL-28', 'matches no trusted value for any confusable of any of its characters', () => {
    expect(trustedValues.length).toBeGreaterThanOrEqual(40);
    let tried = 0;
    const matched: string[] = [];
    for (const trusted of trustedValues) {
      const text = spelled(trusted);
      const own = { type: trusted.type, raw: text, expect: {}, note: '' };
      expect(answer(own)).toBe(trusted.canonical);
      for (const [at, character] of Array.from(text).entries()) {
        for (const look of lookalikesOf(character)) {
          const raw = text.slice(0, at) + look + text.slice(at + character.length);
          if (answer({ ...own, raw }) === trusted.canonical) matched.push(`${trusted.type} ${raw}`);
          tried += 1;
        }
      }
    }
    expect(matched).toEqual([]);
    expect(tried).toBeGreaterThan(10_000);
  });

  it('gets the canonical form or the code that each row says', () => {
    const wrong = rows.filter((row) => {
      const { canonical, code } = row.expect;
      return (canonical ?? (code === undefined ? answer(row) : `!${code}`)) !== answer(row);
    });
    expect(wrong).toEqual([]);
  });
});

describe('the recorded answers of the Python package', () => {
  const file = new URL('../../../test/vectors/compat/normalisers.json', import.meta.url);
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly package: string;
    readonly rows: readonly (readonly [name: string, raw: string, canonical: string | null])[];
  };
  const answers = recorded.rows.map(([name, raw, python]) => ({
    name,
    raw,
    python,
    ours: normalisers.get(name)?.normalise(raw, {}),
  }));

  verifies('VAL-29', 'are the same for everything that is accepted here', () => {
    expect(recorded.package).toBe('intentplane 0.5.3');
    const accepted = answers.filter(({ ours }) => ours?.ok === true);
    expect(accepted.length).toBeGreaterThan(600);
    for (const { name, raw, python, ours } of accepted) {
      expect(ours?.ok === true && ours.canonical, `${name} ${JSON.stringify(raw)}`).toBe(python);
    }
  });

  verifies('VAL-29', 'differ by refusals of the listed kinds only', () => {
    const emailForm = /^ *[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9.-]+ *$/;
    const kinds: Readonly<Record<string, (name: string, raw: string) => boolean>> = {
      'white space other than a space, or a control character': (_, raw) => /\p{Cc}/u.test(raw),
      'IBAN with a character that no IBAN has': (name, raw) =>
        name === 'iban' && /[^A-Za-z0-9 ]/.test(raw),
      'IBAN whose country, length, structure or check digits are wrong': (name) => name === 'iban',
      'more than one bare address, or a host that is none': (name, raw) =>
        name === 'email' &&
        (!emailForm.test(raw) ||
          /\.\.|^ *\.|\.@|@[.-]|[.-] *$|@[^.]*$|[.]-|-[.]|\.example./.test(raw)),
      'host under an unknown suffix': (name) => name === 'email',
      'nothing but spaces': (_, raw) => /^ *$/.test(raw),
    };
    const counts = new Map<string, number>();
    for (const { name, raw, ours } of answers) {
      if (ours?.ok === true) continue;
      const kind = Object.keys(kinds).find((each) => kinds[each]?.(name, raw));
      expect(kind, `${name} ${JSON.stringify(raw)}`).toBeDefined();
      counts.set(kind ?? '', (counts.get(kind ?? '') ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(Object.keys(kinds).sort());
  });

  verifies('VAL-29', 'fix each case of ASCII white space', () => {
    const spaces = ['\t', '\n', '\u000b', '\u000c', '\r', '\u001c', '\u001d', '\u001e', '\u001f'];
    const at = (raw: string): (typeof answers)[number] | undefined =>
      answers.find((each) => each.name === 'iban' && each.raw === raw);
    for (const space of spaces) {
      const row = at(`${space}DE89370400440532013000`);
      expect(row?.python).toBe('DE89370400440532013000');
      expect(row?.ours).toMatchObject({ ok: false, code: 'charset' });
    }
    expect(at(' DE89370400440532013000')?.ours).toMatchObject({
      canonical: 'DE89370400440532013000',
    });
  });
});
