// Final names of tools: a function of the configuration alone, so that no server that comes or
// goes can move a name to another tool.
import { sha256Hex } from '../core/sha256.ts';
import { ownToolNames } from './own-tool-definitions.ts';

/** Hard limit of the largest host interfaces. */
const nameMaxLength = 64;
const keptLength = 55;
/** Above this, hosts that put their own prefix in front may cut or drop the name. */
const warnLength = 36;

export interface NamedServer {
  readonly name: string;
  readonly prefix?: string | undefined;
}

export interface ConfiguredTool {
  readonly server: string;
  readonly tool: string;
}

export interface ToolNames {
  /** Final names, in the order of the tools given. */
  readonly names: readonly string[];
  readonly warnings: readonly string[];
  /** Two tools with one final name. The start must stop. */
  readonly errors: readonly string[];
}

/** Names for all tools. Servers and tools in the order of the configuration file. */
export function nameTools(
  servers: readonly NamedServer[],
  tools: readonly ConfiguredTool[],
): ToolNames {
  const order = new Map(servers.map((server, index) => [server.name, index] as const));
  const prefixes = new Map(servers.map((server) => [server.name, server.prefix] as const));
  const warnings: string[] = [];
  const names = tools.map((tool) => {
    const prefix = prefixes.get(tool.server);
    if (prefix !== undefined) return shorten(`${prefix}__${tool.tool}`, tool);
    const rank = order.get(tool.server) ?? 0;
    const isTaken = tools.some(
      (other) =>
        other.tool === tool.tool &&
        prefixes.get(other.server) === undefined &&
        (order.get(other.server) ?? 0) < rank,
    );
    if (!isTaken) return shorten(tool.tool, tool);
    const name = `${tool.server}__${tool.tool}`;
    warnings.push(
      `two servers have a tool \`${tool.tool}\`: the one of \`${tool.server}\` is called \`${name}\`; set \`prefix\` on a server to choose the name`,
    );
    return shorten(name, tool);
  });
  for (const name of names) {
    if (name.length > warnLength) {
      warnings.push(
        `the tool name \`${name}\` is longer than ${warnLength} characters: some hosts cut or drop it`,
      );
    }
  }
  return { names, warnings, errors: findClashes(names, tools) };
}

function shorten(name: string, { server, tool }: ConfiguredTool): string {
  if (name.length <= nameMaxLength) return name;
  return `${name.slice(0, keptLength)}_${sha256Hex(`${server}.${tool}`).slice(0, 8)}`;
}

function findClashes(names: readonly string[], tools: readonly ConfiguredTool[]): string[] {
  const owners = new Map<string, string>(ownToolNames.map((name) => [name, 'the gateway itself']));
  const errors: string[] = [];
  names.forEach((name, index) => {
    const { server, tool } = tools[index] as ConfiguredTool;
    const other = owners.get(name);
    const owner = `\`${server}.${tool}\``;
    if (other === undefined) owners.set(name, owner);
    else if (other !== owner) {
      errors.push(
        `${owner} and ${other} both get the name \`${name}\`: set \`prefix\` on a server`,
      );
    }
  });
  return errors;
}
