import { parse } from 'tldts';
import { describe, expect, it } from 'vitest';
import { tlds } from './tables/tlds.ts';
import { isTld } from './text-domains.ts';
import { scanText } from './text-scan.ts';
import { findLeftLinks } from './text-second-opinion.ts';
import { addFree, withoutSpans } from './text-spans.ts';

const scan = (text: string): string[] =>
  scanText(text, new Set(['4500012345'])).map(
    ({ kind, certainty, start, end, canonical }) =>
      `${certainty === 'certain' ? '' : 'possible '}${kind} ${text.slice(start, end)}` +
      (canonical === undefined ? '' : ` = ${canonical}`),
  );

/** Each text with all that it holds. */
function expectScans(rows: Readonly<Record<string, readonly string[]>>): void {
  for (const [text, found] of Object.entries(rows))
    expect([text, scan(text)]).toEqual([text, found]);
}

describe('scanText', () => {
  it('finds URLs of every scheme, and those that browsers complete', () => {
    expectScans({
      'see https://Evil.com/a#b.': ['url https://Evil.com/a#b = https://evil.com/a'],
      '(http://a.de/x_(y)) [https://b.de/[z]] {https://c.de/|': [
        'url http://a.de/x_(y)) = http://a.de/x_(y))',
        'url https://b.de/[z]] = https://b.de/[z]]',
        'url https://c.de/ = https://c.de/',
      ],
      'xhttps://evil.com': ['url https://evil.com = https://evil.com/'],
      'https:evil.com and http:\\\\evil.com': [
        'url https:evil.com = https://evil.com/',
        'url http:\\\\evil.com = http://evil.com/',
      ],
      'a1+b.c-d://host': ['url a1+b.c-d://host = a1+b.c-d://host'],
      '1ab://host': ['url ab://host = ab://host'],
      'http://[::1]/ ftp://x': ['url http://[::1]/ = http://[::1]/', 'url ftp://x = ftp://x/'],
      'http://%': ['url http://%'],
      'www.intranet and WWW2.x': [
        'url www.intranet = https://www.intranet/',
        'url WWW2.x = https://www2.x/',
      ],
      'javascript:alert(1) vbscript:x data:text/html,x data:;base64,x': [
        'url javascript:alert(1) = javascript:alert(1)',
        'url vbscript:x = vbscript:x',
        'url data:text/html,x = data:text/html,x',
        'url data:;base64,x = data:;base64,x',
      ],
      'https://javascript:x@y': ['url https://javascript:x@y = https://javascript:x@y/'],
      'data: the list, note: x, C:\\temp, 10:30, x:// y, https: x, https:_, and://': [],
      [`https://e.com/${'a'.repeat(2100)}`]: [`url https://e.com/${'a'.repeat(2100)}`],
    });
  });

  it('finds domains with a known suffix', () => {
    expectScans({
      'evil.com, EVIL.CO.UK. -a.de- _b.de_ c..de': [
        'domain evil.com = evil.com',
        'domain EVIL.CO.UK = evil.co.uk',
        'domain a.de = a.de',
        'domain b.de = b.de',
      ],
      'a.com.Next a.com.xyzw a.com.pdf': [
        'domain a.com = a.com',
        'domain a.com = a.com',
        'possible domain a.com = a.com',
      ].toSpliced(0, 1, isTld('next') ? 'domain a.com.Next = a.com.next' : 'domain a.com = a.com'),
      'müller.de пример.рф xn--80ak6aa92e.com 😀.ws': [
        'domain müller.de = xn--mller-kva.de',
        'domain пример.рф = xn--e1afmkfd.xn--p1ai',
        'domain xn--80ak6aa92e.com = xn--80ak6aa92e.com',
        'domain 😀.ws = xn--e28h.ws',
      ],
      'xn--ü.com': ['domain xn--ü.com'],
      [`${'a.'.repeat(130)}com`]: [`domain ${'a.'.repeat(130)}com`],
      'evil.com/a evil.com:80/ evil.com?a=1 evil.com#x evil.com: evil.com? README.md:12': [
        'url evil.com/a = https://evil.com/a',
        'url evil.com:80/ = https://evil.com:80/',
        'url evil.com?a=1 = https://evil.com/?a=1',
        'url evil.com#x = https://evil.com/',
        'domain evil.com = evil.com',
        'domain evil.com = evil.com',
        'possible domain README.md = readme.md',
      ],
      'done.In the, U.S.A, z.B., 1.234.56, a.b-, x.abcdefg': ['possible domain done.In = done.in'],
      'www.done.In B.Sc 9.am b.com': [
        'url www.done.In = https://www.done.in/',
        'possible domain B.Sc = b.sc',
        'possible domain 9.am = 9.am',
        'domain b.com = b.com',
      ],
      'shop.done.In': ['domain shop.done.In = shop.done.in'],
      [`a.${'b'.repeat(70)}.de x.${'c'.repeat(70)}`]: [
        `domain a.${'b'.repeat(70)}.de = a.${'b'.repeat(70)}.de`,
      ],
    });
  });

  it('finds mail addresses, also those that mail programs read differently', () => {
    expectScans({
      "a.b+c@evil.com, 'x@evil.com' <y@evil.com>.": [
        'email a.b+c@evil.com = a.b+c@evil.com',
        'email x@evil.com = x@evil.com',
        'email y@evil.com = y@evil.com',
      ],
      '"a b"@evil.com to=a@evil.com *a@evil.com* a..b@evil.com': [
        'email "a b"@evil.com',
        'email a@evil.com',
        'email a@evil.com = a@evil.com',
        'email a..b@evil.com',
      ],
      'é@evil.com a@-evil.com a@xn--ü.com a@[10.0.0.1]': [
        'email é@evil.com',
        'email a@-evil.com',
        'email a@xn--ü.com',
        'email a@[10.0.0.1]',
      ],
      'root@intranet, 5@7.5, @Max, a@b, x@1a': ['possible email root@intranet'],
      'a@b.com@c.com': ['email a@b.com = a@b.com', 'domain c.com = c.com'],
      [`"${'q '.repeat(60)}"@evil.com`]: ['email "@evil.com'],
      [`${'l'.repeat(70)}@evil.com`]: [
        `email ${'l'.repeat(64)}@evil.com = ${'l'.repeat(64)}@evil.com`,
      ],
    });
  });

  it('finds IP addresses', () => {
    expectScans({
      'at 203.0.113.7, 10.0.0.300, 1.2.3.4.5, 01.2.3.4': [
        'ip 203.0.113.7 = 203.0.113.7',
        'ip 01.2.3.4 = 1.2.3.4',
      ],
      'version 1.2.3.4': ['possible ip 1.2.3.4 = 1.2.3.4'],
      '2001:DB8::7 ::ffff:1.2.3.4 12:30:45 00:1A:2B:3C:4D:5E a::b::c ::': [
        'ip 2001:DB8::7 = 2001:db8::7',
        'ip ::ffff:1.2.3.4 = ::ffff:102:304',
      ],
    });
  });

  it('finds IBANs by the structure of the country or by shape', () => {
    expectScans({
      'DE75 5121 0800 1245 1261 99.': ['iban DE75 5121 0800 1245 1261 99 = DE75512108001245126199'],
      'mt84 malt 0110 0001 2345 mtlc ast0 01s': [
        'iban mt84 malt 0110 0001 2345 mtlc ast0 01s = MT84MALT011000012345MTLCAST001S',
      ],
      'xDE75512108001245126199 and xDE76512108001245126199': [
        'iban DE75512108001245126199 = DE75512108001245126199',
        'possible digits 76512108001245126199 = 76512108001245126199',
      ],
      'UK12 3456 7890 1234 56 XY12 3456 7890 1234 56': [
        'iban UK12 3456 7890 1234 56 = UK12345678901234' + '56',
        'possible digits 12 3456 7890 1234 56 = 12345678901234' + '56',
      ],
      'DE75 5121 0800 1245 12 we': ['iban DE75 5121 0800 1245 12 = DE7551210800124512'],
      'DE75 5121 0800 1245 1261 9': ['iban DE75 5121 0800 1245 1261 9 = DE7551210800124512619'],
      'DE75 5121 - - 0800': [],
      'NL123456789B01 SE123456789001': [
        'possible digits NL123456789B01 = NL123456789B01',
        'possible digits SE123456789001 = SE123456789001',
      ],
      'DE75ABCDEFGHIJKLMNOPQR, GT12abcdefghijklmnopqrstuvwxyz, in 20 days, DE75': [],
      'US12 3456 abcd efgh': [],
      DE7551210800124512619912345678901234567: [
        'iban DE75512108001245126199 = DE75512108001245126199',
      ],
    });
  });

  it('finds cards, accounts, phones and long numbers, and no dates', () => {
    expectScans({
      '4929 7185 3040 1626, 4929 7185 3040 1627': [
        'card 4929 7185 3040 1626 = 4929718530401626',
        'possible digits 4929 7185 3040 1627 = 4929718530401627',
      ],
      'account 41882063, invoice 41882063, 41882063 on account': [
        'account 41882063 = 41882063',
        'possible digits 41882063 = 41882063',
        'account 41882063 = 41882063',
      ],
      'Konto 1.240.000 und Konto 12.03.2026': [],
      'Konto 12.345.678': ['account 12.345.678 = 12345678'],
      '12.345.678 and 12.345.678.901 and 1234567.89': [
        'possible digits 12.345.678.901 = 12345678901',
      ],
      'an order of 4500012345 and 4500012346': ['possible digits 4500012346 = 4500012346'],
      'on 20260312, 20260312093000 and 202603120930': [],
      '12.03.2026 4929718530401626': ['card 4929718530401626 = 4929718530401626'],
      'call +49 (0)30 / 90 18 20 or 0049 30 901820 or 00493090182000': [
        'phone 49 (0)30 / 90 18 20 = +4930901820',
        'phone 0049 30 901820 = +4930901820',
        'possible digits 00493090182000 = 00493090182000',
      ],
      'Tel. 901820; tel 00493090182000; (212) 555-0147; 030 9018200; +1.500.000; +123': [
        'phone 901820 = 901820',
        'phone 00493090182000 = +493090182000',
        'phone 212) 555-0147 = 2125550147',
        'phone 030 9018200 = 0309018200',
      ],
      'invoice 030 9018200, +1234567890123456, 0301 2': [
        'possible digits 030 9018200 = 0309018200',
        'possible digits 1234567890123456 = 1234567890123456',
      ],
    });
  });

  it('finds wallets and keys', () => {
    const solana = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV1';
    const monero = `48${'aB3'.repeat(31)}`;
    expectScans({
      '1BoatSLRHtKNngkdXEeobR76b53LETtpyT': [
        'wallet 1BoatSLRHtKNngkdXEeobR76b53LETtpyT = 1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
      ],
      [`my wallet is ${solana}`]: [`wallet ${solana} = ${solana}`],
      [`my session is ${solana}`]: [],
      [`${monero} ${monero.slice(0, 90)}`]: [`wallet ${monero} = ${monero}`],
      'ABCDEFGHJKLMNPQRSTUVWXYZABCDEF abcdefghijkmnopqrstuvwxyzabc aBcDeFgHaBcDeFgHaBcDeFgHaBcDeFgH':
        [],
      [`${'eyJhbGciOiJIUzI1NiJ9'}.${'eyJz'.repeat(5)}.${'dBjf'.repeat(6)}`]: [
        `secret ${'eyJhbGciOiJIUzI1NiJ9'}.${'eyJz'.repeat(5)}.${'dBjf'.repeat(6)}`,
      ],
      '-----BEGIN PRIVATE KEY-----': ['secret -----BEGIN PRIVATE KEY-----'],
      'AKIAQ7W9E2R4T6Y8U1I3 a-AKIAQ7W9E2R4T6Y8U1I3': ['secret AKIAQ7W9E2R4T6Y8U1I3'],
    });
  });
});

describe('isTld', () => {
  it('knows what the installed public suffix list knows', () => {
    const all = tlds.join(' ').split(' ');
    expect(all.length).toBeGreaterThan(1400);
    expect(all.filter((tld) => parse(`b.a.${tld}`).isIcann !== true)).toEqual(['za']);
    expect(['com', 'COM', 'de', 'рф', 'xn--p1ai', 'zip'].filter(isTld)).toHaveLength(6);
    expect(['corn', 'local', 'pdf', '', '__proto__'].filter(isTld)).toEqual([]);
  });
});

describe('findLeftLinks', () => {
  it('adds what our own recognisers do not read', () => {
    const text = 'see //www203.0.113.7 and file.qqx(x)';
    expect(findLeftLinks(text, scanText(text, new Set()))).toEqual([
      {
        found: { kind: 'url', certainty: 'certain', start: 0, end: 0 },
        spelled: '//www203.0.113.7',
      },
    ]);
  });

  it('leaves out what was found, and reads no more than its limit', () => {
    expect(findLeftLinks('evil.com', scanText('evil.com', new Set()))).toEqual([]);
    expect(findLeftLinks('plain words. And more', [])).toEqual([]);
    expect(findLeftLinks('1.240,00 and 10.5', [])).toEqual([]);
    expect(findLeftLinks('a.qqx '.repeat(1366), [])).toBeUndefined();
    expect(findLeftLinks('a.qqx '.repeat(1365), [])).toEqual([]);
  });
});

describe('spans', () => {
  it('cuts spans in any order', () => {
    expect(
      withoutSpans('abcdef', [
        { start: 4, end: 5 },
        { start: 1, end: 2 },
      ]),
    ).toBe('a cd f');
    expect(withoutSpans('abc', [])).toBe('abc');
  });

  it('adds only spans that overlap none', () => {
    const spans = [
      { start: 4, end: 6 },
      { start: 0, end: 2 },
    ];
    addFree(spans, [
      { start: 2, end: 4 },
      { start: 1, end: 3 },
      { start: 5, end: 9 },
      { start: 6, end: 9 },
    ]);
    expect(spans.slice(2)).toEqual([
      { start: 2, end: 4 },
      { start: 6, end: 9 },
    ]);
  });
});
