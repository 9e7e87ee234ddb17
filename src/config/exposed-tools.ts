// Which tools agents see: the guarded ones, and those that are passed through.
import { type BuildContext, reporter } from './build-context.ts';
import type { ExposedToolConfig } from './config.ts';
import type { FileShape } from './file-shape.ts';
import { hint } from './nearest-key.ts';

/** Guarded tools, then passed ones, each once, in the order of the file; a tool that is both is guarded. */
export function exposedTools(
  shape: FileShape,
  context: BuildContext,
): readonly ExposedToolConfig[] {
  const guarded = (shape.tools ?? []).map(
    ({ server, tool }): ExposedToolConfig => ({ server, tool, kind: 'guarded' }),
  );
  const servers = shape.servers.map((server) => server.name);
  const report = reporter(context, ['defaults', 'passthrough']);
  const passed = (shape.defaults?.passthrough ?? []).flatMap((name, index) => {
    const found = readPassedName(name, servers);
    if (typeof found !== 'string') return [{ ...found, kind: 'passthrough' } as const];
    report([index], found);
    return [];
  });
  const seen = new Set<string>();
  return [...guarded, ...passed].filter(({ server, tool }) => {
    const key = `${server}\0${tool}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** The server and its tool, or why there is none. */
function readPassedName(
  name: string,
  servers: readonly string[],
): { readonly server: string; readonly tool: string } | string {
  if (name.includes('*')) {
    return `\`${name}\` names no tool: a star has no meaning here, list each tool as server.tool`;
  }
  const found = splitToolName(name, servers);
  if (found !== undefined) return found;
  const server = name.slice(0, Math.max(0, name.indexOf('.')));
  return `\`${name}\` names no tool of a server: write server.tool${hint(server, servers)}`;
}

/** Server names may hold dots: the longest one that fits wins. */
export function splitToolName(
  name: string,
  servers: readonly string[],
): { readonly server: string; readonly tool: string } | undefined {
  const [server] = servers
    .filter((candidate) => name.startsWith(`${candidate}.`) && name.length > candidate.length + 1)
    .toSorted((a, b) => b.length - a.length);
  return server === undefined ? undefined : { server, tool: name.slice(server.length + 1) };
}
