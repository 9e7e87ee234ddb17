// The keys that a table of the file may have, for hints at misspelt ones.
import { z } from 'zod';
import { fileSchema } from './file-schema.ts';
import type { KeyPath } from './key-path.ts';

/** Walks the schema along the path; an unknown place has no keys. */
export function knownKeys(path: KeyPath): readonly string[] {
  let schema: unknown = fileSchema;
  for (const step of path) schema = childOf(unwrap(schema), step);
  const table = unwrap(schema);
  return table instanceof z.ZodObject ? Object.keys(table.shape) : [];
}

function childOf(schema: unknown, step: string | number): unknown {
  if (schema instanceof z.ZodObject) return (schema.shape as Record<string, unknown>)[step];
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return undefined;
}

/** The table under an optional key, or among the forms that a key may have. */
function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodExactOptional) return unwrap(schema.unwrap());
  if (!(schema instanceof z.ZodUnion)) return schema;
  return schema.options.find((option) => option instanceof z.ZodObject);
}
