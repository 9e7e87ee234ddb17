// `npm run architecture`: draws which part of src imports which, as the diagram of ARCHITECTURE.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult, type IRuleSetType } from 'dependency-cruiser';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

interface Rule {
  readonly name: string;
  readonly from: { readonly path?: string };
}
interface RuleFile {
  readonly forbidden: readonly Rule[];
  readonly options: Record<string, unknown>;
}

/** The import table and the other rules of `npm run boundaries`. */
export const ruleFile: RuleFile = createRequire(import.meta.url)('../.dependency-cruiser.cjs');

const root = fileURLToPath(new URL('..', import.meta.url));
const blockPattern = /(?<=<!-- drawn by npm run architecture -->\n)```mermaid\n[^`]*```/;

/** All modules of `src` below a folder, with the breaches of the rules. */
export async function cruiseSource(baseDir: string = root): Promise<ICruiseResult> {
  const { tsConfig: _, ...options } = ruleFile.options;
  const tsConfig = extractTsConfig(fileURLToPath(new URL('../tsconfig.json', import.meta.url)));
  const ruleSet = ruleFile as unknown as IRuleSetType;
  const settings = { ...options, baseDir, validate: true, ruleSet };
  const { output } = await cruise(['src'], settings, undefined, { tsConfig });
  if (typeof output === 'string') throw new Error('the cruise gave text, not a result');
  return output;
}

/** The diagram of the current tree; parts are the rows of the import table. */
export async function drawArchitecture(): Promise<string> {
  const { modules } = await cruiseSource();
  const edges = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = source.endsWith('.test.ts') ? undefined : partOf(source);
    for (const to of dependencies.map(({ resolved }) => partOf(resolved))) {
      if (from && to && from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  const lines = [...edges].flatMap(([from, targets]) =>
    [...targets].filter((to) => !isReachedOtherwise(edges, from, to)).map((to) => arrow(from, to)),
  );
  return ['```mermaid', 'flowchart TD', ...lines.sort(), '```'].join('\n');
}

const prefix = 'import table: ';
const rows = ruleFile.forbidden
  .filter(({ name }) => name.startsWith(prefix))
  .map(({ name, from }) => ({ part: name.slice(prefix.length), path: new RegExp(from.path ?? '') }))
  // A contract or an adapter also lies in a folder that may have a row of its own.
  .sort((a, b) => Number(isInsideFamily(b.part)) - Number(isInsideFamily(a.part)));

function isInsideFamily(part: string): boolean {
  return part === 'contracts' || part === 'adapters';
}

function partOf(path: string): string | undefined {
  return rows.find((row) => row.path.test(path))?.part;
}

/** Whether another path leads from one part to the other, so that the arrow says nothing new. */
function isReachedOtherwise(
  edges: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  to: string,
): boolean {
  const seen = new Set([from]);
  const open = [...(edges.get(from) ?? [])].filter((next) => next !== to);
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part === to) return true;
    if (!seen.has(part)) open.push(...(edges.get(part) ?? []));
    seen.add(part);
  }
  return false;
}

function arrow(from: string, to: string): string {
  const node = (part: string): string => `${part.replace(/\W+/g, '_')}["${part}"]`;
  return `  ${node(from)} --> ${node(to)}`;
}

/** The diagram that stands in the text of ARCHITECTURE.md. */
export function readDrawnBlock(text: string): string | undefined {
  return blockPattern.exec(text)?.[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = fileURLToPath(new URL('../ARCHITECTURE.md', import.meta.url));
  const text = readFileSync(path, 'utf8');
  if (readDrawnBlock(text) === undefined) {
    console.error('ARCHITECTURE.md has no block after `<!-- drawn by npm run architecture -->`');
    process.exitCode = 1;
  } else {
    const drawn = await drawArchitecture();
    writeFileSync(
      path,
      text.replace(blockPattern, () => drawn),
    );
  }
}
