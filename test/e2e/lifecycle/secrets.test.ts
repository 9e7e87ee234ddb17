// Where values of calls and of the configuration may not appear (F-32): log, receipts, copies,
// errors; and that every file of ours belongs to its owner alone.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stubWorld } from '../../fixtures/product/stub-world.ts';
import { codeOf, decisionOf, type RunResult, type World } from '../../fixtures/product/world.ts';
import { verifies } from '../../requirements/verifies.ts';

const sentinel = 'SENTINEL-9f2c';
const text = { type: 'string' };
const tool = {
  name: 'sync',
  inputSchema: {
    type: 'object',
    properties: {
      target: text,
      apiKey: text,
      headers: { type: 'object', additionalProperties: text },
      settings: { type: 'object', additionalProperties: true },
      text,
    },
    required: ['target'],
  },
};
const call = {
  apiKey: `${sentinel}-1`,
  headers: { Authorization: `Bearer ${sentinel}-2` },
  settings: { credential: `${sentinel}-3`, endpointAuth: [`${sentinel}-4`] },
  text: `the code is ${sentinel}-5`,
};

let world: World;
let stderr = '';
let opIds: readonly string[] = [];

beforeAll(async () => {
  world = stubWorld({
    stubTools: [tool],
    gateway: '[gateway]\nname = "secrets"\ndata = "data"\n[gateway.log]\nlevel = "debug"',
    registries: '[registries.targets]\nfile = "targets.json"',
    defaults: '[defaults]\nreceipts = "mirror.jsonl"',
    serverKeys: `env = { LEDGER_TOKEN = "${sentinel}-6" }`,
    tools: `[[tools]]
server = "stub"
tool = "sync"
undeclared = "free"
[tools.params.target]
critical = true
sources = ["registry:targets"]
[tools.params.text]
text = "free"`,
  });
  world.write('targets.json', JSON.stringify({ known: 'known' }));
  const client = await world.start();
  const allowed = await client.callTool('sync', { target: 'known', ...call });
  const denied = await client.callTool('sync', { target: `${sentinel}-7`, ...call });
  const wrong = await client.callTool('sync', { target: 'known', ...call, [`${sentinel}-8`]: 1 });
  expect([allowed, denied, wrong].map(codeOf)).toEqual([
    'executed',
    'PROVENANCE_UNTRUSTED',
    'CONTRACT_UNEXPECTED_VALUE',
  ]);
  const { stderr: log } = await client.close().then(() => client);
  stderr = log;
  opIds = (await world.receipts()).flatMap(({ type, op_id: id }) =>
    type === 'proposal' && id !== undefined ? [id] : [],
  );
  expect(decisionOf(denied)?.decision_id).toBe(opIds[1]);
}, 60_000);
afterAll(() => world.close());

describe('values of calls', () => {
  verifies('RCP-04', 'stand neither in the log nor in any receipt nor in its copy', async () => {
    expect(stderr).toContain('decision=allow');
    expect(stderr).not.toContain(sentinel);
    const shown = await world.runHere(['receipts', 'show', '--json']);
    expect(shown.stdout).not.toContain(sentinel);
    const database = new DatabaseSync(world.path('data/store.db'), { readOnly: true });
    const leaves = database.prepare('SELECT bytes FROM leaf').all();
    database.close();
    expect(leaves.length).toBeGreaterThan(8);
    for (const { bytes } of leaves) {
      expect(Buffer.from(bytes as Uint8Array).toString('utf8')).not.toContain(sentinel);
    }
    const mirror = readFileSync(world.path('mirror.jsonl'), 'utf8');
    expect(mirror.split('\n').length).toBeGreaterThan(3);
    expect(mirror).not.toContain(sentinel);
  });

  verifies('RCP-05', 'leave with a bundle only when they are disclosed', async () => {
    const bundles = (more: readonly string[]): Promise<RunResult> =>
      world.runHere(['receipts', 'export', '--op', opIds[0] ?? '', '--json', ...more]);
    const closed = await bundles(['--closed']);
    expect(closed.code).toBe(0);
    expect(closed.json.bundles.length).toBeGreaterThanOrEqual(4);
    expect(closed.stdout).not.toContain(sentinel);
    expect((await bundles([])).stdout).toContain(sentinel);
  });

  it('reach the server all the same', () => {
    expect(readFileSync(world.effectsFile, 'utf8')).toContain(`${sentinel}-4`);
  });
});

describe('files of ours', () => {
  it('belong to their owner alone', () => {
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    const data = world.path('data');
    expect(modeOf(data)).toBe('700');
    const files = readdirSync(data);
    expect(files).toEqual(expect.arrayContaining(['store.db', 'log-key.pem']));
    for (const file of files) expect([file, modeOf(`${data}/${file}`)]).toEqual([file, '600']);
    expect(modeOf(world.path('mirror.jsonl'))).toBe('600');
  });
});
