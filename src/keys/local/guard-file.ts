// The guard of a receipt log as a small file beside its key: origin, size and root on three lines,
// followed by those of the logs that ended by a restart.
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodeBase64, encodeBase64 } from '../../core/base64.ts';
import { emptyFrontier, frontierRoot } from '../../core/merkle.ts';
import { type GuardedTree, type LogGuard, StoreError } from '../../stores/store.ts';
import { replaceDurably } from './durable-file.ts';

const rootSizeBytes = 32;
const linesOfEntry = 3;

interface Entry extends GuardedTree {
  readonly origin: string;
}

/** The log that is signed, and those that never are again. */
interface Guarded {
  readonly current: Entry;
  readonly ended: readonly Entry[];
}

/** `path` is made with the first signature; it must not lie in what is backed up with the store. */
export function createGuardFile(path: string): LogGuard {
  return {
    place: path,
    read: (origin) => {
      const guarded = readGuarded(path);
      if (guarded === undefined) return undefined;
      checkOrigin(path, guarded, origin);
      return treeOf(guarded.current);
    },
    write: (origin, tree) => {
      write(path, () => ({ current: { ...tree, origin }, ended: readGuarded(path)?.ended ?? [] }));
    },
    replace: (old, origin) => {
      const guarded = readGuarded(path);
      const ended = endedWith(path, guarded, { old: { ...old.tree, origin: old.origin }, origin });
      if (ended !== guarded?.ended) {
        const nothing = { size: 0, root: frontierRoot(emptyFrontier) };
        write(path, () => ({ current: { ...nothing, origin }, ended }));
      }
      const known = entriesOf(guarded).find((each) => each.origin === old.origin);
      return known === undefined ? undefined : treeOf(known);
    },
  };
}

function checkOrigin(path: string, { current, ended }: Guarded, origin: string): void {
  if (current.origin === origin) return;
  const isEnded = ended.some((each) => each.origin === origin);
  throw bad(
    isEnded
      ? `\`${origin}\` was ended by a restart (\`${path}\`), and \`${current.origin}\` goes on: put the store of that one back`
      : `the guard \`${path}\` belongs to the log \`${current.origin}\`, the store to \`${origin}\`: each log needs a key of its own`,
  );
}

const entriesOf = (guarded: Guarded | undefined): readonly Entry[] =>
  guarded === undefined ? [] : [guarded.current, ...guarded.ended];

/** All that end now or ended before; the same list when this restart was written already. */
function endedWith(
  path: string,
  guarded: Guarded | undefined,
  { old, origin }: { readonly old: Entry; readonly origin: string },
): readonly Entry[] {
  const entries = entriesOf(guarded);
  const isOldKnown = entries.some((each) => each.origin === old.origin);
  const { current, ended = [] } = guarded ?? {};
  const isRepeated = current?.origin === origin && current.size === 0 && isOldKnown;
  if (isRepeated) return ended;
  if (entries.some((each) => each.origin === origin)) {
    throw refused(`\`${origin}\` was the name of a log before (\`${path}\`): choose another one`);
  }
  if (guarded !== undefined && !isOldKnown) {
    throw refused(`the guard \`${path}\` belongs to the log \`${guarded.current.origin}\``);
  }
  return isOldKnown ? entries : [old];
}

const treeOf = ({ size, root }: Entry): GuardedTree => ({ size, root });

function write(path: string, guarded: () => Guarded): void {
  try {
    const text = entriesOf(guarded())
      .map(({ origin, size, root }) => `${origin}\n${size}\n${encodeBase64(root)}\n`)
      .join('');
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceDurably(path, text);
  } catch (error) {
    throw new StoreError(
      'STORE_NOT_WRITABLE',
      `the guard \`${path}\` cannot be written: its folder must belong to this user and have room`,
      { cause: error },
    );
  }
}

function readGuarded(path: string): Guarded | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const entries = Array.from({ length: Math.floor(lines.length / linesOfEntry) }, (_unused, i) =>
    parseEntry(lines.slice(i * linesOfEntry, (i + 1) * linesOfEntry)),
  );
  const [current, ...ended] = entries;
  const isWhole = lines.length % linesOfEntry === 1 && lines.at(-1) === '';
  const known = ended.filter((entry) => entry !== undefined);
  if (!isWhole || current === undefined || known.length < ended.length) {
    throw bad(`the guard \`${path}\` holds something else: put the right file back`);
  }
  return { current, ended: known };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StoreError(
      'GUARD_MISSING',
      `the guard \`${path}\` cannot be read: it must be a file of this user`,
      {
        cause: error,
        fatal: true,
      },
    );
  }
}

function parseEntry([origin = '', sizeText = '', rootText = '']: readonly string[]):
  | Entry
  | undefined {
  const root = decodeBase64(rootText);
  const isSize = /^(?:0|[1-9][0-9]{0,15})$/.test(sizeText);
  if (!isSize || !root.ok || root.value.length !== rootSizeBytes) return undefined;
  return { origin, size: Number(sizeText), root: root.value };
}

function bad(message: string): StoreError {
  return new StoreError('LOG_FORKED', message, { fatal: true });
}

const refused = (message: string): StoreError => new StoreError('RESTART_REFUSED', message);
