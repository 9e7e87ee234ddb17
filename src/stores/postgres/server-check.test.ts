import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import type { Connection } from './connection.ts';
import { checkServer } from './server-check.ts';

/** A server that says this about itself, without our tables. */
const serverWith = (over: {
  readonly number?: number;
  readonly version?: string;
  readonly encoding?: string;
  readonly settings?: readonly [string, string, string];
}): Connection => {
  const { number = 150_000, version = '15.0', encoding = 'UTF8' } = over;
  const settings = over.settings ?? ['on', 'on', 'on'];
  const rows = [[number, version, encoding, ...settings, false]];
  return { query: async () => ({ rows }) } as unknown as Connection;
};

describe('checkServer', () => {
  verifies(
    'EXE-27',
    'refuses a server that is too old, and names the version to have',
    async () => {
      const old = serverWith({ number: 140_013, version: '14.13' });
      await expect(checkServer(old)).rejects.toMatchObject({
        code: 'STORE_FAILED',
        fatal: true,
        message: 'PostgreSQL 14.13 is too old: 15 or later is needed',
      });
      expect(await checkServer(serverWith({}))).toMatchObject({ version: '15.0', schema: 0 });
    },
  );

  verifies('EXE-27', 'refuses each setting that may lose commits', async () => {
    for (const [at, name] of ['fsync', 'full_page_writes', 'synchronous_commit'].entries()) {
      const settings = ['on', 'on', 'on'].map((value, i) => (i === at ? 'off' : value));
      const server = serverWith({ settings: settings as [string, string, string] });
      await expect(checkServer(server)).rejects.toThrow(`runs with ${name} = off`);
    }
    const strict = serverWith({ settings: ['on', 'on', 'remote_apply'] });
    expect(await checkServer(strict)).toMatchObject({
      settings: { synchronous_commit: 'remote_apply' },
    });
  });

  it('refuses a database that cannot hold every text', async () => {
    await expect(checkServer(serverWith({ encoding: 'LATIN1' }))).rejects.toThrow(
      "create it with ENCODING 'UTF8'",
    );
  });
});
