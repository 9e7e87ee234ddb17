// What a machine can get wrong: a port that is taken, a folder or a store that cannot be used. Exit
// code 3 with the thing and the fix, or another way that is announced; no server outlives it.
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { parseLink, readPage } from '../../fixtures/product/answer-on-page.ts';
import { decisionOf, World } from '../../fixtures/product/world.ts';
import { passcodeTable, vendorIban } from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
afterEach(() => world.close());

/** The start ends with exit code 3, one line, no effect and no process left. */
async function expectNoStart(words: readonly string[]): Promise<void> {
  const client = await world.start({ isRaw: true });
  const { code } = await client.exited;
  client.trackProcesses();
  const line = client.stderr.split('\n').find((each) => words.every((word) => each.includes(word)));
  expect(line, `${words.join(' … ')} in\n${client.stderr}`).toBeDefined();
  expect(client.stderr).not.toMatch(/^\s+at /m);
  expect(code).toBe(3);
  expect(client.lines).toEqual([]);
  expect(existsSync(world.effectsFile)).toBe(false);
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1' }, () => resolve(server));
  });
}

describe('a port that is taken', () => {
  verifies('CLI-06', 'the page moves to another one, and every link names it', async () => {
    const holder = await listen(0);
    const { port } = holder.address() as { port: number };
    try {
      world = new World({ approvals: await passcodeTable(`listen = "127.0.0.1:${port}"`) });
      const client = await world.start();
      const answer = await client.callTool('pay', { recipient: vendorIban, amount: 500 });
      const link = parseLink(decisionOf(answer)?.approval?.url ?? '');
      expect(link.port).not.toBe(port);
      expect(client.stderr).toContain(`port ${port} cannot be used`);
      expect(await readPage(link)).toContain('DE89 3704 0044 0532 0130 00');
      const status = await client.callTool('intentplane_status', {});
      expect(status.result.structuredContent.pending[0].url).toContain(`localhost:${link.port}/`);
    } finally {
      holder.close();
    }
  });
});

describe('a data folder that cannot be used', () => {
  verifies('EXE-23', 'a file in its place', async () => {
    world = new World();
    world.write('data', 'not a folder');
    await expectNoStart([world.path('data')]);
  });

  verifies('EXE-23', 'a folder without the right to write', async () => {
    world = new World();
    mkdirSync(world.path('data'), { mode: 0o500 });
    await expectNoStart([world.path('data'), 'chmod 700']);
  });

  verifies('EXE-23', 'a folder that others may read', async () => {
    world = new World();
    mkdirSync(world.path('data'));
    chmodSync(world.path('data'), 0o755);
    await expectNoStart([world.path('data'), 'open to others', 'chmod 700']);
  });

  it.runIf(process.platform === 'linux')('a place where nothing can be made', async () => {
    world = new World({ gateway: '[gateway]\ndata = "/proc/intentplane/data"' });
    await expectNoStart(['/proc/intentplane/data', 'gateway.data']);
  });

  it('a dangling link', async () => {
    world = new World();
    symlinkSync(world.path('nowhere/else'), world.path('data'));
    await expectNoStart([world.path('data')]);
  });
});

describe('a store that cannot be used', () => {
  async function makeStore(): Promise<string> {
    world = new World();
    expect((await world.runHere(['receipts', 'show'])).code).toBe(0);
    return world.path('data/store.db');
  }

  verifies('EXE-23', 'one that a newer version wrote: both versions are named', async () => {
    const store = await makeStore();
    const database = new DatabaseSync(store);
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    database.exec(`PRAGMA user_version = ${version + 1}`);
    database.close();
    await expectNoStart([`version ${version + 1}`, `up to ${version}`, 'update intentplane']);
    const show = await world.runHere(['receipts', 'show', '--json']);
    expect(show.code).toBe(3);
    expect(show.json).toMatchObject({ ok: false });
  });

  verifies('EXE-23', 'a database of something else is left as it is', async () => {
    world = new World();
    mkdirSync(world.path('data'), { mode: 0o700 });
    const database = new DatabaseSync(world.path('data/store.db'));
    database.exec('CREATE TABLE other (n INTEGER)');
    database.close();
    chmodSync(world.path('data/store.db'), 0o600);
    await expectNoStart(['store.db', 'something else']);
    const after = new DatabaseSync(world.path('data/store.db'));
    const tables = after.prepare('SELECT name FROM sqlite_master').all();
    after.close();
    expect(tables.map(({ name }) => name)).toEqual(['other']);
  });

  it('a file that is no database', async () => {
    world = new World();
    mkdirSync(world.path('data'), { mode: 0o700 });
    world.write('data/store.db', 'x'.repeat(5_000));
    await expectNoStart(['the store failed']);
  });

  verifies('EXE-23', 'one that others may read', async () => {
    const store = await makeStore();
    chmodSync(store, 0o644);
    await expectNoStart([store, 'open to others', 'chmod 600']);
  });

  verifies('RCP-13', 'a log that was changed behind our back', async () => {
    const store = await makeStore();
    const database = new DatabaseSync(store);
    database.exec('UPDATE log_state SET root = zeroblob(32)');
    database.close();
    await expectNoStart(['log']);
  });
});

describe('a key that cannot be used', () => {
  const keyPath = 'data/log-key.pem';

  it('one that others may read: the fix is named, and no server is left', async () => {
    world = new World();
    expect((await world.runHere(['receipts', 'export', '--trust'])).code).toBe(0);
    chmodSync(world.path(keyPath), 0o644);
    await expectNoStart([world.path(keyPath), 'chmod 600']);
  });

  it('one that is no key', async () => {
    world = new World();
    expect((await world.runHere(['receipts', 'export', '--trust'])).code).toBe(0);
    rmSync(world.path(keyPath));
    writeFileSync(world.path(keyPath), 'no key', { mode: 0o600 });
    await expectNoStart([world.path(keyPath), 'PKCS#8']);
  });
});
