import { describe, expect, it } from 'vitest';
import { consistencyPath } from '../core/merkle.ts';
import { createTestLog, createTestSigner } from '../testing/test-bundle.ts';
import { formatAddCheckpoint } from './add-checkpoint.ts';
import { judgeHistory, readSubmission, type Submission } from './judge-submission.ts';
import { signCheckpoint } from './sign-checkpoint.ts';
import { createLogKey } from './verifier-key.ts';

const log = await createTestLog();
log.fill(9);
const logs = new Map([[log.key.name, [log.key]]]);
const other = await createTestLog({ seed: 5 });

/** The body for a log that had `oldSize` leaves. */
const body = (oldSize: number, size: number, checkpoint = log.checkpoint(size)): string =>
  formatAddCheckpoint({ oldSize, path: consistencyPath(oldSize, size, log.readNode), checkpoint });

const statusOf = async (text: string): Promise<number> => {
  const read = await readSubmission(text, logs, {});
  return read.ok ? 200 : read.error;
};

async function submission(text: string): Promise<Submission> {
  const read = await readSubmission(text, logs, {});
  if (!read.ok) throw new Error(String(read.error));
  return read.value;
}

describe('readSubmission', () => {
  it('takes what a known log signed', async () => {
    const read = await submission(body(4, 9));
    expect(read).toMatchObject({ oldSize: 4, checkpoint: { origin: log.key.name, size: 9 } });
    expect(await statusOf(body(9, 9))).toBe(200);
  });

  it('keeps only the lines of the log', async () => {
    const read = await submission(body(4, 9, `${log.checkpoint(9)}— stranger AAAAAAAA\n`));
    expect(read.note.signatures.map(({ name }) => name)).toEqual([log.key.name]);
  });

  it('says 400 to what is no submission, and to an old size beyond the checkpoint', async () => {
    const path: Uint8Array[] = [];
    const texts = [
      'x',
      formatAddCheckpoint({ oldSize: 0, path, checkpoint: 'no note' }),
      formatAddCheckpoint({ oldSize: 0, path, checkpoint: 'no checkpoint\n\n— x AAAAAAAA\n' }),
      formatAddCheckpoint({ oldSize: 10, path, checkpoint: log.checkpoint(9) }),
    ];
    for (const text of texts) expect(await statusOf(text), text).toBe(400);
  });

  it('says 404 to a log that it does not know', async () => {
    const signer = createTestSigner(1);
    const key = await createLogKey('other.example', signer.publicKey);
    const checkpoint = signCheckpoint({ size: 9, root: log.root(9) }, key, signer);
    expect(await statusOf(body(4, 9, checkpoint))).toBe(404);
  });

  it('says 403 to a checkpoint that the key of the log did not sign', async () => {
    const tree = { size: 9, root: log.root(9) };
    expect(await statusOf(body(4, 9, signCheckpoint(tree, other.key, other.signer)))).toBe(403);
    const forged = { key: log.key, signer: other.signer };
    expect(await statusOf(body(4, 9, signCheckpoint(tree, forged.key, forged.signer)))).toBe(403);
    // A good line does not make up for a bad one of the same key.
    const line = signCheckpoint(tree, forged.key, forged.signer).split('\n\n')[1] ?? '';
    expect(await statusOf(body(4, 9, log.checkpoint(9) + line))).toBe(403);
    // The old size is looked at afterwards.
    const late = formatAddCheckpoint({
      oldSize: 10,
      path: [],
      checkpoint: signCheckpoint(tree, other.key, other.signer),
    });
    expect(await statusOf(late)).toBe(403);
  });
});

describe('judgeHistory', () => {
  const seen = (size: number): { size: number; root: Uint8Array } => ({
    size,
    root: log.root(size),
  });

  it('cosigns what extends what was seen, also by nothing', async () => {
    expect(judgeHistory(await submission(body(0, 9)), undefined)).toBe(200);
    expect(judgeHistory(await submission(body(4, 9)), seen(4))).toBe(200);
    expect(judgeHistory(await submission(body(9, 9)), seen(9))).toBe(200);
    expect(judgeHistory(await submission(body(0, 0)), undefined)).toBe(200);
  });

  it('says 409 when it saw another size than the log thinks', async () => {
    expect(judgeHistory(await submission(body(4, 9)), undefined)).toBe(409);
    expect(judgeHistory(await submission(body(0, 9)), seen(4))).toBe(409);
    expect(judgeHistory(await submission(body(4, 4)), seen(9))).toBe(409);
  });

  it('says 422 to a proof that does not lead there', async () => {
    const of = async (text: string, size: number): Promise<number> =>
      judgeHistory(await submission(text), size === 0 ? undefined : seen(size));
    const checkpoint = log.checkpoint(9);
    const path = consistencyPath(4, 9, log.readNode);
    expect(await of(formatAddCheckpoint({ oldSize: 4, path: [], checkpoint }), 4)).toBe(422);
    expect(await of(formatAddCheckpoint({ oldSize: 4, path: path.slice(1), checkpoint }), 4)).toBe(
      422,
    );
    expect(await of(formatAddCheckpoint({ oldSize: 0, path, checkpoint }), 0)).toBe(422);
    expect(await of(formatAddCheckpoint({ oldSize: 9, path, checkpoint }), 9)).toBe(422);
    const elsewhere = { size: 4, root: new Uint8Array(32).fill(1) };
    expect(judgeHistory(await submission(body(4, 9)), elsewhere)).toBe(422);
    const same = { size: 9, root: new Uint8Array(32).fill(1) };
    expect(judgeHistory(await submission(body(9, 9)), same)).toBe(422);
  });

  it('says 422 to an empty tree with a root', async () => {
    const tree = { size: 0, root: new Uint8Array(32) };
    const text = formatAddCheckpoint({
      oldSize: 0,
      path: [],
      checkpoint: signCheckpoint(tree, log.key, log.signer),
    });
    expect(judgeHistory(await submission(text), undefined)).toBe(422);
  });
});
