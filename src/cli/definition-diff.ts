// Two tool definitions side by side as lines. What a server wrote is escaped: it may try to look like something else.

/** `-` was recorded, `+` is announced; equal lines are left out. */
export function definitionDiff(
  before: string | undefined,
  after: string | undefined,
): readonly string[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  const removed = old.filter((line) => !fresh.includes(line)).map((line) => `- ${line}`);
  const added = fresh.filter((line) => !old.includes(line)).map((line) => `+ ${line}`);
  return [...removed, ...added];
}

/** One line per leaf: `path: value`, everything but printable ASCII as \uXXXX. */
function linesOf(definition: string | undefined): readonly string[] {
  return definition === undefined ? [] : leaves(JSON.parse(definition) as unknown, '');
}

function leaves(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null)
    return [`${path}: ${escaped(JSON.stringify(value))}`];
  const members = Object.entries(value);
  if (members.length === 0) return [`${path}: ${Array.isArray(value) ? '[]' : '{}'}`];
  return members.flatMap(([key, member]) =>
    leaves(member, path === '' ? escaped(key) : `${path}.${escaped(key)}`),
  );
}

const escaped = (text: string): string =>
  text.replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
