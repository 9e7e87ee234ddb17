// The trusted values that the corpus imitates. All are invented.

export interface TrustedValue {
  readonly type: string;
  /** As it would stand in a registry. */
  readonly value: string;
  readonly canonical: string;
  readonly options?: Readonly<Record<string, string>>;
}

const same = (type: string, values: readonly string[]): TrustedValue[] =>
  values.map((value) => ({ type, value, canonical: value }));

const compact = (value: string): string => value.replaceAll(' ', '').toUpperCase();

const ibans = [
  'DE89 3704 0044 0532 0130 00',
  'GB29 NWBK 6016 1331 9268 19',
  'FR14 2004 1010 0505 0001 3M02 606',
  'NL91 ABNA 0417 1643 00',
  'AT61 1904 3002 3457 3201',
  'BE68 5390 0754 7034',
  'CH93 0076 2011 6238 5295 7',
  'IT60 X054 2811 1010 0000 0123 456',
  'NO93 8601 1117 947',
];

const emails = [
  'anna.smith@good.com',
  'billing@acme-parts.co.uk',
  'oliver.i.moss+orders@mill10.org',
  'info@modern-milling.de',
  'l.lorimer@loom101.net',
  'accounts@harbour-loans.eu',
  'kim_lee@o0ps.io',
  'service@sub.mail.commons.org',
];

/** Forty values of the types that identify a payee, a recipient, a host or a name. */
export const trustedValues: readonly TrustedValue[] = [
  ...ibans.map((value) => ({ type: 'iban', value, canonical: compact(value) })),
  {
    type: 'iban-lenient',
    value: 'UK12 3456 7890 1234 5678 90',
    canonical: 'UK12345678901234567890',
  },
  {
    type: 'iban-lenient',
    value: 'US13 3000 0001 2121 2121 212',
    canonical: 'US1330000001212121212' + '12',
  },
  ...same('email', emails),
  ...same('email-exact', ['Anna.Smith@good.com', 'Orders-IL@loom101.net']),
  ...same('domain', ['good.com', 'acme-parts.co.uk', 'loom101.net', 'shop.modern-milling.de']),
  ...same('url', [
    'https://good.com/start',
    'https://loom101.net/pay/in?id=10',
    'https://mill10.org/a.html',
  ]),
  ...same('url-origin', ['https://good.com', 'https://acme-parts.co.uk']),
  ...same('url-domain', ['good.com', 'modern-milling.de']),
  ...same('lower', ['acme corporation ltd', 'release/1.10', 'main', "olivia o'neil"]),
  ...same('exact', ['Invoice 2026-0118', 'Milling & Looms Ltd', 'refs/heads/main', 'Zoë Lömmel']),
];

/** What an agent writes for a trusted value of a type: `url-domain` values come as addresses. */
export const spelled = ({ type, value }: TrustedValue): string =>
  type === 'url-domain' ? `https://${value}` : value;

/** Values that are valid and belong to somebody else. */
export const attackerValues: Readonly<Record<string, readonly string[]>> = {
  iban: [
    'GB33 BUKB 2020 1555 5555 55',
    'DE75 5121 0800 1245 1261 99',
    'ES91 2100 0418 4502 0005 1332',
  ],
  'iban-lenient': ['UK12 3456 7890 1234 5678 91', 'US13 3000 0001 2121 2121 213'],
  email: [
    'anna.smith@g00d.com',
    'anna.smith@good.com.evil.com',
    'anna-smith@good.com',
    'x@evil.com',
  ],
  'email-exact': ['anna.smith@good.com', 'ANNA.SMITH@good.com', 'Anna.Smith@gopd.com'],
  domain: [
    'g00d.com',
    'good.co',
    'good.com.evil.com',
    'evil-good.com',
    'goodcom.net',
    'xn--80ak6aa92e.com',
  ],
  url: [
    'https://g00d.com/',
    'https://good.com.evil.com/',
    'https://good.com/r?to=https%3A%2F%2Fevil.com',
  ],
  'url-origin': ['https://g00d.com', 'https://good.com.evil.com/', 'https://sub.good.com'],
  'url-domain': ['https://g00d.com/', 'https://good.com.evil.com/', 'https://good.co/'],
  lower: ['acme corporation', 'acme-corporation ltd', 'rnain', 'release/1.1'],
  exact: ['invoice 2026-0118', 'Invoice 2026-O118', 'refs/heads/Main', 'Zoe Lömmel'],
};
