// A process that decides and finishes proposals on one SQLite file as fast as it can.
// Arguments: path of the store, proposals in flight, number of proposals (0 = until it is killed).
// Prints a line for each answer it got: `decided <op>`, `finished <op>`, and last `waited <ms>`.
import { randomBytes, randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import {
  aCall,
  aMandateDraft,
  aProposal,
  aReport,
  aStoreSettings,
} from '../../../src/testing/store-builders.ts';
import { isRunning } from './store-processes.ts';

const [path = '', inFlight = '1', total = '0'] = process.argv.slice(2);
const settings = aStoreSettings(
  { nowMs: 0 },
  {
    identity: {
      processId: randomUUID(),
      host: 'host',
      bootId: 'boot',
      pid: process.pid,
      pidStart: '',
    },
    isAlive: ({ pid }) => isRunning(pid),
    nowMs: Date.now,
    random: (size) => randomBytes(size),
  },
);
const store = openSqliteStore(path, settings);
await store.start();
const budgets = [
  { kind: 'amount', limit: 1_000_000_000 },
  { kind: 'calls', limit: 1_000_000 },
] as const;
const { mandateId } = await store.joinMandate(aMandateDraft({ budgets }));
const facts = aCall();
let left = Number(total) || Number.POSITIVE_INFINITY;
let longestMs = 0;

/** Time of the slowest write: how long this process was kept waiting. */
async function timed<T>(work: Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const value = await work;
  longestMs = Math.max(longestMs, performance.now() - startedMs);
  return value;
}

async function send(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const opId = randomBytes(16).toString('hex');
    const fingerprint = randomBytes(32).toString('base64url');
    const draft = aProposal({ mandateId, owner: store.processId }, { opId, fingerprint });
    const plan = await timed(store.decide(facts, draft));
    if (plan.kind !== 'decided' || plan.decision.kind !== 'allow') throw new Error('refused');
    writeSync(1, `decided ${opId}\n`);
    const { state } = await timed(store.finish(aReport(draft)));
    writeSync(1, `finished ${opId} ${state}\n`);
  }
}

await Promise.all(Array.from({ length: Number(inFlight) }, send));
await store.close();
writeSync(1, `waited ${longestMs}\n`);
