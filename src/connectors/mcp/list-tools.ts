// Reads the tool list of a server, page by page with the server's own cursor, within bounds.
import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import type { AnnouncedTool, ToolCallOutcome } from '../tool-servers.ts';

const pagesMax = 64;
const toolsMax = 10_000;

export type ToolList =
  | { readonly ok: true; readonly tools: readonly AnnouncedTool[]; readonly warnings: string[] }
  | { readonly ok: false; readonly reason: string };

/** `page` asks for one page; undefined = the first. */
export async function listTools(
  page: (cursor: string | undefined) => Promise<ToolCallOutcome>,
): Promise<ToolList> {
  const tools = new Map<string, AnnouncedTool>();
  const warnings: string[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; ; count += 1) {
    const outcome = await page(cursor);
    if (outcome.kind !== 'result') return { ok: false, reason: describe(outcome) };
    takePage(outcome.result, tools, warnings);
    const next = outcome.result['nextCursor'];
    if (typeof next !== 'string') break;
    const stop = whyStop({ isSeen: seen.has(next), pages: count + 1, tools: tools.size });
    if (stop !== undefined) {
      warnings.push(stop);
      break;
    }
    seen.add(next);
    cursor = next;
  }
  return { ok: true, tools: [...tools.values()], warnings };
}

function takePage(page: JsonObject, tools: Map<string, AnnouncedTool>, warnings: string[]): void {
  const list = page['tools'];
  if (!Array.isArray(list)) {
    warnings.push('a page of its tool list has no `tools`');
    return;
  }
  for (const definition of list) {
    if (tools.size >= toolsMax) return;
    const name = isJsonObject(definition) ? definition['name'] : undefined;
    if (typeof name !== 'string') warnings.push('a listed tool has no name');
    else if (tools.has(name)) warnings.push(`it lists \`${name}\` twice; the first one counts`);
    else tools.set(name, { name, definition });
  }
}

interface Progress {
  readonly isSeen: boolean;
  readonly pages: number;
  readonly tools: number;
}

function whyStop({ isSeen, pages, tools }: Progress): string | undefined {
  if (isSeen) return 'a cursor of its tool list came a second time; the rest is left out';
  if (pages >= pagesMax)
    return `its tool list has more than ${pagesMax} pages; the rest is left out`;
  if (tools >= toolsMax) return `it lists more than ${toolsMax} tools; the rest is left out`;
  return undefined;
}

function describe(outcome: Exclude<ToolCallOutcome, { kind: 'result' }>): string {
  switch (outcome.kind) {
    case 'error':
      return `tools/list was answered with error ${outcome.error.code}`;
    case 'cancelled':
      return 'tools/list was cancelled';
    case 'lost':
    case 'not_sent':
      return outcome.reason;
  }
}
