// Rounds against a real witness in this process, and against servers that answer something else.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { createWitnessServer } from '../http/witness-server.ts';
import { signCheckpoint } from '../receipts/sign-checkpoint.ts';
import { parseNote, verifyNote } from '../receipts/signed-note.ts';
import { createLogKey, createVerifierKey } from '../receipts/verifier-key.ts';
import { openSqliteStore } from '../stores/sqlite/sqlite-store.ts';
import { openWitnessFile } from '../stores/sqlite/witness-file.ts';
import type { SignedCheckpoint, Store, StoreSettings } from '../stores/store.ts';
import { OpenedStore } from '../testing/opened-store.ts';
import { createTestSigner } from '../testing/test-bundle.ts';
import { compareWithWitness } from './compare-with-witness.ts';
import { WitnessLink } from './witness-link.ts';
import { WitnessRounds } from './witness-rounds.ts';

const origin = 'example.com/gateway';
const signer = createTestSigner(1);
const logKey = await createLogKey(origin, signer.publicKey);
const cosigner = createTestSigner(2);
const witnessKey = await createVerifierKey({
  name: 'w.example',
  type: 0x04,
  publicKey: cosigner.publicKey,
});
const minuteMs = 60_000;

let folder: string;
let closing: (() => unknown)[];
let clockMs: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rounds-'));
  closing = [];
  clockMs = 1_800_000_000_000;
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true });
});

async function open(name = 'store.db'): Promise<OpenedStore> {
  const place = {
    isDurable: true,
    open: (settings: StoreSettings): Store => openSqliteStore(join(folder, name), settings),
    remove: (): void => {},
  };
  const opened = await OpenedStore.open(place);
  closing.push(() => opened.store.close());
  return opened;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function startWitness(): Promise<string> {
  const store = openWitnessFile(join(folder, 'witness.db'));
  closing.push(() => store.close());
  return listen(
    createWitnessServer({
      store,
      logs: new Map([[origin, [logKey]]]),
      keys: [{ key: witnessKey, signer: cosigner }],
      algorithms: {},
      nowMs: () => clockMs,
      timeoutMs: 1_000,
      log: () => {},
    }),
  );
}

/** Answers every request like this. */
const startServer = (answer: RequestListener): Promise<string> => listen(createServer(answer));

const sign = ({ store }: OpenedStore): Promise<SignedCheckpoint> =>
  store.checkpoint((size, root) => signCheckpoint({ size, root }, logKey, signer));

interface Watched {
  readonly rounds: WitnessRounds;
  readonly lines: string[];
  readonly fatal: unknown[];
  /** Signs what is there and waits for the rounds that are due. */
  show(): Promise<void>;
}

async function watch(opened: OpenedStore, url: string, blockAfterMs?: number): Promise<Watched> {
  const lines: string[] = [];
  const fatal: unknown[] = [];
  const rounds = await WitnessRounds.open({
    links: [new WitnessLink({ name: 'one', url, keys: [witnessKey] }, {})],
    log: { store: opened.store, keys: [logKey], origin, algorithms: {} },
    blockAfterMs,
    nowMs: () => clockMs,
    report: (level, line) => lines.push(`${level} ${line}`),
    onFatal: (error) => fatal.push(error),
  });
  const show = async (): Promise<void> => {
    rounds.offer(await sign(opened));
    await rounds.settle();
  };
  return { rounds, lines, fatal, show };
}

const grow = async (opened: OpenedStore, count = 1): Promise<void> => {
  for (let i = 0; i < count; i += 1) await opened.decide(opened.proposal());
};

const alarms = async (opened: OpenedStore): Promise<number> =>
  (await opened.allLeaves()).filter(({ type }) => type === 'alarm').length;

describe('WitnessRounds', () => {
  verifies(
    'RCP-22',
    'keeps what the witness signs with the checkpoint, once a minute',
    async () => {
      const opened = await open();
      const { show, lines } = await watch(opened, await startWitness());
      await show();
      const first = await opened.store.readCosigned();
      const note = parseNote(first?.note ?? '');
      const keys = [logKey, witnessKey];
      expect(note.ok && (await verifyNote(note.value, keys))).toEqual({ ok: true, value: keys });
      await grow(opened);
      clockMs += minuteMs - 1;
      await show();
      expect((await opened.store.readCosigned())?.size).toBe(first?.size);
      clockMs += 1;
      await show();
      expect((await opened.store.readCosigned())?.size).toBe((await sign(opened)).size);
      expect(lines).toEqual([]);
    },
  );

  it('goes on from what the store knows, and from what the witness knows', async () => {
    const opened = await open();
    const url = await startWitness();
    await (await watch(opened, url)).show();
    await grow(opened, 3);
    await (await watch(opened, url)).show();
    // Another process of this log was faster.
    const slow = await watch(opened, url);
    await grow(opened);
    await (await watch(opened, url)).show();
    await slow.show();
    expect(slow.lines).toEqual([]);
    expect((await opened.store.readCosigned())?.size).toBe((await sign(opened)).size);
  });

  it('raises one alarm when a witness fails, and one more only after it worked', async () => {
    const opened = await open();
    let isDown = true;
    const real = await startWitness();
    const url = await startServer((request, response) => {
      if (isDown) response.writeHead(503).end();
      else void relay(real, request, response);
    });
    const { show, lines } = await watch(opened, url);
    for (let i = 0; i < 3; i += 1) {
      await show();
      clockMs += minuteMs;
    }
    expect(lines).toEqual(['error witness `one` answered 503']);
    expect(await alarms(opened)).toBe(1);
    isDown = false;
    await show();
    expect(lines.at(-1)).toBe('info witness `one` cosigns again');
    isDown = true;
    await grow(opened);
    clockMs += minuteMs;
    await show();
    expect(await alarms(opened)).toBe(2);
  });

  verifies(
    'RCP-14',
    'stops when the witness saw more of this log, or another history',
    async () => {
      const url = await startWitness();
      const first = await open('first.db');
      const second = await open('second.db');
      const one = await watch(first, url);
      const two = await watch(second, url);
      await grow(first, 3);
      await one.show();
      await two.show();
      expect(two.fatal).toMatchObject([{ code: 'LOG_BEHIND_CHECKPOINT', fatal: true }]);
      await grow(second, 9);
      clockMs += minuteMs;
      await two.show();
      expect(two.fatal.at(-1)).toMatchObject({ code: 'LOG_FORKED', fatal: true });
      // Nothing was written to the wrong log, and the right one goes on.
      expect(await alarms(second)).toBe(0);
      await grow(first, 1);
      clockMs += minuteMs;
      await one.show();
      expect([one.fatal, one.lines]).toEqual([[], []]);
    },
  );

  verifies('RCP-14', 'is not stopped by a witness that shows no signature of ours', async () => {
    const opened = await open();
    const claims: [RequestListener, string][] = [
      [(_request, response) => response.writeHead(409).end('9000\n'), 'answered 409'],
      [lie('9000\n', 404, ''), 'and does not show it'],
      [lie('9000\n', 200, forged), 'shows a checkpoint that this log did not sign'],
      [lie('9000\n', 200, 'x'), 'shows a checkpoint that this log did not sign'],
    ];
    for (const [answer, words] of claims) {
      const { show, fatal, lines } = await watch(opened, await startServer(answer));
      await show();
      expect(fatal).toEqual([]);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(words);
    }
  });

  it('takes no answer that is none', async () => {
    const opened = await open();
    const { key, signer: other } = { key: witnessKey, signer: createTestSigner(3) };
    const wrong = signCheckpoint({ size: 1, root: new Uint8Array(32) }, key, other).split(
      '\n\n',
    )[1];
    const answers: [number, string, string][] = [
      [200, '', 'no signature lines'],
      [200, '— stranger AAAAAAAA\n', 'without a line of its keys'],
      [200, wrong ?? '', 'a signature that does not hold'],
      [200, 'x'.repeat(200_000), 'too much'],
      [409, '', '409 without a size'],
      [409, '-1\n', '409 without a size'],
      [409, '9007199254740993\n', '409 without a size'],
      [301, '', 'unexpected redirect'],
      [404, '', 'answered 404'],
      [422, '', 'does not extend what it saw'],
    ];
    for (const [status, text, words] of answers) {
      const url = await startServer((request, response) => {
        if (request.method === 'GET') response.writeHead(404).end();
        else response.writeHead(status).end(text);
      });
      const { show, lines } = await watch(opened, url);
      await show();
      expect(lines[0], `${status} ${text.slice(0, 20)}`).toContain(words);
    }
    const { show, lines } = await watch(opened, 'http://127.0.0.1:1');
    await show();
    expect(lines[0]).toContain('cannot be asked');
  });

  it('follows a size that changes, but not for ever', async () => {
    const opened = await open();
    await grow(opened, 2);
    let size = 0;
    const url = await startServer((_request, response) => {
      size += 1;
      response.writeHead(409).end(`${size}\n`);
    });
    const { show, lines } = await watch(opened, url);
    await show();
    expect(lines[0]).toContain('another size each time');
    expect(size).toBe(3);
  });

  verifies(
    'RCP-22',
    'says when receipts wait longer than is allowed, across restarts',
    async () => {
      const opened = await open();
      const blockAfterMs = 2 * minuteMs;
      const down = await watch(opened, 'http://127.0.0.1:1', blockAfterMs);
      clockMs = opened.clock.nowMs + blockAfterMs;
      await down.show();
      expect(down.rounds.isBehind).toBe(false);
      clockMs += 1;
      expect(down.rounds.isBehind).toBe(true);
      const again = await watch(opened, await startWitness(), blockAfterMs);
      expect(again.rounds.isBehind).toBe(true);
      await again.show();
      expect(again.rounds.isBehind).toBe(false);
      // A log at rest waits for nobody, however long.
      clockMs += 60 * minuteMs;
      expect(again.rounds.isBehind).toBe(false);
      const unbounded = await watch(opened, 'http://127.0.0.1:1');
      await grow(opened);
      await unbounded.show();
      clockMs += 60 * minuteMs;
      expect(unbounded.rounds.isBehind).toBe(false);
    },
  );
});

describe('compareWithWitness', () => {
  it('says what size the witness saw', async () => {
    const opened = await open();
    const url = await startWitness();
    const link = new WitnessLink({ name: 'one', url, keys: [witnessKey] }, {});
    const log = { store: opened.store, keys: [logKey], origin, algorithms: {} };
    expect(await compareWithWitness(link, log)).toBe(0);
    await (await watch(opened, url)).show();
    const { size } = await sign(opened);
    await grow(opened, 4);
    expect(await compareWithWitness(link, log)).toBe(size);
  });
});

const forged = signCheckpoint(
  { size: 9_000, root: new Uint8Array(32) },
  logKey,
  createTestSigner(9),
);

/** Claims a size, and shows something when it is asked for it. */
function lie(size: string, status: number, shown: string): RequestListener {
  return (request, response) => {
    if (request.method === 'POST') response.writeHead(409).end(size);
    else response.writeHead(status).end(shown);
  };
}

const relay = async (
  url: string,
  request: Parameters<RequestListener>[0],
  response: Parameters<RequestListener>[1],
): Promise<void> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = 'GET' } = request;
  const body = method === 'POST' ? { body: Buffer.concat(chunks) } : {};
  const answer = await fetch(url + request.url, { method, ...body });
  response.writeHead(answer.status).end(await answer.text());
};
