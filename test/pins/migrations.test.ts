// A migration that was released never changes: a store that ran it would not be what the code expects.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readRepositoryFile, repositoryFiles } from '../source-files.ts';

const released: Readonly<Record<string, readonly (readonly [file: string, sha256: string])[]>> = {
  sqlite: [
    ['0001-start.sql', '2a1da2a794609f245a6496b92a1a1eaef02afc4aa19dc496e18eef21f774277c'],
    ['0004-log-history.sql', '271c3c875a888b800aafd1de102ed5a5593b658b17d1ba3840364fe046f8aadf'],
  ],
  postgres: [
    ['0001-start.sql', '021b175bdae9a2ad4147c8e9b623a27a1b5bbb42f4a133ccb8fbf82f41356c7b'],
    ['0004-log-history.sql', 'e7021c00f1bf2f8f3ca416c172e026b266add12482295e6575051ded40bc2444'],
  ],
};

describe('migrations', () => {
  it.each(Object.entries(released))('of %s are these, byte for byte', (store, expected) => {
    const folder = `src/stores/${store}/migrations`;
    const files = repositoryFiles(folder).filter((path) => path.endsWith('.sql'));
    const hashes = files.map((path) => [
      path.slice(folder.length + 1),
      createHash('sha256').update(readRepositoryFile(path)).digest('hex'),
    ]);
    expect(hashes).toEqual(expected);
  });
});
