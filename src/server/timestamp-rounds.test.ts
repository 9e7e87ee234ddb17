// Rounds against an authority made of `openssl`, and against servers that answer something else.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TimeStampingAuthority } from '../../test/fixtures/time-stamping-authority.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { signCheckpoint } from '../receipts/sign-checkpoint.ts';
import * as timestamps from '../receipts/timestamp-token.ts';
import { createLogKey } from '../receipts/verifier-key.ts';
import { createMemoryStore } from '../stores/memory/memory-store.ts';
import { OpenedStore } from '../testing/opened-store.ts';
import { createTestSigner } from '../testing/test-bundle.ts';
import { TimestampLink } from './timestamp-link.ts';
import { TimestampRounds } from './timestamp-rounds.ts';

const authority = new TimeStampingAuthority();
afterAll(() => authority.close());
const signer = createTestSigner(1);
const logKey = await createLogKey('example.com/gateway', signer.publicKey);
const minuteMs = 60_000;
type Answer = NonNullable<Parameters<TimeStampingAuthority['listen']>[0]>;

let opened: OpenedStore;
let clockMs: number;
let lines: string[];
let queries: number;
beforeEach(async () => {
  opened = await OpenedStore.open({
    isDurable: false,
    open: (settings) => createMemoryStore(settings),
    remove: () => {},
  });
  clockMs = 1_800_000_000_000;
  lines = [];
  queries = 0;
});
afterEach(() => opened.store.close());

/** Signs what is there and waits for the round that is due. */
type Show = () => Promise<void>;

async function watch(answer: Answer, timeoutMs = 10_000): Promise<Show> {
  const url = await authority.listen((query, response) => {
    queries += 1;
    answer(query, response);
  });
  return watchAt(url, timeoutMs);
}

function watchAt(url: string, timeoutMs = 10_000): Show {
  const rounds = new TimestampRounds({
    link: new TimestampLink(url, timestamps, timeoutMs),
    store: opened.store,
    nowMs: () => clockMs,
    report: (level, line) => lines.push(`${level} ${line.replace(/`http.*?`/, 'TSA')}`),
  });
  return async () => {
    rounds.offer(
      await opened.store.checkpoint((size, root) => signCheckpoint({ size, root }, logKey, signer)),
    );
    await rounds.settle();
  };
}

const grow = (): Promise<unknown> => opened.decide(opened.proposal());
const honest: Answer = (query, response) => authority.answer(query, response);
const alarms = async (): Promise<number> =>
  (await opened.allLeaves()).filter((leaf) => Buffer.from(leaf.bytes).includes('timestamp_failed'))
    .length;

describe('TimestampRounds', () => {
  verifies(
    'RCP-23',
    'keeps a token of the newest checkpoint, once an hour while the log grows',
    async () => {
      const show = await watch(honest);
      await grow();
      await show();
      const first = await opened.store.readTimestamped();
      const question = { texts: [Buffer.from(first?.note ?? '')], roots: undefined };
      expect(await timestamps.checkTimestamp(first?.token ?? Buffer.of(), question)).toMatchObject({
        ok: true,
      });
      expect(first?.timestampedMs).toBe(clockMs);
      await grow();
      clockMs += 60 * minuteMs - 1;
      await show();
      expect(queries).toBe(1);
      clockMs += 1;
      await show();
      expect(queries).toBe(2);
      expect((await opened.store.readTimestamped())?.size).toBeGreaterThan(first?.size ?? 0);
      // A log at rest costs nothing, and is asked about as soon as it goes on.
      clockMs += 600 * minuteMs;
      await show();
      await show();
      expect(queries).toBe(2);
      await grow();
      await show();
      expect(queries).toBe(3);
      expect(lines).toEqual([]);
      expect(await alarms()).toBe(0);
    },
  );

  it('counts the hour over all processes of one store', async () => {
    const [show, other] = [await watch(honest), await watch(honest)];
    await grow();
    await show();
    await grow();
    clockMs += minuteMs;
    await other();
    expect(queries).toBe(1);
    clockMs += 59 * minuteMs;
    await other();
    expect(queries).toBe(2);
  });

  it('waits for no clock that was put back', async () => {
    const show = await watch(honest);
    await grow();
    await show();
    await grow();
    clockMs -= 600 * minuteMs;
    await show();
    expect(queries).toBe(2);
  });

  it('takes a checkpoint that a witness cosigned before a newer one', async () => {
    const show = await watch(honest);
    await grow();
    const note = (size: number, root: Uint8Array): string =>
      signCheckpoint({ size, root }, logKey, signer);
    const { size } = await opened.store.checkpoint(note);
    await opened.store.cosign({ size, lines: '— w a2V5WHNpZ25lZA==\n', atMs: 1 });
    await grow();
    await show();
    expect(await opened.store.readTimestamped()).toMatchObject({
      size,
      note: expect.stringContaining('— w '),
    });
    clockMs += 60 * minuteMs;
    await show();
    expect((await opened.store.readTimestamped())?.size).toBeGreaterThan(size);
  });

  verifies(
    'RCP-23',
    'a failure is one alarm and stops nothing; what follows is asked for',
    async () => {
      let isDown = true;
      const show = await watch((query, response) => {
        if (isDown) response.writeHead(503).end();
        else honest(query, response);
      });
      await grow();
      await show();
      expect(lines).toEqual(['error time-stamping authority TSA answered 503']);
      await show();
      expect(queries).toBe(1);
      clockMs += 10 * minuteMs;
      await show();
      expect([queries, await alarms(), lines.length]).toEqual([2, 1, 1]);
      isDown = false;
      clockMs += 10 * minuteMs;
      await show();
      expect(lines.at(-1)).toBe('info time-stamping authority TSA answers again');
      expect(await opened.store.readTimestamped()).toBeDefined();
    },
  );

  it('reports a store that fails, and goes on', async () => {
    const show = await watch(honest);
    await grow();
    const { store } = opened;
    const { timestamp } = store;
    store.timestamp = () => Promise.reject(new Error('no room'));
    await show();
    expect(lines).toEqual(['error store: Error: no room']);
    store.timestamp = timestamp;
    clockMs += 10 * minuteMs;
    await show();
    expect(await store.readTimestamped()).toBeDefined();
  });
});

const send =
  (body: Uint8Array | string, type = 'application/timestamp-reply'): Answer =>
  (_query, response) => {
    response.writeHead(200, { 'content-type': type }).end(body);
  };
const change =
  (edit: (query: Buffer) => Buffer): Answer =>
  (query, response) =>
    send(authority.reply(edit(query)))(query, response);
/** With another last byte: of a request that asks for certificates, the three before are `certReq`. */
const flipNonce = (query: Buffer): Buffer => {
  const other = Buffer.from(query);
  const at = other.length - 4;
  other[at] = (other[at] ?? 0) ^ 1;
  return other;
};
const flipImprint = (query: Buffer): Buffer => {
  const other = Buffer.from(query);
  // OCTET STRING of 32 bytes.
  const at = other.indexOf(Buffer.of(0x04, 0x20)) + 2;
  other[at] = (other[at] ?? 0) ^ 1;
  return other;
};

describe('a bad answer', () => {
  const cases: Record<string, readonly [Answer, string]> = {
    'with another nonce': [change(flipNonce), '(TIMESTAMP_OTHER_NONCE)'],
    'about another text': [change(flipImprint), '(TIMESTAMP_OTHER_NOTE)'],
    'that refuses': [
      (query, response) =>
        send(authority.reply(query, { settings: 'digests = sha512' }))(query, response),
      '(TIMESTAMP_REFUSED)',
    ],
    'by a certificate that is for something else': [
      (query, response) =>
        send(authority.wrap(authority.signAgain(query, { by: 'server' })))(query, response),
      '(TIMESTAMP_CERTIFICATE)',
    ],
    'by a certificate that has expired': [
      (query, response) =>
        send(authority.wrap(authority.signAgain(query, { by: 'expired' })))(query, response),
      '(TIMESTAMP_CERTIFICATE)',
    ],
    'that is garbage': [send('garbage'), '(TIMESTAMP_MALFORMED)'],
    'that is empty': [send(''), '(TIMESTAMP_MALFORMED)'],
    'of another type': [send('<html>', 'text/html'), 'something else than'],
    'without a type': [(_query, response) => response.writeHead(200).end(), 'something else than'],
    'that is too long': [send(Buffer.alloc(70_000)), 'answered with too much'],
    'that leads elsewhere': [
      (_query, response) => response.writeHead(302, { location: '/other' }).end(),
      'cannot be asked',
    ],
    'that is cut': [
      (_query, response) => {
        response.writeHead(200, {
          'content-type': 'application/timestamp-reply',
          'content-length': '9',
        });
        response.write('cut', () => response.destroy());
      },
      'cannot be asked',
    ],
  };

  for (const [name, [answer, message]] of Object.entries(cases)) {
    verifies('RCP-23', `${name} is not kept`, async () => {
      const show = await watch(answer);
      await grow();
      await show();
      expect(lines).toEqual([expect.stringContaining(message)]);
      expect(await opened.store.readTimestamped()).toBeUndefined();
      expect(await alarms()).toBe(1);
    });
  }

  verifies('RCP-23', 'that never comes is given up', async () => {
    const show = await watch(() => {}, 50);
    await grow();
    await show();
    expect(lines).toEqual([expect.stringContaining('cannot be asked (')]);
  });

  it('is none where nobody listens', async () => {
    const show = watchAt('http://127.0.0.1:1/');
    await grow();
    await show();
    expect(lines).toEqual([expect.stringContaining('cannot be asked (')]);
  });
});
