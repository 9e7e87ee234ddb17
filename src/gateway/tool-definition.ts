// What a face knows of one downstream tool when a call arrives.
import type { JsonObject, JsonValue } from '../core/json-value.ts';

/** One place where arguments do not satisfy the tool's own schema. */
export interface SchemaFault {
  readonly path: string;
  readonly message: string;
}

/** The accepted definition of a tool, prepared for calls. */
export type ToolDefinition =
  /** Never seen: the server has not answered yet, or does not have the tool. */
  | { readonly kind: 'unknown' }
  /** The server announces another definition than the accepted one. */
  | { readonly kind: 'changed' }
  | {
      readonly kind: 'current';
      /** SHA-256 (hex) of the canonical definition; null when pins are off. */
      readonly digest: string | null;
      /** Identity of the server (hash of command and arguments). */
      readonly serverIdentity: string;
      readonly definition: JsonObject;
      /** Whether the input schema names an argument at these keys. */
      readonly isKnown: (keys: readonly string[]) => boolean;
      /** Arguments against the input schema; empty = they satisfy it. */
      readonly validate: (args: JsonValue) => readonly SchemaFault[];
    };
