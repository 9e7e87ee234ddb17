import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { decodeText } from './text-decoding.ts';
import { foldText, imitatedText, isPlain } from './text-fold.ts';
import { joinedSingles, unwrapped } from './text-joins.ts';
import { linkTargets, strippedMarkup } from './text-markup.ts';
import { newEffort, readAll } from './text-passes.ts';
import { loudRegions } from './text-regions.ts';
import { scanText } from './text-scan.ts';
import { joinWords, refang } from './text-spelling.ts';

/** Each text with what the reading makes of it. */
function expectReadings(
  reading: (text: string) => string,
  rows: Readonly<Record<string, string>>,
): void {
  for (const [text, made] of Object.entries(rows)) {
    expect([text, reading(text)]).toEqual([text, made]);
  }
}

describe('foldText', () => {
  verifies('VAL-24', 'folds compatibility forms, invisible characters, dots, digits', () => {
    expectReadings(foldText, {
      'ｅｖｉｌ．ｃｏｍ ﬀ': 'evil.com ff',
      'ev\u200bil\u00ad.\u2060com\ufe0f': 'evil.com',
      'a。b｡c\u2024d': 'a.b.c.d',
      'a＠b': 'a@b',
      '٧٥ ९८ 𝟛': '75 98 3',
      '🅴🅵 🇩🇪 🅐': 'ef de a',
      'Grüße – “so” 5 €': 'Grüße – “so” 5 €',
      '漢字😀': '漢字😀',
    });
  });

  it('leaves alone what it calls plain', () => {
    const plain = Array.from({ length: 0x3000 }, (_, i) => String.fromCharCode(i)).filter(isPlain);
    expect(plain.length).toBeGreaterThan(180);
    for (const character of plain.filter((each) => each > '\u007f')) {
      const folded = character.normalize('NFKC');
      expect([character, folded === ' ' ? character : folded]).toEqual([character, character]);
    }
    expect(isPlain('…')).toBe(false);
  });

  it('keeps working when it has met more characters than it remembers', () => {
    const many = String.fromCodePoint(...Array.from({ length: 9000 }, (_, i) => 0x4e00 + i));
    expect(foldText(many)).toBe(many);
    expect(foldText(many.slice(-3))).toBe(many.slice(-3));
  });
});

describe('imitatedText', () => {
  verifies('VAL-24', 'replaces what looks like ASCII', () => {
    expectReadings(imitatedText, {
      'еvіl.соm': 'evil.com',
      'e\u0332v\u0332': 'ev',
      'evil•com': 'evil.com',
      ᴍ: 'ᴍ',
      '\u118E3': imitatedText('\u118E3'),
      'Größe 漢': 'Größe 漢',
    });
    expect(imitatedText('\u{1d426}')).toBe('m');
  });
});

describe('refang', () => {
  verifies('VAL-24', 'undoes the disguises of addresses', () => {
    expectReadings(refang, {
      'hxxps://evil[.]com hXXp[:]//x': 'https://evil.com http://x',
      'evil (dot) com evil{.}com evil [punkt] de': 'evil.com evil.com evil.de',
      'a [at] evil <dot> com': 'a@evil.com',
      'evil[.com evil.]com a[@b a@)b': 'evil.com evil.com a@b a@b',
      'https[://]evil.com': 'https://evil.com',
      'nothing (see above) to do': 'nothing (see above) to do',
    });
  });
});

describe('joinWords', () => {
  const strong = (text: string): string => joinWords(text).strong;
  const weak = (text: string): string => joinWords(text).weak;

  verifies('VAL-24', 'joins what is written in words', () => {
    expectReadings(strong, {
      'a at evil dot co dot uk': 'a@evil.co.uk',
      'a.b at evil punkt de': 'a.b@evil.de',
      'mia dot vogel at evil dot org': 'mia.vogel@evil.org',
      'evil-dot-com evil_dot_net': 'evil.com evil.net',
      'a @ evil . com and evil. com': 'a@evil.com and evil.com',
      'mia . vogel @ evil . com': 'mia.vogel@evil.com',
    });
  });

  it('leaves sentences alone', () => {
    for (const text of [
      'The dot com years',
      'a red dot is here',
      'Der Punkt ist klar',
      'we meet at noon',
      'look at evil.com',
      'the .net framework. So be it',
      'first. second',
      '! dot com',
      'over . there',
      'no dots or ats',
    ]) {
      expect([text, strong(text)]).toEqual([text, text]);
    }
  });

  it('joins on a guess what might be an address', () => {
    expectReadings(weak, {
      'a blue thing dot it': 'a blue thing.it',
      'bob at evil.com': 'bob@evil.com',
      'look at evil.com': 'look at evil.com',
      'our .net page': 'our.net page',
    });
  });
});

describe('markup', () => {
  verifies('VAL-24', 'strips what is not shown', () => {
    expectReadings(strippedMarkup, {
      'evil<b>.</b>com evil<!-- x -->.com': 'evil.com evil.com',
      '<p>Visit</p><p>us</p>': ' Visit  us ',
      'evil\\.com': 'evil.com',
      'evil**.**com evil`.`com *so*': 'evil.com evil.com *so*',
      'a < b': 'a < b',
    });
  });

  verifies('VAL-24', 'lists the targets of links and pictures', () => {
    expectReadings(linkTargets, {
      '<a href="ht\ntps://e\tvil.com">x</a>': 'https://evil.com',
      "<img src='//evil/x'><a href=evil>": 'https://evil/x\nevil'.replace('https:', 'https:'),
      '[a](evil.com "t") ![b](<x>)': 'evil.com "t"\nx',
      '[a]: /evil\ntext': '/evil',
      'background: url( "evil.com" )': 'evil.com',
      '\\\\evil\\x = (1)': '',
    });
  });
});

describe('joinedSingles', () => {
  verifies('VAL-24', 'joins single characters', () => {
    expectReadings(joinedSingles, {
      'go e v i l . d e now': 'evil.de',
      'e-v-i-l-.-d-e': 'evil.de',
      'e v i l  s i t e': 'evil site',
      'a-b-c---d-e-f': ['abc-def', 'abc def'].join('\n'),
      'e v i l . c o m n o w': 'evil.comnow\nevil.com\nevil.co',
      'A B C': '',
      'only words here': '',
      'x (a b) tooLongForAWord a': '',
    });
  });
});

describe('unwrapped', () => {
  verifies('VAL-24', 'joins lines where the break is inside a name', () => {
    expectReadings(unwrapped, {
      'evil\n.com': 'evil.com',
      'evil.\n  com': 'evil.com',
      'evil.\n> com': 'evil.com',
      'evil.c\r\nom/x': 'evil.com/x',
      'https://ev\n/x': 'https://ev/x',
      'evil-\nsite.com': 'evil-site.com',
      'drop@\nevil.com': 'drop@evil.com',
      'a.\nb.\nc': 'a.b.c',
    });
  });

  it('keeps other line breaks', () => {
    for (const text of [
      'Kind regards\nMax',
      'It is paid.\nThe invoice',
      'Regards.\ninfo@own.de',
      'Regards.\nown.de is ours',
      '...\ncom',
      'end.\n\nnew',
      'x.com\nom',
      'v1.2\nom',
      'evil.c\n- item',
      'evil.c\n"m"',
      'last\n',
    ]) {
      expect([text, unwrapped(text)]).toEqual([text, text]);
    }
  });
});

describe('decodeText', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  verifies('VAL-24', 'undoes one layer of each encoding', () => {
    expectReadings(decodeText, {
      'a%2Eb%u0040c': 'a.b@c',
      '&#101;&#x76&period;&COMMAT; &nosuch; &#9999999;': 'ev.@ &nosuch; &#9999999;',
      '\\u0065\\u{76}\\x69\\U0000006c': 'evil',
      'a=2Eb=\r\nc': 'a.bc',
      '%ff': '\ufffd',
      [`x ${base64('send to evil.com')}`]: 'x  send to evil.com =='.replace(' ==', ' =='),
    });
  });

  it('reads base64 in paths, in lines, in both alphabets, in UTF-16', () => {
    const readsTo = (text: string, part: string): void => {
      expect([text, decodeText(text).includes(part)]).toEqual([text, true]);
    };
    readsTo(`https://good.com/${base64('send to evil.com')}`, 'evil.com');
    readsTo(`xy/${base64('to evil.com xx')}/z`, 'evil.com');
    readsTo(base64('please send it to evil.com now').replace(/.{16}/g, '$&\n'), 'evil.com');
    readsTo(Buffer.from('~~??>> evil.com ~~').toString('base64url'), 'evil.com');
    readsTo(Buffer.from('to evil.com', 'utf16le').toString('base64'), 'evil.com');
    readsTo(base64('schön für evil.com und mehr davon'), 'schön');
    readsTo(`abcdefghijklmnop/${base64('send it to evil.com').replaceAll('=', '')}`, 'evil.com');
  });

  it('leaves words and bytes alone', () => {
    for (const text of [
      'Geschwindigkeitsbegrenzung',
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
      'abcdefghijklmnopqrst/uvwxyzabcdefghijk-lmn',
      'aaaaaaaaaaaaaaaaaaaa\nbbbbbbbbbbbbbbbbbbbbb',
      'AAAAAAAAAAAAAAAAAAAAAAAA',
      base64('ends in bytes later on, not in text.............\u0001'),
      '100 % of R&D',
    ]) {
      expect([text, decodeText(text)]).toEqual([text, text]);
    }
  });
});

describe('loudRegions', () => {
  it('keeps what a recogniser needs, with its context, and drops the rest', () => {
    const filler = 'these are only words of a long and quiet text '.repeat(4);
    expect(loudRegions(filler)).toEqual([]);
    const [region, ...others] = loudRegions(`${filler}see evil.com now. ${filler}`);
    expect(others).toEqual([]);
    expect(region).toContain('see evil.com now');
    expect(region?.length).toBeLessThan(120);
  });

  it('keeps near marks together and far ones apart', () => {
    expect(loudRegions('evil.com or evil.net')).toEqual(['evil.com or evil.net']);
    const far = loudRegions(`evil.com ${'word '.repeat(8)}evil.net`);
    expect(far).toHaveLength(2);
    expect(far[0]).not.toContain('evil.net');
  });

  it('loses no entity of a text', () => {
    const pieces = [
      'evil.com',
      'a@evil.com',
      'DE75 5121 0800 1245 1261 99',
      'account 41882063',
      '+49 151 1234 5678',
      'https://e.com/x',
      'some words',
      'the next line\n',
      'and so on, until the end of the sentence. ',
      '12.03.2026',
      '1.240,00',
      'order 77',
      '4929 7185 3040 1626',
    ];
    const amounts: ReadonlySet<string> = new Set();
    const keys = (text: string): string[] =>
      scanText(text, amounts).map(({ kind, canonical }) => `${kind} ${canonical}`);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
        const text = parts.join(' ');
        const found = new Set(loudRegions(text).flatMap(keys));
        return keys(text).every((key) => found.has(key));
      }),
      { numRuns: 300 },
    );
  });
});

describe('readAll', () => {
  it('shows the text and what it decodes to, and stops when its allowance is spent', () => {
    const texts: string[] = [];
    const onText = (text: string): void => {
      texts.push(text);
    };
    expect(readAll('a%2Eb', newEffort(), { onText, onView: () => [] })).toBe(true);
    expect(texts).toEqual(['a%2Eb', 'a.b']);
    const views: string[] = [];
    const onView = (view: string): [] => {
      views.push(view);
      return [];
    };
    const far = `evil.com ${'word '.repeat(20)}evil.net`;
    expect(readAll(far, { unitsLeft: 30 }, { onView })).toBe(false);
    expect(views).toEqual([]);
    expect(readAll(far, { unitsLeft: 70 }, { onView })).toBe(false);
    expect(views).toHaveLength(1);
    expect(readAll(far, { unitsLeft: 2 }, { onView })).toBe(false);
  });
});
