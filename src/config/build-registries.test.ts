import { describe, expect, it } from 'vitest';
import { base, configOf, loadText, problemsOf } from '../../test/fixtures/config-file.ts';
import type { RegistryConfig } from './config.ts';

const file = (lines: string, params = ''): string =>
  `${base}[registries.v]\nfile = "v.json"\n${lines}\n[[tools]]\nserver = "bank"\ntool = "pay"\n${params}`;
const registryOf = (lines: string, params = ''): RegistryConfig =>
  configOf(file(lines, params)).registries[0] as RegistryConfig;
const faults = (lines: string, params = ''): readonly string[] =>
  problemsOf(file(lines, params)).map((problem) => problem.replace(/^\d+ registries\.v[.]?/, ''));
const param = (name: string, lines: string): string =>
  `[tools.params.${name}]\ncritical = true\n${lines}\n`;
const exact = { type: 'string', scale: 1, settings: {} };

describe('[registries.NAME]', () => {
  it('belongs to the principal and compares exactly unless it says more', () => {
    const { config, folder } = loadText(file(''));
    expect(config?.registries).toEqual([
      {
        name: 'v',
        file: `${folder}/v.json`,
        format: 'json',
        reading: {
          own: exact,
          value: undefined,
          fields: {},
          alias: [],
          owner: { kind: 'principal' },
        },
        listable: false,
        maxAgeMs: undefined,
      },
    ]);
  });

  it('has every setting', () => {
    const lines =
      'normalize = "iban"\nvalue = "iban"\nalias = "name"\nowner = "tenant"\nlistable = true\nmax_age = "7d"\n[registries.v.fields.mail]\nnormalize = "email"';
    expect(registryOf(lines)).toMatchObject({
      listable: true,
      maxAgeMs: 604_800_000,
      reading: {
        own: { type: 'string', normalize: 'iban' },
        value: 'iban',
        alias: ['name'],
        owner: { kind: 'field', field: 'tenant' },
        fields: { mail: { type: 'string', normalize: 'email' } },
      },
    });
    expect(registryOf('owner = "*"\nalias = ["a", "b"]').reading).toMatchObject({
      owner: { kind: 'everyone' },
      alias: ['a', 'b'],
    });
  });

  it('is a JSON or a CSV file', () => {
    const format = (name: string): unknown =>
      configOf(file('').replace('v.json', name)).registries[0]?.format;
    expect([format('v.JSON'), format('v.csv')]).toEqual(['json', 'csv']);
    expect(problemsOf(file('').replace('v.json', 'v.xlsx'))).toEqual([
      '7 registries.v.file: `v.xlsx` is neither .json nor .csv: name such a file',
    ]);
  });

  it('refuses normalisers that are none', () => {
    const known =
      '(known: iban, iban-lenient, email, email-exact, lower, exact, domain, url, url-origin, url-domain, money, date, instant)';
    expect(faults('normalize = "emial"')).toEqual([
      `normalize: there is no normaliser \`emial\` ${known}; did you mean \`email\`?`,
    ]);
    expect(faults('[registries.v.fields.a]\nnormalize = "x"\n[registries.v.fields.b]')).toEqual([
      `fields.a.normalize: there is no normaliser \`x\` ${known}`,
    ]);
  });
});

describe('readings of a registry', () => {
  it('are those of the parameters that use it', () => {
    const params =
      param('amount', 'type = "number"\nscale = 100\nsources = ["registry:v.amount"]') +
      param('price', 'type = "money"\ncurrency = "JPY"\nsources = ["registry:v.price"]') +
      param('to', 'normalize = "iban"\nsources = ["registry:v.iban", "registry:v"]');
    expect(registryOf('', params).reading).toMatchObject({
      own: exact,
      fields: {
        amount: { type: 'number', scale: 100, settings: {} },
        price: { type: 'money', scale: 1, settings: { currency: 'JPY' } },
        iban: { type: 'string', normalize: 'iban', scale: 1, settings: {} },
      },
    });
  });

  it('compare the own value exactly unless the registry itself names a normaliser', () => {
    const params = param('to', 'normalize = "email"\nsources = ["registry:v"]');
    expect(registryOf('', params).reading.own).toEqual(exact);
    expect(registryOf('normalize = "lower"', params).reading.own).toEqual({
      ...exact,
      normalize: 'lower',
    });
  });

  it('take a field as its users do unless the registry names a normaliser', () => {
    const params = param('to', 'normalize = "email"\nsources = ["registry:v.mail"]');
    const own = '[registries.v.fields.mail]\nnormalize = "lower"';
    expect(registryOf(own, params).reading.fields['mail']).toEqual({
      ...exact,
      normalize: 'lower',
    });
    expect(registryOf('[registries.v.fields.mail]', params).reading.fields['mail']).toEqual({
      ...exact,
      normalize: 'email',
    });
  });

  it('take integers and numbers for one', () => {
    const params =
      param('a', 'type = "integer"\nsources = ["registry:v"]') +
      param('b', 'type = "number"\nsources = ["registry:v"]');
    expect(registryOf('', params).reading.own.type).toBe('number');
  });

  it('are refused where the users differ', () => {
    const two = (a: string, b: string): readonly string[] =>
      faults('', param('a', a) + param('b', b));
    const number = 'type = "number"\nsources = ["registry:v"]';
    expect(two(`${number}\nscale = 100`, `${number}\nscale = 1000`)).toEqual([
      ': is read with different scales (100, 1000): give each use its own registry or field',
    ]);
    expect(two(number, 'sources = ["registry:v"]')).toEqual([
      ': is read with different types (number, string): give each use its own registry or field',
    ]);
    const money = (currency: string): string =>
      `type = "money"\ncurrency = "${currency}"\nsources = ["registry:v.price"]`;
    expect(two(money('EUR'), money('JPY'))).toEqual([
      'fields.price: is read with different settings ({"currency":"EUR"}, {"currency":"JPY"}): give each use its own registry or field',
    ]);
    const mail = (normalize: string): string => `${normalize}\nsources = ["registry:v.mail"]`;
    expect(two(mail('normalize = "email"'), mail(''))).toEqual([
      'fields.mail: is read with different normalisers (email, exact): give each use its own registry or field',
    ]);
    expect(two(mail('normalize = "email"'), mail('normalize = "email"'))).toEqual([]);
  });

  it('are refused where a number is meant to be normalised', () => {
    const params = param('a', 'type = "integer"\nsources = ["registry:v"]');
    expect(faults('normalize = "iban"', params)).toEqual([
      ': is normalised as `iban`, and the parameter `a` is a integer: remove `normalize`',
    ]);
  });
});
