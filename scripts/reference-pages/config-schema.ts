// The JSON Schema of the configuration file, for editors.
import { z } from 'zod';
import { fileSchema } from '../../src/config/file-schema.ts';

/** A part of a JSON Schema, as far as the reference reads it. */
export interface SchemaPart {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly required?: readonly string[];
  readonly items?: SchemaPart;
  readonly additionalProperties?: SchemaPart | boolean;
  readonly anyOf?: readonly SchemaPart[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What a file may hold before defaults are filled in; days of TOML count as texts. */
export function configSchema(): SchemaPart {
  const schema = z.toJSONSchema(fileSchema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodDate) jsonSchema.type = 'string';
    },
  });
  const { $schema, ...rest } = schema;
  const title = 'Configuration of intentplane';
  return { $schema, title, ...rest } as SchemaPart;
}

export const configSchemaText = (): string => `${print(configSchema(), '', '')}\n`;

const lineWidth = 100;

/** JSON as the formatter of this repository lays it out: a list of plain values stays on its line when it fits. */
function print(value: unknown, indent: string, before: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => print(item, inner, ''));
    const line = `[${items.join(', ')}]`;
    const fits = indent.length + before.length + line.length < lineWidth && !line.includes('\n');
    return fits ? line : `[\n${items.map((item) => inner + item).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(([key, member]) => {
    const name = `${JSON.stringify(key)}: `;
    return inner + name + print(member, inner, name);
  });
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
}
