// A migration that was released never changes: a store that ran it would not be what the code expects.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readRepositoryFile, repositoryFiles } from '../source-files.ts';

const folder = 'src/stores/sqlite/migrations';

describe('migrations', () => {
  it('are these, byte for byte', () => {
    const files = repositoryFiles(folder).filter((path) => path.endsWith('.sql'));
    const hashes = files.map((path) => [
      path.slice(folder.length + 1),
      createHash('sha256').update(readRepositoryFile(path)).digest('hex'),
    ]);
    expect(hashes).toEqual([
      ['0001-start.sql', '2a1da2a794609f245a6496b92a1a1eaef02afc4aa19dc496e18eef21f774277c'],
    ]);
  });
});
