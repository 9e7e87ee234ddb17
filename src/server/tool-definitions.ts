// Definitions of the catalogue, prepared for calls: which arguments the schema knows, and a compiled check.
import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';
import { plainValue } from '../gateway/resolve-arguments.ts';
import type { ToolCatalogue } from '../gateway/tool-catalogue.ts';
import type { SchemaFault, ToolDefinition } from '../gateway/tool-definition.ts';

/** Faults named in one answer. */
const faultsMax = 8;

/** Loaded with the first schema: a start does not wait for it. */
function loadAjv(): typeof import('ajv/dist/2020.js').Ajv2020 {
  const ajv = createRequire(import.meta.url)(
    'ajv/dist/2020.js',
  ) as typeof import('ajv/dist/2020.js');
  return ajv.Ajv2020;
}

type Current = Extract<ToolDefinition, { kind: 'current' }>;

/** One prepared definition per digest; a schema that cannot be compiled accepts nothing. */
export class ToolDefinitions {
  readonly #catalogue: ToolCatalogue;
  readonly #unpinned: ReadonlySet<string>;
  readonly #prepared = new Map<string, { readonly digest: string; readonly current: Current }>();

  constructor(catalogue: ToolCatalogue, unpinned: ReadonlySet<string>) {
    this.#catalogue = catalogue;
    this.#unpinned = unpinned;
  }

  of(server: string, tool: string): ToolDefinition {
    const standing = this.#catalogue.standing(server, tool);
    if (standing.kind === 'absent') return { kind: 'unknown' };
    if (standing.kind === 'drifted') return { kind: 'changed' };
    const key = `${server}\0${tool}`;
    const known = this.#prepared.get(key);
    if (known?.digest === standing.digest) return known.current;
    const current = prepareDefinition(standing, this.#unpinned.has(server));
    this.#prepared.set(key, { digest: standing.digest, current });
    return current;
  }
}

/** A definition with its schema compiled on first use. */
export function prepareDefinition(
  standing: {
    readonly definition: JsonObject;
    readonly digest: string;
    readonly identity?: string;
  },
  isUnpinned: boolean,
): Current {
  const schema = standing.definition['inputSchema'];
  return {
    kind: 'current',
    digest: isUnpinned ? null : standing.digest,
    serverIdentity: standing.identity ?? '',
    definition: standing.definition,
    isKnown: (keys) => knows(schema, keys),
    validate: compile(schema),
  };
}

/** Walks `properties` and `items`, also inside `anyOf`, `oneOf` and `allOf`; an open object knows no name. */
function knows(schema: JsonValue | undefined, keys: readonly string[]): boolean {
  const [key, ...rest] = keys;
  if (key === undefined) return true;
  return branches(schema).some((branch) => {
    const properties = branch['properties'];
    if (isJsonObject(properties) && Object.hasOwn(properties, key))
      return knows(properties[key], rest);
    return branch['items'] !== undefined && knows(branch['items'], keys);
  });
}

function branches(schema: JsonValue | undefined): readonly JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => {
    const list = schema[word];
    return Array.isArray(list) ? (list as readonly JsonValue[]).flatMap(branches) : [];
  });
  return [schema, ...inner];
}

/** Draft 2020-12, no remote `$ref`, unknown formats and keywords ignored. */
function compile(schema: JsonValue | undefined): (args: JsonValue) => readonly SchemaFault[] {
  if (!isJsonObject(schema)) return () => [];
  let check: ValidateFunction | undefined;
  let problem: string | undefined;
  const compiled = (): ValidateFunction | undefined => {
    if (check !== undefined || problem !== undefined) return check;
    try {
      const plain = plainValue(schema) as Record<string, unknown>;
      delete plain['$schema'];
      delete plain['$id'];
      check = new (loadAjv())({ strict: false, validateFormats: false, logger: false }).compile(
        plain,
      );
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    return check;
  };
  return (args) => {
    const run = compiled();
    if (run === undefined)
      return [{ path: 'arguments', message: `a schema that can be checked (${problem})` }];
    if (run(plainValue(args))) return [];
    return (run.errors ?? []).slice(0, faultsMax).map(toFault);
  };
}

function toFault(error: ErrorObject): SchemaFault {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .reduce((text, token) => {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
      if (/^\d+$/.test(key)) return `${text}[${key}]`;
      return text === '' ? key : `${text}.${key}`;
    }, '');
  return { path: path === '' ? 'arguments' : path, message: error.message ?? 'another form' };
}
