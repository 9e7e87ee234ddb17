// Writes a log as a folder of tiles (c2sp.org/tlog-tiles) for any static server. A later run adds
// what is new: whatever lies there already never changes.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSameHash, leafHash } from '../core/merkle.ts';
import { type Checkpoint, parseCheckpoint } from '../receipts/checkpoint.ts';
import { encodeEntryBundle } from '../receipts/entry-bundle.ts';
import { parseNote } from '../receipts/signed-note.ts';
import { type TileName, tilePath, tilesOf, tileWidth } from '../receipts/tile-path.ts';
import {
  type SignedCheckpoint,
  type Store,
  StoreError,
  type StoreErrorCode,
} from '../stores/store.ts';
import { readRootAt } from './read-tree-nodes.ts';

/** What one run did. */
export interface TilesReport {
  readonly size: number;
  /** Files that were not there before, the checkpoint included. */
  readonly written: number;
}

/**
 * The checkpoint comes last, so that nobody sees one whose tiles are missing. Throws `StoreError`
 * when the folder holds another log, more of this one, or another history of it.
 */
export async function writeTiles(
  log: { readonly store: Store; readonly origin: string; readonly checkpoint: SignedCheckpoint },
  folder: string,
): Promise<TilesReport> {
  const { store, checkpoint } = log;
  const { size, root } = checkpoint;
  if (!isSameHash(await readRootAt(store, size), root)) {
    throw refused(
      'LOG_FORKED',
      'the store is not what its checkpoint says: run `intentplane fsck`',
    );
  }
  await checkFolder(log, join(folder, 'checkpoint'));
  let written = 0;
  for (const tile of tilesOf(size)) written += await writeTile(store, folder, tile);
  const isNew = writeWhole(join(folder, 'checkpoint'), Buffer.from(checkpoint.note));
  return { size, written: written + (isNew ? 1 : 0) };
}

/** What the folder says already must be the beginning of this log. */
async function checkFolder(
  log: { readonly store: Store; readonly origin: string; readonly checkpoint: SignedCheckpoint },
  path: string,
): Promise<void> {
  if (!existsSync(path)) return;
  const there = readCheckpoint(path);
  if (there?.origin !== log.origin) {
    const whose = there === undefined ? 'something else' : `the log \`${there.origin}\``;
    throw refused('LOG_FORKED', `\`${path}\` is of ${whose}: give each log a folder of its own`);
  }
  if (there.size > log.checkpoint.size) {
    const sizes = `${there.size} receipts, the store ${log.checkpoint.size}`;
    throw refused('LOG_BEHIND_CHECKPOINT', `\`${path}\` has ${sizes}: the store is an old copy`);
  }
  if (!isSameHash(await readRootAt(log.store, there.size), there.root)) {
    throw refused(
      'LOG_FORKED',
      `\`${path}\` is of another history of this log: keep it as evidence`,
    );
  }
}

function readCheckpoint(path: string): Checkpoint | undefined {
  const note = parseNote(readFileSync(path, 'utf8'));
  const checkpoint = note.ok ? parseCheckpoint(note.value.text) : undefined;
  return checkpoint?.ok === true ? checkpoint.value : undefined;
}

async function writeTile(store: Store, folder: string, tile: TileName): Promise<number> {
  const path = join(folder, tilePath(tile));
  if (tile.level !== 0) {
    if (existsSync(path)) return 0;
    return writeWhole(path, Buffer.concat(await readHashes(store, tile))) ? 1 : 0;
  }
  const entries = join(folder, tilePath({ ...tile, level: 'entries' }));
  if (existsSync(path) && existsSync(entries)) return 0;
  const { index, width } = tile;
  const leaves = await store.readLeaves({ from: index * tileWidth, count: width });
  const changed = leaves.find(({ bytes, hash }) => !isSameHash(leafHash(bytes), hash));
  if (changed !== undefined) {
    const words = `leaf ${changed.seq} has other bytes than its hash: run \`intentplane fsck\``;
    throw refused('LOG_FORKED', words);
  }
  const isNew = [
    writeWhole(entries, encodeEntryBundle(leaves.map(({ bytes }) => bytes))),
    writeWhole(path, Buffer.concat(leaves.map(({ hash }) => hash))),
  ];
  return isNew.filter(Boolean).length;
}

/** Roots of full tiles of the level below. */
function readHashes(store: Store, { level, index, width }: TileName): Promise<Uint8Array[]> {
  return Promise.all(
    Array.from({ length: width }, (_unused, i) =>
      store.readNode(Number(level) * 8, index * tileWidth + i),
    ),
  );
}

/** The whole file or none; false when it was there with these bytes. */
function writeWhole(path: string, bytes: Uint8Array): boolean {
  if (existsSync(path) && readFileSync(path).equals(bytes)) return false;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, path);
  return true;
}

const refused = (code: StoreErrorCode, message: string): StoreError =>
  new StoreError(code, message);
