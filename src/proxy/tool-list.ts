// `tools/list`: the recorded definitions of the configured tools, in the order of the file, under
// their final names. The list is built once and kept as text until a definition changes.
import type { JsonObject, JsonValue } from '../core/json-value.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { ToolCatalogue } from '../gateway/tool-catalogue.ts';
import type { ExposedTool } from './exposed-tool.ts';
import { guardSentence } from './guard-sentence.ts';
import { ownToolDefinitions } from './own-tool-definitions.ts';

const pageSize = 1000;

export interface ToolPage {
  /** JSON text of the tools of this page. */
  readonly tools: string;
  readonly nextCursor: string | undefined;
}

export interface ToolListOptions {
  readonly tools: readonly ExposedTool[];
  readonly catalogue: Pick<ToolCatalogue, 'standing'>;
  readonly hasOwnTools: boolean;
}

export class ToolList {
  readonly #options: ToolListOptions;
  #definitions: readonly string[] | undefined;
  #pages = new Map<string, ToolPage>();
  #digest = '';

  constructor(options: ToolListOptions) {
    this.#options = options;
  }

  /** Builds the list again; true when it is another one than before. */
  refresh(): boolean {
    const before = this.#digest;
    this.#build();
    return before !== this.#digest;
  }

  /** One page; undefined for a cursor that this list never gave. */
  page(cursor: string | undefined): ToolPage | undefined {
    if (this.#definitions === undefined) this.#build();
    return this.#pages.get(cursor ?? '');
  }

  #build(): void {
    const definitions = this.#options.tools.flatMap((tool) => this.#define(tool));
    if (this.#options.hasOwnTools)
      definitions.push(...ownToolDefinitions.map((tool) => JSON.stringify(tool)));
    this.#definitions = definitions;
    this.#digest = sha256Hex(definitions.join('\n'));
    this.#pages = new Map();
    for (let start = 0; start === 0 || start < definitions.length; start += pageSize) {
      const end = start + pageSize;
      const tools = `[${definitions.slice(start, end).join(',')}]`;
      const nextCursor = end < definitions.length ? this.#cursor(end) : undefined;
      this.#pages.set(start === 0 ? '' : this.#cursor(start), { tools, nextCursor });
    }
  }

  // Opaque, and useless for another list than the one it was given for.
  #cursor(start: number): string {
    return Buffer.from(`${start}.${this.#digest.slice(0, 16)}`).toString('base64url');
  }

  #define(tool: ExposedTool): string[] {
    const standing = this.#options.catalogue.standing(tool.server, tool.tool);
    if (standing.kind !== 'listed') return [];
    return [JSON.stringify(present(standing.definition, tool))];
  }
}

function present(definition: JsonObject, tool: ExposedTool): JsonObject {
  const named = { ...definition, name: tool.name };
  if (tool.kind === 'passthrough') return named;
  const sentence = guardSentence(tool.contracts);
  const own = tool.contracts.find((contract) => contract.description !== undefined)?.description;
  const text = own ?? textOf(definition['description']);
  return { ...named, description: text === '' ? sentence : `${text}\n\n${sentence}` };
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
