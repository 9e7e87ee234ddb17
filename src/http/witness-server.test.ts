import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { consistencyPath } from '../core/merkle.ts';
import { sha256Hex } from '../core/sha256.ts';
import { formatAddCheckpoint } from '../receipts/add-checkpoint.ts';
import type { CosigningKey } from '../receipts/cosign-note.ts';
import { parseNote, verifyNote } from '../receipts/signed-note.ts';
import { createVerifierKey } from '../receipts/verifier-key.ts';
import { openWitnessFile } from '../stores/sqlite/witness-file.ts';
import type { WitnessStore } from '../stores/witness-store.ts';
import { createTestLog, createTestSigner } from '../testing/test-bundle.ts';
import { createWitnessServer } from './witness-server.ts';

const log = await createTestLog();
log.fill(40);
const { name: origin } = log.key;
const fork = await createTestLog();
fork.fill(3);
fork.appendBytes(Buffer.from('another history'));
fork.fill(40);
const timeoutMs = 300;

const keys = await Promise.all([31, 32].map(makeKey));

async function makeKey(seed: number): Promise<CosigningKey> {
  const signer = createTestSigner(seed);
  const { publicKey } = signer;
  return { key: await createVerifierKey({ name: `w${seed}`, type: 0x04, publicKey }), signer };
}

let folder: string;
let store: WitnessStore;
let server: Server;
let url: string;
let lines: string[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'witness-'));
  store = openWitnessFile(join(folder, 'witness.db'));
  lines = [];
  server = createWitnessServer({
    store,
    logs: new Map([[origin, [log.key]]]),
    keys,
    algorithms: {},
    nowMs: () => 1_790_000_000_999,
    timeoutMs,
    log: (level, line) => lines.push(`${level} ${line}`),
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  store.close();
  rmSync(folder, { recursive: true });
});

const bodyOf = (oldSize: number, size: number, of = log): string =>
  formatAddCheckpoint({
    oldSize,
    path: consistencyPath(oldSize, size, of.readNode),
    checkpoint: of.checkpoint(size),
  });

const post = (body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
  fetch(`${url}/add-checkpoint`, { method: 'POST', body });

const pagePath = `/${sha256Hex(origin)}/checkpoint`;

describe('createWitnessServer', () => {
  verifies('RCP-22', 'cosigns what extends what it saw, one line per key', async () => {
    const answer = await post(bodyOf(0, 7));
    expect(answer.status).toBe(200);
    const added = await answer.text();
    const note = parseNote(log.checkpoint(7) + added);
    const all = keys.map(({ key }) => key);
    expect(note.ok && (await verifyNote(note.value, all))).toEqual({ ok: true, value: all });
    expect((await post(bodyOf(7, 12))).status).toBe(200);
    expect((await post(bodyOf(12, 12))).status).toBe(200);
    expect(store.read(origin)?.size).toBe(12);
  });

  verifies('RCP-22', 'gives each status of the protocol', async () => {
    const statusOf = async (body: string): Promise<number> => (await post(body)).status;
    await post(bodyOf(0, 7));
    expect(await statusOf('old 0\n')).toBe(400);
    expect(await statusOf(bodyOf(7, 9).replace('old 7', 'old 10'))).toBe(400);
    const stranger = await createTestLog({ origin: 'stranger.example' });
    stranger.fill(1);
    expect(await statusOf(bodyOf(0, 1, stranger))).toBe(404);
    const thief = await createTestLog({ seed: 2 });
    thief.fill(9);
    expect(await statusOf(bodyOf(7, 9, thief))).toBe(403);
    expect(await statusOf(bodyOf(7, 9, fork))).toBe(422);
    expect(await statusOf(bodyOf(7, 7, fork))).toBe(422);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('inconsistent');
    expect(store.read(origin)?.size).toBe(7);
    const conflict = await post(bodyOf(3, 9));
    expect(conflict.status).toBe(409);
    expect(conflict.headers.get('content-type')).toBe('text/x.tlog.size');
    expect(await conflict.text()).toBe('7\n');
  });

  it('says 409 and 0 to an old size of a log that it never saw', async () => {
    const answer = await post(bodyOf(3, 9));
    expect([answer.status, await answer.text()]).toEqual([409, '0\n']);
  });

  verifies('RCP-22', 'cosigns only one of many submissions that arrive at once', async () => {
    await post(bodyOf(0, 5));
    const sizes = Array.from({ length: 30 }, (_unused, i) => 6 + i);
    const answers = await Promise.all(sizes.map((size) => post(bodyOf(5, size))));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(29);
    expect(store.read(origin)?.size).toBe(sizes[statuses.indexOf(200)]);
  });

  it('shows the newest checkpoint with the lines of log and witness', async () => {
    expect((await fetch(url + pagePath)).status).toBe(404);
    await post(bodyOf(0, 7));
    const answer = await fetch(url + pagePath);
    const note = parseNote(await answer.text());
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(note.ok && note.value.signatures.map(({ name }) => name)).toEqual([
      origin,
      'w31',
      'w32',
    ]);
    const head = await fetch(url + pagePath, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('refuses other paths and methods', async () => {
    const statusOf = async (path: string, method: string): Promise<number> =>
      (await fetch(url + path, { method })).status;
    expect(await statusOf('/', 'GET')).toBe(404);
    expect(await statusOf('/add-checkpoint/', 'POST')).toBe(404);
    expect(await statusOf('/add-checkpoint?x', 'POST')).toBe(404);
    expect(await statusOf(`/${'0'.repeat(64)}/checkpoint`, 'GET')).toBe(404);
    expect(await statusOf('/add-checkpoint', 'GET')).toBe(405);
    expect(await statusOf('/add-checkpoint', 'PUT')).toBe(405);
    expect(await statusOf(pagePath, 'POST')).toBe(405);
  });

  it('refuses bytes that are no text, and bodies that are too large', async () => {
    expect((await post(Uint8Array.of(0xff, 0xfe))).status).toBe(400);
    expect((await post('x'.repeat(65_537))).status).toBe(413);
    expect((await post('x'.repeat(65_536))).status).toBe(400);
  });

  it('ends a request whose body does not come', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /add-checkpoint HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nold');
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      socket.once('close', () => resolve(text));
    });
    expect(answer).toContain('HTTP/1.1 408');
  });

  it('says 500 and why, to its operator only, when its memory fails', async () => {
    store.close();
    const answer = await post(bodyOf(0, 7));
    expect([answer.status, await answer.text()]).toEqual([500, '']);
    expect(lines[0]).toContain('error a request failed');
    store = openWitnessFile(join(folder, 'witness.db'));
  });
});
