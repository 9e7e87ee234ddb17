import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { newEffort } from './text-passes.ts';
import { examineText, type TextEntity, type TextTrust } from './text-rule.ts';

const nobody: TextTrust = { has: () => false, domains: [], templates: [], amounts: [] };

/** Trusts the values given as `kind canonical`. */
const trusting = (values: readonly string[], more: Partial<TextTrust> = {}): TextTrust => ({
  ...nobody,
  has: (kind, canonical) => values.includes(`${kind} ${canonical}`),
  ...more,
});

const show = ({ kind, certainty, text }: TextEntity): string => `${certainty} ${kind} ${text}`;
const unknownIn = (text: string, trust: TextTrust = nobody): string[] =>
  examineText(text, trust).unknown.map(show);

describe('examineText', () => {
  it('finds nothing in an ordinary text', () => {
    expect(examineText('Please pay invoice 0417 by Friday, thanks.', nobody)).toEqual({
      unknown: [],
      secret: false,
    });
  });

  verifies('VAL-25', 'names each unknown entity once, with kind, class and canonical form', () => {
    const text =
      'Write to Drop@Evil-Mail.net or drop@evil-mail.net, IBAN DE75 5121 0800 1245 1261 99.';
    expect(examineText(text, nobody).unknown).toEqual([
      {
        kind: 'email',
        certainty: 'certain',
        text: 'Drop@Evil-Mail.net',
        canonical: 'drop@evil-mail.net',
      },
      {
        kind: 'iban',
        certainty: 'certain',
        text: 'DE75 5121 0800 1245 1261 99',
        canonical: 'DE75512108001245126199',
      },
    ]);
  });

  it('clips a long entity and shows only the start of a secret', () => {
    const [url] = examineText(`https://evil.com/${'a'.repeat(200)}`, nobody).unknown;
    expect(url?.text).toHaveLength(80);
    const finding = examineText(`the key is ghp_${'Q7w9'.repeat(9)}`, nobody);
    expect(finding).toEqual({
      unknown: [{ kind: 'secret', certainty: 'certain', text: 'ghp_Q7w…' }],
      secret: true,
    });
  });

  it('trusts what the trusted values name, and its nearest neighbour not', () => {
    const rows: readonly [trusted: string, text: string, neighbour: string][] = [
      ['domain good.com', 'see good.com', 'see sub.good.com'],
      ['domain 203.0.113.7', 'open 203.0.113.7', 'open 203.0.113.8'],
      ['email a@good.com', 'write to A@Good.com', 'write to b@good.com'],
      ['email A@good.com', 'write to A@Good.com', 'write to a@good.com'],
      ['iban DE75512108001245126199', 'DE75 5121 0800 1245 1261 99', 'DE75 5121 0800 1245 1261 98'],
      ['iban 41882063', 'account 41882063', 'account 41882064'],
      ['iban 8839201746', 'use 8839 2017 46', 'use 8839 2017 47'],
      ['phone +4930901820', 'call +49 30 / 90 18 20', 'call +49 30 / 90 18 21'],
      ['phone +4915112345678', 'use 004915112345678', 'use 004915112345679'],
      [
        'wallet 0x52908400098527886e0f7030069857d2e4169ee7',
        '0x52908400098527886E0F7030069857D2E4169EE7',
        '0x52908400098527886E0F7030069857D2E4169EE8',
      ],
      ['url https://good.com/a', 'https://good.com/a', 'https://good.com/b'],
    ];
    for (const [trusted, text, neighbour] of rows) {
      expect([text, unknownIn(text, trusting([trusted]))]).toEqual([text, []]);
      expect([neighbour, unknownIn(neighbour, trusting([trusted]))]).not.toEqual([neighbour, []]);
    }
  });

  it('trusts own domains with their subdomains and mailboxes', () => {
    const own = trusting([], { domains: ['own.de'] });
    expect(unknownIn('own.de, shop.own.de, https://own.de/a and Anna@mail.own.de', own)).toEqual(
      [],
    );
    expect(unknownIn('notown.de', own)).toEqual(['certain domain notown.de']);
    expect(unknownIn('own.de.evil.com', own)).toEqual(['certain domain own.de.evil.com']);
    expect(unknownIn('a%evil.com@own.de', own)).toEqual(['certain email a%evil.com@own.de']);
  });

  it('trusts what a template of the contract holds, in any spelling', () => {
    const signed = trusting([], { templates: ['Pay to DE75512108001245126199, see terms.io.'] });
    expect(unknownIn('IBAN de75 5121 0800 1245 1261 99 (terms.io)', signed)).toEqual([]);
    expect(unknownIn('other.io', signed)).toEqual(['certain domain other.io']);
    const odd = trusting([], { templates: ['"a b"@evil.com'] });
    expect(unknownIn('"a b"@evil.com other.io', odd)).toEqual([
      'certain email "a b"@evil.com',
      'certain domain other.io',
    ]);
  });

  it('does not take an amount of the contract for a number', () => {
    const amounts = trusting([], { amounts: ['12345678.90'] });
    expect(unknownIn('total 1234567890', amounts)).toEqual([]);
    expect(unknownIn('total 1234567891', amounts)).toEqual(['possible digits 1234567891']);
  });

  it('lifts possible entities that a pattern matches whole, never certain ones', () => {
    const lifted = (text: string, allow: readonly string[]): string[] =>
      examineText(text, nobody, { allow }).unknown.map(show);
    expect(lifted('order 4500012345', ['45[0-9]{8}'])).toEqual([]);
    expect(lifted('order 4500012345', ['45[0-9]{7}'])).toEqual(['possible digits 4500012345']);
    expect(lifted('see setup.py', ['[a-z]+\\.py'])).toEqual([]);
    expect(lifted('see evil.com', ['.*'])).toEqual(['certain domain evil.com']);
  });

  it('reports as certain what is first possible and then certain', () => {
    const text = 'Click on [setup.zip](setup.zip/x), then <a href="//setup.zip">setup.zip</a>';
    expect(unknownIn(text)).toContain('certain url https://setup.zip');
    expect(unknownIn('the archive.zip: https://x.y/archive.zip')).toHaveLength(2);
    // `look at good.dev` might be a mailbox, `look@good.dev` is one
    expect(unknownIn('bob at good.dev, bob@good.dev', trusting(['domain good.dev']))).toEqual([
      'certain email bob@good.dev',
    ]);
    expect(unknownIn('bob at good.dev', trusting(['domain good.dev']))).toEqual([
      'possible email bob@good.dev',
    ]);
    expect(unknownIn('look at good.dev', trusting(['domain good.dev']))).toEqual([]);
  });

  it('judges a foreign name under its own spelling only', () => {
    expect(unknownIn('see почта.com', trusting(['domain xn--80a1acny.com']))).toEqual([]);
    expect(unknownIn('see почта.com')).toEqual(['certain domain почта.com']);
  });

  it('raises a guess to certain once the text says it plainly', () => {
    const trust = trusting(['domain good.dev']);
    expect(unknownIn('bob at good.dev means &#98;ob&#64;good.dev', trust)).toEqual([
      'certain email bob@good.dev',
    ]);
  });
});

describe('examineText and URLs', () => {
  const trust = trusting(['domain good.com', 'url https://other.org/r?x=1'], {
    domains: ['own.de'],
  });

  verifies('VAL-26', 'trusts a URL at a trusted host whose path and query lead nowhere', () => {
    const fine = [
      'https://good.com/',
      'http://good.com/a/b.html?lang=de#top',
      'https://shop.own.de/de/start',
      'good.com/a%20b',
      'https://good.com/docs/README.md',
      `https://good.com/?q=${'a-'.repeat(31)}`,
      'https://other.org/r?x=1',
      'https://other.org/r?x=1#part',
    ];
    for (const url of fine)
      expect([url, unknownIn(`see ${url}, thanks`, trust)]).toEqual([url, []]);
  });

  verifies('VAL-26', 'does not trust nested addresses, long queries and disguised hosts', () => {
    const refused = [
      'https://good.com/r?to=https://evil.com',
      'https://good.com/r?to=https%3A%2F%2Fevil.com',
      'https://good.com/r?to=evil.com',
      'https://good.com/r/aHR0cHM6Ly9ldmlsLWNvbGxlY3QuY29t',
      'https://good.com/evil@evil.com',
      'https://good.com/?iban=DE75512108001245126199',
      'https://good.com/#evil.com',
      'https://other.org/r?x=1#evil.com',
      `https://other.org/r?x=1#${'a-'.repeat(33)}`,
      `https://good.com/?q=${'a-'.repeat(32)}`,
      'https://good.com:8443/',
      'https://user@good.com/',
      'https://good%2ecom/',
      'https:\\\\good.com/',
      'ftp://good.com/',
      'https://other.org/r?x=2',
      'https://good.com.evil.com/',
      'http://[bad/',
    ];
    for (const url of refused) {
      const [first] = examineText(`see ${url} thanks`, trust).unknown;
      expect([url, first?.certainty]).toEqual([url, 'certain']);
    }
  });

  it('asks for a long number in the path of a trusted host', () => {
    expect(unknownIn('https://good.com/order/4500012345', trust)).toEqual([
      'possible url https://good.com/order/4500012345',
    ]);
  });
});

describe('examineText and its limits', () => {
  const isNotAnalysed = (text: string): boolean =>
    examineText(text, nobody).unknown.some(({ kind }) => kind === 'not_analysed');

  verifies('VAL-25', 'counts a text over 64 KiB as unknown and still reads its start', () => {
    const words = 'word '.repeat(13_107);
    expect(words).toHaveLength(65_535);
    expect(isNotAnalysed(`${words}x`)).toBe(false);
    expect(isNotAnalysed(`${words}xy`)).toBe(true);
    expect(unknownIn(`evil.com ${words}`)).toEqual([
      'certain domain evil.com',
      'certain not_analysed ',
    ]);
  });

  verifies('VAL-25', 'counts bytes, not characters', () => {
    const fill = (character: string, bytes: number): string =>
      `${character} `.repeat(Math.ceil(65_537 / (bytes + 1)));
    expect(isNotAnalysed(`${'a'.repeat(8)} `.repeat(7000))).toBe(false);
    for (const [character, bytes] of [
      ['é', 2],
      ['—', 3],
      ['😀', 4],
    ] as const) {
      const text = fill(character, bytes);
      expect(isNotAnalysed(text)).toBe(true);
      expect(isNotAnalysed(text.slice(0, text.length / 4))).toBe(false);
    }
  });

  verifies('VAL-25', 'counts more than 256 entities as unknown', () => {
    const domains = (count: number): string =>
      Array.from({ length: count }, (_, i) => `evil${i}.com`).join(' and ');
    expect(unknownIn(domains(256))).toHaveLength(256);
    expect(unknownIn(domains(400))).toHaveLength(258);
    expect(unknownIn(domains(400)).at(-1)).toBe('certain not_analysed ');
  });

  verifies('VAL-25', 'counts encodings deeper than three as unknown', () => {
    const nest = (text: string, depth: number): string =>
      depth === 0 ? text : nest(encodeURIComponent(text), depth - 1);
    expect(unknownIn(nest('a evil/b.com', 3))).toContain('certain domain b.com');
    expect(isNotAnalysed(nest('a b', 4))).toBe(false);
    expect(isNotAnalysed(nest('a/ö@x', 5))).toBe(true);
  });

  verifies('VAL-25', 'counts growth over fourfold and too much work as unknown', () => {
    expect(isNotAnalysed('\ufdfa '.repeat(3000))).toBe(true);
    expect(isNotAnalysed('file.qqx(x) '.repeat(5000))).toBe(true);
    expect(isNotAnalysed('%2541@x '.repeat(8000))).toBe(true);
    const spent = { effort: { unitsLeft: 10 } };
    expect(examineText('see evil.com and more words', nobody, spent).unknown).toHaveLength(1);
    expect(examineText('see evil.com', nobody, { effort: newEffort() }).unknown).toHaveLength(1);
  });

  verifies('VAL-25', 'does not excuse a URL whose path it could not read', () => {
    const trust = trusting(['domain good.com']);
    const path = 'https://good.com/a%20b/c';
    expect(examineText(path, trust, { effort: { unitsLeft: 90 } }).unknown).toEqual([]);
    const [first] = examineText(path, trust, { effort: { unitsLeft: 30 } }).unknown;
    expect(first).toMatchObject({ kind: 'url', certainty: 'certain' });
  });

  it('never throws, whatever the text', () => {
    const pieces = fc.oneof(
      fc.constantFrom(
        'evil',
        'com',
        '.',
        '@',
        ':',
        '//',
        'DE75',
        '4929',
        '%',
        '&#',
        '\\u',
        '\n',
        ' dot ',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    );
    const trust = trusting(['domain evil.com'], { templates: ['a@b.de'], domains: ['own.de'] });
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const finding = examineText(parts.join(''), trust);
        return finding.unknown.every(({ text }) => text.length <= 80);
      }),
      { numRuns: 400 },
    );
  });

  it('answers in time for every hostile shape', () => {
    const shapes = [
      'a@',
      'a.',
      '://',
      '[.]',
      'a dot ',
      '12-',
      'DE75',
      '%2541',
      '<a ',
      'e v . ',
      '\u200b.',
      '](',
      ' ',
    ];
    for (const shape of shapes) {
      const text = shape.repeat(65_536 / shape.length);
      const start = performance.now();
      examineText(text, nobody);
      expect([shape, performance.now() - start < 5000]).toEqual([shape, true]);
    }
  }, 60_000);
});

describe('examineText and confidential facts', () => {
  const trust: TextTrust = { ...nobody, confidential: ['C01X00T47', '731', ' '] };
  const isRefused = (text: string): boolean => examineText(text, trust).secret;

  verifies('VAL-27', 'refuses a confidential fact in every disguise', () => {
    const disguises = [
      'The passport is C01X00T47.',
      'c01x00t47',
      'C 0 1 X 0 0 T 4 7',
      'C01-X00-T47',
      '74T00X10C backwards',
      'first C01X, then 00T47',
      'ends in 00T47, starts with C01X',
      'Ｃ０１Ｘ００Ｔ４７',
      'С01Х00Т47 in Cyrillic letters',
      'C01X\u200b00T47',
      '%43%30%31%58%30%30%54%34%37',
      `see ${Buffer.from('passport is C01X00T47').toString('base64')}`,
      'code 731, please',
      'code 137 backwards',
    ];
    for (const text of disguises) expect([text, isRefused(text)]).toEqual([text, true]);
    expect(examineText('C01X00T47', trust).unknown).toEqual([
      { kind: 'secret', certainty: 'certain', text: 'confidential fact' },
    ]);
  });

  it('leaves other texts alone', () => {
    for (const text of ['C01X and nothing else', 'order 17312', 'T47 arrives', '']) {
      expect([text, isRefused(text)]).toEqual([text, false]);
    }
  });
});
