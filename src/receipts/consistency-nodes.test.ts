import { describe, expect, it } from 'vitest';
import { consistencyPath, isConsistent } from '../core/merkle.ts';
import { createTestLog } from '../testing/test-bundle.ts';
import { readConsistencyNodes } from './proof-nodes.ts';
import { formatTrustFile, parseTrustFile } from './trust-file.ts';

const log = await createTestLog();
log.fill(13);

describe('readConsistencyNodes', () => {
  it('gives what the proof from each earlier size needs', async () => {
    const size = 13;
    for (let oldSize = 0; oldSize <= size; oldSize += 1) {
      const nodes = await readConsistencyNodes({ oldSize, size }, async (level, index) =>
        log.readNode(level, index),
      );
      const path = consistencyPath(oldSize, size, nodes);
      const roots = { oldRoot: log.root(oldSize), root: log.root(size) };
      expect(isConsistent({ oldSize, size, path, ...roots }), `from ${oldSize}`).toBe(true);
    }
  });
});

describe('formatTrustFile', () => {
  it('names further keys of the log, and witnesses without asking for one', async () => {
    const second = await createTestLog({ seed: 2 });
    const witness = { ...second.key, type: 0x04 };
    const text = formatTrustFile(log.key, [], {
      log: [second.key],
      witnesses: [{ name: 'one', key: witness }],
    });
    expect(text.split('\n').map((line) => line.split(' ')[0])).toEqual([
      ...['log', 'log', 'witness', 'quorum', ''],
    ]);
    const trust = await parseTrustFile(text.replace(/witness .*\n/, ''));
    expect(trust.ok && trust.value.policy.logs).toEqual([log.key, second.key]);
  });
});
