import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { base, configOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import type { LeafDraft } from '../core/leaf.ts';
import { DiskWatch, freeBytes, storeFolder } from './watch-disk.ts';

const gib = 1_073_741_824;

describe('DiskWatch', () => {
  verifies('EXE-31', 'warns once below 1 GiB, and again after there was room', async () => {
    const leaves: LeafDraft[] = [];
    const lines: string[] = [];
    let free = gib;
    const watch = new DiskWatch(
      { appendLeaves: async (drafts) => void leaves.push(...drafts) },
      '/data',
      { free: async () => free, log: (_level, line) => void lines.push(line) },
    );
    const at = async (bytes: number): Promise<number> => {
      free = bytes;
      await watch.check();
      return leaves.length;
    };
    expect(await at(gib)).toBe(0);
    expect(await at(gib - 1)).toBe(1);
    expect(await at(0)).toBe(1);
    // A disk that swings around the limit fills no log.
    expect(await at(gib + 1)).toBe(1);
    expect(await at(gib - 1)).toBe(1);
    expect(await at(2 * gib)).toBe(1);
    expect(await at(5_000_000)).toBe(2);
    expect(leaves.map(({ open }) => open)).toEqual([
      { kind: 'disk_low', figures: { free_mib: 1_023 } },
      { kind: 'disk_low', figures: { free_mib: 4 } },
    ]);
    expect(lines[0]).toBe(
      '1023 MiB are free on the disk of the store `/data`: free some space, a full disk refuses every call',
    );
  });

  it('asks the system, and only about a store that lies in a file', async () => {
    expect(await freeBytes(tmpdir())).toBeGreaterThan(0);
    const storeOf = (store: string): string | undefined =>
      storeFolder(configOf(`${base}[gateway]\nstore = "${store}"\n`));
    expect(storeOf('sqlite:/var/data/store.db')).toBe('/var/data');
    expect(storeOf('postgres://gateway@localhost/x')).toBeUndefined();
  });
});
