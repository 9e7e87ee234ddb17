// Erased values are in no file of the store any more, and come back with no backup of it.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallFault } from '../../../src/core/facts.ts';
import { emptyFrontier, frontierRoot } from '../../../src/core/merkle.ts';
import { createGuardFile } from '../../../src/keys/local/guard-file.ts';
import { createRedactionFile } from '../../../src/keys/local/redaction-file.ts';
import { fsckStore } from '../../../src/server/fsck-store.ts';
import { redactOperation } from '../../../src/server/redact-operation.ts';
import { replayRedactions } from '../../../src/server/replay-redactions.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import type { StoreSettings } from '../../../src/stores/store.ts';
import { OpenedStore } from '../../../src/testing/opened-store.ts';
import { aCall, anAnswer, aReport } from '../../../src/testing/store-builders.ts';
import { verifies } from '../../requirements/verifies.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'erasure-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const list = (): ReturnType<typeof createRedactionFile> =>
  createRedactionFile(join(folder, 'keys', 'log-key.pem.redactions'));

function open(name: string, settings: Partial<StoreSettings> = {}): Promise<OpenedStore> {
  mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  const place = {
    isDurable: true,
    open: (all: StoreSettings) => openSqliteStore(join(folder, name, 'store.db'), all),
    remove: (): void => {},
  };
  return OpenedStore.open(place, {
    settings: { redactions: list(), ...settings },
    mandate: { budgets: [{ kind: 'calls', limit: 10_000 }] },
  });
}

/** Which of the words stand in any file of the folder. */
function foundIn(name: string, words: readonly string[]): readonly string[] {
  const files = readdirSync(join(folder, name)).map((file) =>
    readFileSync(join(folder, name, file)),
  );
  return words.filter((word) => files.some((bytes) => bytes.includes(word)));
}

let planted = 0;
/** A word that stands nowhere else. */
const word = (what: string): string => {
  planted += 1;
  return `planted-${what}-${String(planted).padStart(5, '0')}-end`;
};

interface Planted {
  readonly opIds: readonly string[];
  readonly words: readonly string[];
}

/** One call through every path on which a value reaches the store. */
async function plant(opened: OpenedStore): Promise<Planted> {
  const words: string[] = [];
  const put = (what: string): string => {
    words.push(word(what));
    return words.at(-1) ?? '';
  };
  const asked = opened.proposal({
    client: put('client'),
    raw: `{"iban":"${put('raw')}"}`,
    call: `{"iban":"${put('call')}"}`,
    rest: `{"note":"${put('rest')}"}`,
    sentence: put('sentence'),
    summary: put('summary'),
    labels: { iban: put('label') },
  });
  const call = aCall({ level: 1, iban: put('iban') });
  await opened.decide(asked, call);
  const stored = await opened.store.readApproval(asked.approvalId);
  const join_ = opened.proposal({ fingerprint: asked.fingerprint, raw: put('raw-of-the-join') });
  await opened.decide(join_, call);
  const opHash = stored?.operation.row.opHash ?? '';
  await opened.store.answer(
    anAnswer(
      { approvalId: asked.approvalId, opHash },
      { reason: put('answer-reason'), evidence: put('evidence') },
    ),
  );
  const repeat = opened.proposal({
    ...{ fingerprint: asked.fingerprint, raw: put('raw-of-the-repeat') },
    ...{ rest: asked.rest, call: asked.call },
  });
  await opened.decide(repeat, call);
  await opened.store.finish(
    aReport(asked, { class: 'AMBIGUOUS', result: put('result'), reason: put('outcome-reason') }),
  );
  await opened.store.reconcile({
    ...{ opId: asked.opId, finding: 'succeeded', method: 'person', isTold: true },
    ...{ person: put('who-looked'), evidence: put('what-was-seen') },
  });
  const refused = opened.proposal({ raw: put('raw-of-the-refused'), client: put('its-client') });
  await opened.decide(refused, {
    ...call,
    call: { kind: 'unreadable', faults: [fault(put('detail'))] },
  });
  return { opIds: [asked.opId, refused.opId], words };
}

const fault = (detail: string): CallFault => ({
  path: 'iban',
  detail,
  code: 'CONTRACT_TYPE',
});

describe('erased values', () => {
  verifies(
    ['RCP-25', 'RCP-04'],
    'stand in every file before and in none after, also between thousands of others',
    { timeout: 120_000 },
    async () => {
      const opened = await open('store');
      const gone: Planted[] = [];
      const kept: Planted[] = [];
      for (let round = 0; round < 60; round += 1) {
        (round % 3 === 0 ? gone : kept).push(await plant(opened));
      }
      const words = gone.flatMap((each) => each.words);
      expect(foundIn('store', words)).toEqual(words);
      for (const opId of gone.flatMap((each) => each.opIds)) {
        const report = await redactOperation(opened.store, {
          opId,
          fields: undefined,
          basis: 'gdpr-17',
        });
        expect(report).toMatchObject({ kind: 'erased', kept: [], isGone: true });
      }
      expect(foundIn('store', words)).toEqual([]);
      const others = kept.flatMap((each) => each.words);
      expect(foundIn('store', others)).toEqual(others);
      expect((await fsckStore(opened.store)).faults).toEqual([]);
      // A later round over neighbours of the emptied rows finds nothing left of them either.
      for (const opId of kept.flatMap((each) => each.opIds)) {
        await redactOperation(opened.store, { opId, fields: undefined, basis: 'legal-order' });
      }
      expect(foundIn('store', [...words, ...others])).toEqual([]);
      await opened.store.close();
      expect(foundIn('store', [...words, ...others])).toEqual([]);
      expect(foundIn('keys', [...words, ...others])).toEqual([]);
    },
  );

  verifies('RCP-25', 'come back with no older copy of the store', { timeout: 60_000 }, async () => {
    const first = await open('store');
    const { opIds, words } = await plant(first);
    const { words: others } = await plant(first);
    await first.store.close();
    cpSync(join(folder, 'store'), join(folder, 'backup'), { recursive: true });
    chmodSync(join(folder, 'backup'), 0o700);
    const again = await open('store');
    for (const opId of opIds) {
      await redactOperation(again.store, { opId, fields: undefined, basis: 'gdpr-17' });
    }
    await again.store.close();

    expect(foundIn('backup', words)).toEqual(words);
    const guard = createGuardFile(join(folder, 'other.guard'));
    guard.write('example.com/gateway', { size: 0, root: frontierRoot(emptyFrontier) });
    const restored = await open('backup', { guard });
    // Others may have gone on in the restored copy before: what stands in another place is not touched.
    expect(await replayRedactions(restored.store, list())).toBeGreaterThan(20);
    expect(foundIn('backup', words)).toEqual([]);
    expect(foundIn('backup', others)).toEqual(others);
    expect(await replayRedactions(restored.store, list())).toBe(0);
    const { faults } = await fsckStore(restored.store, guard);
    expect(faults).toEqual([]);
    await restored.store.close();
  });

  it('is told apart from other leaves in the same places', async () => {
    const first = await open('store');
    const { opIds } = await plant(first);
    for (const opId of opIds) {
      await redactOperation(first.store, { opId, fields: undefined, basis: 'gdpr-17' });
    }
    await first.store.close();
    const other = await open('other');
    const { words } = await plant(other);
    expect(await replayRedactions(other.store, list())).toBe(0);
    expect(foundIn('other', words)).toEqual(words);
    await other.store.close();
  });

  it('of one field leave the others, and the report says what is still kept', async () => {
    const opened = await open('store');
    const { store } = opened;
    const [opId = ''] = (await plant(opened)).opIds;
    const one = await redactOperation(store, { opId, fields: ['result'], basis: 'mistake' });
    expect(one).toMatchObject({ kind: 'erased', fields: 1 });
    expect(one).toMatchObject({
      kept: expect.arrayContaining(['call', 'preimage', 'raw', 'view']),
    });
    expect(await redactOperation(store, { opId, fields: ['x'], basis: 'mistake' })).toMatchObject({
      kind: 'no_field',
      known: expect.arrayContaining(['param.iban']),
    });
    const nobody = { opId: 'f'.repeat(32), fields: undefined, basis: 'mistake' } as const;
    expect(await redactOperation(store, nobody)).toEqual({ kind: 'unknown' });
    await store.close();
  });

  it('says so while another process keeps the write-ahead log in use', {
    timeout: 30_000,
  }, async () => {
    const opened = await open('store');
    const { opIds, words } = await plant(opened);
    const reader = new DatabaseSync(join(folder, 'store', 'store.db'), { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM leaf').get();
    const [opId = '', other = ''] = opIds;
    const wish = { fields: undefined, basis: 'gdpr-17' } as const;
    expect(await redactOperation(opened.store, { opId, ...wish })).toMatchObject({ isGone: false });
    expect(foundIn('store', words).length).toBeGreaterThan(0);
    reader.exec('ROLLBACK');
    reader.close();
    // The same again empties it.
    expect(await redactOperation(opened.store, { opId, ...wish })).toMatchObject({ isGone: true });
    await redactOperation(opened.store, { opId: other, ...wish });
    expect(foundIn('store', words)).toEqual([]);
    await opened.store.close();
  });
});
