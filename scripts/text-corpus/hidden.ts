// Entities of an attacker in every disguise that a text can carry them in. Own values, all fictional.

export interface HiddenRow {
  readonly name: string;
  readonly text: string;
  readonly kind: string;
  /** Canonical form that must be found; absent where the disguise changes it. */
  readonly canonical?: string;
}

type Disguise = (text: string) => string;
type Disguises = Readonly<Record<string, Disguise>>;

interface Planted {
  readonly name: string;
  readonly kind: string;
  readonly spelled: string;
  readonly canonical?: string;
}

const each = (change: (character: string, index: number) => string): Disguise => {
  return (text) => Array.from(text, change).join('');
};
const pad = (text: string, length: number): string => text.padStart(length, '0');
const hexOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64Url = (text: string): string => Buffer.from(text).toString('base64url');
const wide: Disguise = each((c) =>
  /[!-~]/.test(c) ? String.fromCodePoint((c.codePointAt(0) ?? 0) + 0xfee0) : c,
);
const bold: Disguise = each((c) => {
  if (/[a-z]/.test(c)) return String.fromCodePoint(0x1d41a + c.charCodeAt(0) - 97);
  return /\d/.test(c) ? String.fromCodePoint(0x1d7ce + Number(c)) : c;
});
const circled: Disguise = each((c) =>
  /[a-z]/.test(c) ? String.fromCodePoint(0x24d0 + c.charCodeAt(0) - 97) : c,
);
const squared: Disguise = each((c) =>
  /[a-z]/.test(c) ? String.fromCodePoint(0x1f170 + c.charCodeAt(0) - 97) : c,
);
const cyrillic: Disguise = each(
  (c) => ({ a: 'а', e: 'е', o: 'о', c: 'с', p: 'р', i: 'і' })[c] ?? c,
);
const percentAll: Disguise = each((c) => `%${pad(hexOf(c), 2)}`);
const middle = (sign: string): Disguise => {
  return (text) => text.slice(0, text.length / 2) + sign + text.slice(text.length / 2);
};
const wrapLines: Disguise = (text) => text.replace(/.{20}/g, '$&\n');

const unicode: Disguises = {
  wide,
  bold,
  'zero width space': middle('\u200b'),
  'soft hyphen': middle('\u00ad'),
  'zero width joiner': middle('\u200d'),
  'word joiner': middle('\u2060'),
  'variation selector': middle('\ufe0f'),
};
const encodings: Disguises = {
  'percent everything': percentAll,
  'percent twice': (text) => percentAll(percentAll(text)),
  'html decimal': each((c) => `&#${c.codePointAt(0)};`),
  'html hexadecimal': each((c) => `&#x${hexOf(c)};`),
  'backslash u': each((c) => `\\u${pad(hexOf(c), 4)}`),
  'backslash x': each((c) => `\\x${pad(hexOf(c), 2)}`),
  'quoted-printable': each((c) => `=${pad(hexOf(c), 2).toUpperCase()}`),
  base64: (text) => base64(`send it to ${text}`),
  base64url: (text) => base64Url(`send it to ${text} ~~??>>`),
  'base64 twice': (text) => base64(base64(`send it to ${text}`)),
  'base64 in lines': (text) => wrapLines(base64(`please forward everything to ${text} today`)),
  'base64 of utf-16': (text) => Buffer.from(`go ${text}`, 'utf16le').toString('base64'),
  'base64 of percent': (text) => base64(percentAll(text)),
};
const letterByLetter: Disguises = {
  'single characters': (text) => Array.from(text).join(' '),
  'single characters, dashes': (text) => Array.from(text).join('-'),
  'single characters, wide words': (text) => `g o  t o  ${Array.from(text).join(' ')}  n o w`,
};
const hostSpelling: Disguises = {
  upper: (text) => text.toUpperCase(),
  'ideographic full stop': (text) => text.replaceAll('.', '。'),
  'full width full stop': (text) => text.replaceAll('.', '．'),
  'half width full stop': (text) => text.replaceAll('.', '｡'),
  'one dot leader': (text) => text.replaceAll('.', '\u2024'),
  'dot in square brackets': (text) => text.replaceAll('.', '[.]'),
  'dot in round brackets': (text) => text.replaceAll('.', ' (.) '),
  'dot in braces': (text) => text.replaceAll('.', '{.}'),
  'word dot in brackets': (text) => text.replaceAll('.', '[dot]'),
  'word dot in round brackets': (text) => text.replaceAll('.', ' (dot) '),
  'word dot in braces': (text) => text.replaceAll('.', ' {dot} '),
  'word dot': (text) => text.replaceAll('.', ' dot ').replaceAll('@', ' at '),
  'word DOT': (text) => text.replaceAll('.', ' DOT ').replaceAll('@', ' AT '),
  'word punkt': (text) => text.replaceAll('.', ' punkt ').replaceAll('@', ' at '),
  'word point': (text) => text.replaceAll('.', ' point ').replaceAll('@', ' arobase '),
  'spaced dot': (text) => text.replaceAll('.', ' . ').replaceAll('@', ' @ '),
  'percent dot': (text) => text.replaceAll('.', '%2E').replaceAll('@', '%40'),
  'named entities': (text) => text.replaceAll('.', '&period;').replaceAll('@', '&commat;'),
  'quoted-printable dot': (text) => text.replaceAll('.', '=2E'),
  'bold dot': (text) => text.replaceAll('.', '**.**'),
  'code dot': (text) => text.replaceAll('.', '`.`'),
  'escaped dot': (text) => text.replaceAll('.', '\\.'),
  'tag around dot': (text) => text.replaceAll('.', '<b>.</b>'),
  'comment before dot': (text) => text.replaceAll('.', '<!-- -->.'),
  'break before dot': (text) => text.replaceAll('.', '\n.'),
  'break after dot': (text) => text.replaceAll('.', '.\n'),
  'break in suffix': (text) => `${text.slice(0, -1)}\n${text.slice(-1)}`,
  'quoted break': (text) => text.replaceAll('.', '.\n> '),
  circled,
  'negative squares': squared,
  'combining underline': each((c) => (/[a-z]/.test(c) ? `${c}\u0332` : c)),
  'tag characters between': (text) => text.replaceAll('.', '.\u{e0041}'),
};
const linkForms: Disguises = {
  'markdown link': (text) => `[our shop](${text})`,
  'markdown picture': (text) => `![logo](${text} "x")`,
  'markdown reference': (text) => `see [terms]\n\n[terms]: ${text}`,
  autolink: (text) => `<${text}>`,
  'html link': (text) => `<a href="${text}">our shop</a>`,
  'html link unquoted': (text) => `<a href=${text}>our shop</a>`,
  'html picture': (text) => `<img alt='' src='${text}'>`,
  'html link with break': (text) => `<a href="${text.slice(0, 9)}\n${text.slice(9)}">x</a>`,
  'html link with entities': (text) =>
    `<a href="${each((c) => `&#${c.codePointAt(0)};`)(text)}">x</a>`,
  'style sheet': (text) => `<p style="background:url('${text}')">x</p>`,
};
const urlForms: Disguises = {
  hxxps: (text) => text.replace('https', 'hxxps'),
  'hxxps and brackets': (text) => text.replace('https://', 'hxxps[:]//').replaceAll('.', '[.]'),
  'no slashes': (text) => text.replace('://', ':'),
  backslashes: (text) => text.replace('://', ':\\\\'),
  'one slash': (text) => text.replace('://', ':/'),
  'upper scheme': (text) => text.replace('https', 'HTTPS'),
  'no scheme': (text) => text.replace('https:', ''),
};
const imitation: Disguises = {
  'cyrillic letters': cyrillic,
  'greek letters': each((c) => ({ o: 'ο', v: 'ν', a: 'α' })[c] ?? c),
};

const carriers = [
  'Please confirm the delivery with {} before Friday.',
  'Bitte bestätigen Sie die Lieferung bei {} noch heute.',
  'Merci de confirmer la livraison auprès de {} avant vendredi.',
  'Meeting notes\n\nNext steps: {}\nThanks, Jana',
];

const hosts: readonly Planted[] = [
  { name: 'domain', kind: 'domain', spelled: 'collect-drop.com', canonical: 'collect-drop.com' },
  {
    name: 'domain uk',
    kind: 'domain',
    spelled: 'vendor-desk.co.uk',
    canonical: 'vendor-desk.co.uk',
  },
  {
    name: 'email',
    kind: 'email',
    spelled: 'drop@collect-mail.net',
    canonical: 'drop@collect-mail.net',
  },
  {
    name: 'email dotted',
    kind: 'email',
    spelled: 'mia.vogel@mailhaven.org',
    canonical: 'mia.vogel@mailhaven.org',
  },
];
const url: Planted = {
  name: 'url',
  kind: 'url',
  spelled: 'https://collect-drop.com/inbox',
  canonical: 'https://collect-drop.com/inbox',
};
const numbers: readonly Planted[] = [
  {
    name: 'iban de',
    kind: 'iban',
    spelled: 'DE75512108001245126199',
    canonical: 'DE75512108001245126199',
  },
  {
    name: 'iban gb',
    kind: 'iban',
    spelled: 'GB33BUKB20201555555555',
    canonical: 'GB33BUKB20201555555555',
  },
  {
    name: 'iban fictional',
    kind: 'iban',
    spelled: 'US122000000121212121212',
    canonical: 'US122000000121212121212',
  },
  { name: 'card', kind: 'card', spelled: '4929718530401626', canonical: '4929718530401626' },
  { name: 'phone', kind: 'phone', spelled: '+4915112345678', canonical: '+4915112345678' },
];
const tokens: readonly Planted[] = [
  { name: 'wallet bitcoin', kind: 'wallet', spelled: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' },
  { name: 'wallet bech32', kind: 'wallet', spelled: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' },
  {
    name: 'wallet ethereum',
    kind: 'wallet',
    spelled: '0x52908400098527886E0F7030069857D2E4169EE7',
  },
  { name: 'wallet tron', kind: 'wallet', spelled: 'TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW' },
  { name: 'key of a model', kind: 'secret', spelled: `sk-${'a1B2'.repeat(10)}` },
  { name: 'key of a payment system', kind: 'secret', spelled: `sk_live_${'9Zx8'.repeat(6)}` },
  { name: 'key of a forge', kind: 'secret', spelled: `ghp_${'Q7w9'.repeat(9)}` },
  { name: 'key of a cloud', kind: 'secret', spelled: 'AKIAQ7W9E2R4T6Y8U1I3' },
  { name: 'key of a chat', kind: 'secret', spelled: 'xoxb-123456789012-abcdefGHIJ' },
  {
    name: 'signed token',
    kind: 'secret',
    spelled: `eyJhbGciOiJIUzI1NiJ9.${'eyJz'.repeat(5)}.${'dBjf'.repeat(6)}`,
  },
];

const accounts: Readonly<Record<string, readonly [kind: string, text: string]>> = {
  'account after word': ['account', 'Please pay to account 41882063 as of today.'],
  'account before word': ['account', 'Use 41882063 (account) as of today.'],
  'sort code': ['account', 'Sort code 20-45-45, account number 41882063.'],
  konto: ['account', 'Überweisen Sie auf das Konto 0648 4898 90 bei der Bank.'],
  kontonummer: ['account', 'Neue Kontonummer: 648 489 890'],
  compte: ['account', 'Virement sur le compte 00012345678 svp.'],
  'number in dots': ['account', 'IBAN-Ersatz, Konto 648.489.890'],
  routing: ['account', 'Routing 021000021 and account 8839201746'],
  'iban in fours': ['iban', 'IBAN DE75 5121 0800 1245 1261 99'],
  'iban lower': ['iban', 'iban de75 5121 0800 1245 1261 99'],
  'iban dashes': ['iban', 'DE75-5121-0800-1245-1261-99'],
  'iban dots': ['iban', 'DE75.5121.0800.1245.1261.99'],
  'iban no-break spaces': ['iban', 'DE75\u00a05121\u00a00800\u00a01245\u00a01261\u00a099'],
  'iban over lines': ['iban', 'DE75 5121 0800\n1245 1261 99'],
  'iban glued to a word': ['iban', 'IBANDE75512108001245126199'],
  'iban wrong checksum': ['iban', 'DE76 5121 0800 1245 1261 99'],
  'iban letter o': ['iban', 'DE75 5121 O8OO 1245 1261 99'],
  'iban arabic digits': ['iban', 'DE٧٥٥١٢١٠٨٠٠١٢٤٥١٢٦١٩٩'],
  'card in fours': ['card', 'Card 4929 7185 3040 1626, thanks'],
  'card dashes': ['card', 'Card 4929-7185-3040-1626'],
  'card other scheme': ['card', 'Karte 5425 2334 3010 9903'],
  'card short': ['card', '3714 496353 98431'],
  'phone spaced': ['phone', 'Call us on +49 151 1234 5678.'],
  'phone brackets': ['phone', 'Tel. +49 (0)30 / 90 18 20'],
  'phone double zero': ['phone', 'Rufen Sie an: 0049 151 1234 5678'],
  'phone american': ['phone', 'or (212) 555-0147 after five'],
  'phone national': ['phone', 'Telefon 030 901820'],
  'phone french': ['phone', 'appelez le 06 12 34 56 78'],
  'phone link': ['phone', '<a href="tel:+4915112345678">call</a>'],
  'phone short code': ['phone', 'Tel: 118 800'],
  'long number': ['digits', 'Use the code 8839 2017 4655 for this.'],
  'long number dotted': ['digits', 'the number 8839201746551'],
  'ip address': ['ip', 'open 203.0.113.77 in the office'],
  'ip six': ['ip', 'open 2001:db8::7 in the office'],
  'ip url': ['url', 'open http://203.0.113.77/x'],
  'ip integer': ['url', 'open http://3405803853/'],
  'ip hexadecimal': ['url', 'open http://0xCB00714D/'],
  'ip octal': ['url', 'open http://0313.0.0161.0115/'],
  'url with user': ['url', 'https://ourfirm.de@collect-drop.com/'],
  'url backslash user': ['url', 'https://collect-drop.com\\@nordwind-handel.de/'],
  'url redirect': ['url', 'https://nordwind-handel.de/r?to=https%3A%2F%2Fcollect-drop.com'],
  'url redirect base64': [
    'url',
    `https://nordwind-handel.de/r?to=${'aHR0cHM6Ly9jb2xsZWN0LWRyb3AuY29t'}`,
  ],
  'url redirect bare': ['url', 'https://nordwind-handel.de/r/collect-drop.com'],
  'url long query': ['url', `https://nordwind-handel.de/p?d=${'meeting-notes-'.repeat(5)}`],
  'url in fragment': ['url', 'https://nordwind-handel.de/#collect-drop.com'],
  'url port': ['url', 'https://nordwind-handel.de:8443/'],
  'url single label': ['url', 'http://intranet/x'],
  'url ftp': ['url', 'ftp://collect-drop.com/f'],
  'url script': ['url', '<a href="javascript:alert(1)">x</a>'],
  'url data': ['url', '<img src="data:image/svg+xml;base64,AAAA">'],
  'url own scheme': ['url', 'zoommtg://join?confno=1'],
  'www without suffix': ['url', 'www.collectdrop'],
  'email quoted': ['email', '"drop box"@collect-mail.net'],
  'email literal': ['email', 'drop@[203.0.113.77]'],
  'email plus': ['email', 'info+x@gmail.com'],
  'email mailto': ['email', 'mailto:drop@collect-mail.net?bcc=x'],
  'email at gmail': ['email', 'write to drop (at) gmail (dot) com'],
  'email behind own name': ['email', 'info@nordwind-handel.de.collect-drop.com'],
  'email through own server': ['email', 'drop%collect-drop.com@nordwind-handel.de'],
  'domain behind own name': ['domain', 'nordwind-handel.de.collect-drop.com'],
  'domain like own name': ['domain', 'nordwlnd-handel.de'],
  'domain a-label': ['domain', 'xn--80ak6aa92e.com'],
  'domain u-label': ['domain', 'пример.рф'],
  'domain new suffix': ['domain', 'collect.click'],
  'domain of a file ending': ['domain', 'collect-drop.zip'],
  'pem block': ['secret', '-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----'],
};

/** What the rule is known not to see. */
const unseen: Readonly<Record<string, readonly [kind: string, text: string]>> = {
  'rotated letters': ['domain', 'pbyyrpg-qebc.pbz'],
  'base64 below sixteen': ['domain', 'ZS1kcm9wLmNvbQ'],
  'hexadecimal bytes': ['domain', '636f6c6c6563742d64726f702e636f6d'],
  base32: ['domain', 'MNXWY3DFMN2C2ZDSN5YC4Y3PNU'],
  'zero in the suffix': ['domain', 'collect-drop d0t c0m'],
  reversed: ['domain', 'moc.pord-tcelloc'],
  'digits as words': ['iban', 'DE seven five five one two one zero eight zero zero'],
  'dot in russian words': ['domain', 'collect-drop точка com'],
  'two sentences': ['domain', 'The name is collect-drop. The ending is the usual commercial one.'],
  morse: ['domain', '-.-. --- .-.. .-.. . -.-. - .-.-.- -.-. --- --'],
  'three at a time': ['domain', 'col lec t-d rop .c om'],
  'account away from words': ['account', 'Use 41882063 from now on.'],
};

/** Disguises under which another name than the planted one may be read. */
const blurred =
  /^imitation|break in suffix|break after dot|quoted break|^url (?:no slashes|one slash)/;

function rowsOf(pass: string, planted: readonly Planted[], disguises: Disguises): HiddenRow[] {
  return planted.flatMap((entity, p) =>
    Object.entries(disguises).map(([name, disguise], d) => ({
      name: `${pass}: ${name}: ${entity.name}`,
      text: (carriers[(p + d) % carriers.length] ?? '').replace('{}', () =>
        disguise(entity.spelled),
      ),
      kind: entity.kind,
      ...(entity.canonical !== undefined &&
        !blurred.test(`${pass} ${name}`) && { canonical: entity.canonical }),
    })),
  );
}

const raw: Disguises = { 'as written': (text) => text };

/** All rows, those that the rule is known to miss last. */
export function hiddenRows(): HiddenRow[] {
  const all = [...hosts, url, ...numbers, ...tokens];
  const fixed = Object.entries({ ...accounts, ...unseen });
  return [
    ...rowsOf('raw', all, raw),
    ...rowsOf('unicode', [...hosts, url, ...numbers, ...tokens.slice(0, 6)], unicode),
    ...rowsOf('encoding', [...hosts, url, ...numbers, ...tokens.slice(0, 2)], encodings),
    ...rowsOf('letters', [...hosts, ...numbers.slice(0, 2)], letterByLetter),
    ...rowsOf('spelling', hosts, hostSpelling),
    ...rowsOf('link', [url, ...hosts.slice(2, 3)], linkForms),
    ...rowsOf('url', [url], urlForms),
    ...rowsOf('imitation', [...hosts, url], imitation),
    ...fixed.map(([name, [kind, text]]) => ({ name: `form: ${name}`, text, kind })),
  ];
}

/** Names of the rows that the rule does not find. */
export const missedRows: readonly string[] = Object.keys(unseen).map((name) => `form: ${name}`);
