// The guard of a receipt log as a small file beside its key: origin, size and root on three lines.
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodeBase64, encodeBase64 } from '../../core/base64.ts';
import { type GuardedTree, type LogGuard, StoreError } from '../../stores/store.ts';
import { replaceDurably } from './durable-file.ts';

const rootSizeBytes = 32;

/** `path` is made with the first signature; it must not lie in what is backed up with the store. */
export function createGuardFile(path: string): LogGuard {
  return {
    place: path,
    read: (origin) => {
      const text = readText(path);
      return text === undefined ? undefined : parse(path, text, origin);
    },
    write: (origin, { size, root }) => {
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        replaceDurably(path, `${origin}\n${size}\n${encodeBase64(root)}\n`);
      } catch (error) {
        throw new StoreError(
          'STORE_NOT_WRITABLE',
          `the guard \`${path}\` cannot be written: its folder must belong to this user and have room`,
          { cause: error },
        );
      }
    },
  };
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

function parse(path: string, text: string, origin: string): GuardedTree {
  const [name, sizeText = '', rootText = '', end, ...more] = text.split('\n');
  const root = decodeBase64(rootText);
  const isSize = /^(?:0|[1-9][0-9]{0,15})$/.test(sizeText);
  if (!isSize || !root.ok || root.value.length !== rootSizeBytes || end !== '' || more.length > 0) {
    throw bad(`the guard \`${path}\` holds something else: put the right file back`);
  }
  if (name !== origin) {
    throw bad(
      `the guard \`${path}\` belongs to the log \`${name}\`, the store to \`${origin}\`: each log needs a key of its own`,
    );
  }
  return { size: Number(sizeText), root: root.value };
}

function bad(message: string): StoreError {
  return new StoreError('LOG_FORKED', message, { fatal: true });
}
