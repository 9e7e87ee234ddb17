import { describe, expect, it } from 'vitest';
import { createLogKey } from '../receipts/verifier-key.ts';
import { createTestLog, createTestSigner } from '../testing/test-bundle.ts';
import { checkLogKey } from './check-log-key.ts';

const log = await createTestLog({ origin: 'example.com/one' });
log.fill(3);
const last = { size: 3, root: log.root(3), note: log.checkpoint(3) };
const stored = (checkpoint: typeof last | undefined) => ({
  readLastCheckpoint: async () => checkpoint,
});

describe('checkLogKey', () => {
  it('takes the key that signed, and any before the first signature', async () => {
    await checkLogKey(stored(last), [log.key], 'log-key.pem');
    const other = await createLogKey('example.com/one', createTestSigner(2).publicKey);
    await checkLogKey(stored(undefined), [other], 'log-key.pem');
    // While one key replaces another, both are there.
    await checkLogKey(stored(last), [other, log.key], 'log-key.pem');
  });

  it('takes any key for a log that was begun anew and never signed', async () => {
    const renamed = await createLogKey('example.com/two', createTestSigner(2).publicKey);
    await checkLogKey(stored(last), [renamed], 'log-key.pem');
  });

  it('refuses another key, and a note that is none', async () => {
    const otherKey = await createLogKey('example.com/one', createTestSigner(2).publicKey);
    const cases = [
      [last, otherKey],
      [{ ...last, note: 'no note' }, log.key],
    ] as const;
    for (const [checkpoint, key] of cases) {
      await expect(checkLogKey(stored(checkpoint), [key], 'log-key.pem')).rejects.toMatchObject({
        code: 'LOG_KEY_FOREIGN',
        fatal: true,
        message: expect.stringContaining('signed by another key than `log-key.pem`'),
      });
    }
  });
});
