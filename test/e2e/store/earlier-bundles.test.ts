// One changed row in the middle of a log: named by fsck, and harmless to what was proven before (F-10).
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { formatBundle, parseBundle } from '../../../src/receipts/bundle.ts';
import { verifyBundle } from '../../../src/receipts/verify.ts';
import { fsckStore } from '../../../src/server/fsck-store.ts';
import { readConsistency } from '../../../src/server/read-tree-nodes.ts';
import { fileIn, KeyedLog } from '../../fixtures/keyed-log.ts';
import { verifies } from '../../requirements/verifies.ts';

verifies(
  ['RCP-16', 'RCP-21'],
  'a changed leaf is named, and an older bundle with an earlier checkpoint stays valid (F-10)',
  async () => {
    const log = await KeyedLog.open();
    await log.grow(4);
    const previous = (await log.sign()).note;
    await log.grow(5);
    const parsed = parseBundle(await log.bundle(2));
    if (!parsed.ok) throw new Error(parsed.error.code);
    const consistency = await readConsistency(log.store, { oldSize: 5, size: 10 });
    const bundle = formatBundle({
      ...parsed.value,
      evidence: { ...parsed.value.evidence, consistency },
    });
    const { trust } = await log.describe();
    await log.grow(6);
    const database = new DatabaseSync(fileIn(log, 'store.db'));
    database.exec('DROP TRIGGER leaf_stays');
    const text = `CAST(replace(CAST(bytes AS TEXT), 'test', 'tost') AS BLOB)`;
    database.exec(`UPDATE leaf SET bytes = ${text} WHERE seq = 12`);
    database.close();
    const { faults } = await fsckStore(log.store);
    expect(faults.map(({ code, seq }) => [code, seq])).toEqual([['LEAF_CHANGED', 12]]);
    const report = await verifyBundle(bundle, { trust, previous });
    expect(report).toMatchObject({ verdict: 'valid' });
    await log.discard();
  },
);
