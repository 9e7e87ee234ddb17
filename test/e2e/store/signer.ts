// A process that signs its log with the real signer and kills itself with SIGKILL.
// Arguments: folder, signatures before the last one, and where in the last one it dies.
// Prints every note that it published, one JSON text a line.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../src/config/config.ts';
import { createGuardFile } from '../../../src/keys/local/guard-file.ts';
import { LogSigner } from '../../../src/server/log-signer.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import type { LogGuard, Store } from '../../../src/stores/store.ts';
import { aStoreSettings } from '../../../src/testing/store-builders.ts';

const [folder = '', rounds = '0', point = ''] = process.argv.slice(2);
let isLast = false;

function dieAt(here: string): void {
  if (isLast && here === point) process.kill(process.pid, 'SIGKILL');
}

const file = createGuardFile(join(folder, 'log-key.pem.guard'));
const guard: LogGuard = {
  ...file,
  write: (origin, tree) => {
    dieAt('before the guard');
    file.write(origin, tree);
    dieAt('after the guard');
  },
};
const settings = aStoreSettings({ nowMs: 0 }, { nowMs: Date.now, guard });
const store = openSqliteStore(join(folder, 'store.db'), settings);
const signing: Store = Object.create(store, {
  readTree: { value: () => store.readTree() },
  readLastCheckpoint: { value: () => store.readLastCheckpoint() },
  checkpoint: {
    value: (sign: (size: number, root: Uint8Array) => string) =>
      store.checkpoint((size, root) => {
        const note = sign(size, root);
        dieAt('after the signature');
        return note;
      }),
  },
});
const { origin } = await store.start();
const config = { keys: { log: join(folder, 'log-key.pem') }, log: { pq: false } } as Config;
const signer = await LogSigner.open(config, signing, origin);
// What the one before this one was about to publish is published first.
writeSync(1, `${JSON.stringify((await signer.sign()).note)}\n`);
for (let round = 0; round <= Number(rounds); round += 1) {
  isLast = round === Number(rounds);
  const open = { kind: 'test', figures: { pid: process.pid, round } };
  const alarm = { type: 'alarm', open, committed: {} } as const;
  await store.appendLeaves([alarm, alarm]);
  const { note } = await signer.sign();
  dieAt('before it is published');
  writeSync(1, `${JSON.stringify(note)}\n`);
}
await store.close();
