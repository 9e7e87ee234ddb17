// The reference of the configuration file: one table of keys for each table of the file.
import { configSchema, type SchemaPart } from './config-schema.ts';
import { generatedNote, tableRow } from './markdown.ts';

/** The whole page. */
export function configPage(): string {
  return [
    '# Configuration file',
    '',
    generatedNote,
    '',
    `One TOML file. Paths are relative to the file. \`$\{env:NAME}\` in a text stands for a variable of the environment; \`file:<path>\` in a secret for`,
    'a file that only you can read. An unknown key is an error with the nearest known one, and all problems of a file are told together. A time is',
    'written like `30s`, `15m`, `12h` or `7d`; a plain number means seconds. A value is a text, a number, true or false, or a day. Editors that know TOML schemas complete and check the file with',
    '[config.schema.json](config.schema.json), in the package as `intentplane/schemas/config.json`:',
    '',
    '```toml',
    '#:schema ./node_modules/intentplane/dist/config/schemas/config.json',
    '```',
    ...tablesOf('', configSchema()).flatMap(tablePart),
    '',
  ].join('\n');
}

interface Table {
  /** As the header of the table is written. */
  readonly name: string;
  readonly part: SchemaPart;
}

/** The table itself, when it has keys of its own, and those below it. */
function tablesOf(name: string, part: SchemaPart): readonly Table[] {
  const { properties = {} } = part;
  const below = Object.entries(properties).flatMap(([key, inner]) =>
    innerTables(name === '' ? key : `${name}.${key}`, inner),
  );
  return name === '' ? below : [{ name, part }, ...below];
}

function innerTables(name: string, part: SchemaPart): readonly Table[] {
  const table = [part, ...(part.anyOf ?? [])].find((form) => form.properties !== undefined);
  if (table !== undefined) return tablesOf(name, { ...table, ...described(part) });
  if (part.items?.properties !== undefined) {
    return tablesOf(`[${name}]`, { ...part.items, ...described(part) });
  }
  const named = part.additionalProperties;
  if (typeof named !== 'object' || named.properties === undefined) return [];
  return tablesOf(`${name}.NAME`, { ...named, ...described(part) });
}

const described = ({ description }: SchemaPart): Pick<SchemaPart, 'description'> =>
  description === undefined ? {} : { description };

function tablePart({ name, part }: Table): readonly string[] {
  const { properties = {}, required = [], description = '' } = part;
  const keys = Object.entries(properties).filter(([key, inner]) => isPlain(key, inner));
  if (keys.length === 0) return [];
  return [
    '',
    `## \`[${name.replace(/^\[(.*?)\]\.(.*)$/, '$1.$2')}]\``,
    '',
    description,
    '',
    tableRow(['key', 'type', 'meaning']),
    tableRow(['---', '---', '---']),
    ...keys.map(([key, inner]) =>
      tableRow([
        `\`${key}\`${required.includes(key) ? ' (required)' : ''}`,
        typeWords(inner),
        inner.description ?? '',
      ]),
    ),
  ];
}

/** A key whose only form is a table has a part of its own. */
const isPlain = (key: string, part: SchemaPart): boolean =>
  part.anyOf !== undefined || innerTables(key, part).length === 0;

const plainWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
};

function typeWords(part: SchemaPart): string {
  if (part.anyOf !== undefined) return formsWords(part.anyOf);
  if (part.enum !== undefined) return part.enum.map((value) => `\`${value}\``).join(', ');
  if (part.const !== undefined) return `\`${part.const}\``;
  if (part.items !== undefined) return `list of ${typeWords(part.items)}`;
  if (typeof part.additionalProperties === 'object') {
    return `table of ${typeWords(part.additionalProperties)}`;
  }
  return typeof part.type === 'string' ? (plainWords[part.type] ?? 'table') : 'value';
}

function formsWords(forms: readonly SchemaPart[]): string {
  const plain = forms.filter((form) => form.properties === undefined);
  const isTime = plain.some((form) => JSON.stringify(form).includes('(ms|s|m|h|d)'));
  const words = forms.map((form) => (form.properties === undefined ? typeWords(form) : 'table'));
  return [...new Set(isTime ? ['time', ...words.filter((word) => word === 'table')] : words)].join(
    ' or ',
  );
}
