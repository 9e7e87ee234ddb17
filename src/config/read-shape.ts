// The shape of the file, read as far as it goes: a table that is at fault does not hide what is wrong elsewhere.
import { describeIssue, issueMessage, type ShapeProblem } from './describe-issue.ts';
import { fileSchema } from './file-schema.ts';
import type { FileShape } from './file-shape.ts';
import { type KeyPath, type KeyProblem, pathText } from './key-path.ts';

export interface ReadShape {
  /** The file without what is at fault; undefined when too much is missing then. */
  readonly shape: FileShape | undefined;
  readonly problems: readonly KeyProblem[];
  /** Unknown keys that were left out on demand. */
  readonly warnings: readonly string[];
  /** Whether a later problem could come from a fault that is reported already. */
  readonly isDoubtful: (path: KeyPath) => boolean;
}

/** `document` is taken apart when it is at fault. */
export function readShape(
  document: unknown,
  { lenient }: { readonly lenient: boolean },
): ReadShape {
  const first = fileSchema.safeParse(document, { error: issueMessage });
  const found = first.success ? [] : first.error.issues.flatMap(describeIssue);
  const ignored = found.filter((problem) => lenient && isIgnorable(problem));
  const problems = found.filter((problem) => !ignored.includes(problem));
  for (const { path } of found) removeKey(document, path);
  const rest = first.success ? first : fileSchema.safeParse(document);
  return {
    shape: rest.data,
    problems,
    warnings: ignored.map(({ path, message }) => `${pathText(path)}: ${message}; ignored`),
    isDoubtful: (path) => problems.some((problem) => canFollow(path, problem.path)),
  };
}

/** A misspelt key inside a parameter leaves a value unguarded: it is never ignored. */
const isIgnorable = ({ path, isUnknownKey }: ShapeProblem): boolean =>
  isUnknownKey && path[2] !== 'params';

/** Keys of a tool that speak of its parameters. */
const aboutParams = new Set<unknown>(['action', 'budget_param', 'expect', 'sentence', 'volatile']);

/** Whether a problem at `path` can come from a fault: in the same table, or of a tool from its parameters. */
function canFollow(path: KeyPath, fault: KeyPath): boolean {
  if (pathText(tableOf(path)) === pathText(tableOf(fault))) return true;
  const isOfTool = path[0] === 'tools' && fault[0] === 'tools' && path[1] === fault[1];
  return isOfTool && fault[2] === 'params' && aboutParams.has(path[2]);
}

const listTables = new Set<unknown>(['tools', 'servers', 'registries', 'people']);

/** A server, registry, tool, person or parameter by itself; any other table as a whole. */
function tableOf(path: KeyPath): KeyPath {
  if (path[2] === 'params' && path.length > 3) return path.slice(0, 4);
  return path.slice(0, listTables.has(path[0]) ? 2 : 1);
}

/** A list with a bad item is left out as a whole. */
function removeKey(document: unknown, at: KeyPath): void {
  const path = typeof at.at(-1) === 'number' ? at.slice(0, -1) : at;
  const last = path.at(-1);
  const owner = path
    .slice(0, -1)
    .reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], document);
  if (last !== undefined && typeof owner === 'object' && owner !== null) {
    Reflect.deleteProperty(owner, last);
  }
}
