// A signer that dies at each step of a signature: never two roots for one size.
// The long form: INTENTPLANE_SIGNER_KILLS=1000 npx vitest run test/e2e/store/killed-signer.test.ts
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { createGuardFile } from '../../../src/keys/local/guard-file.ts';
import { parsePrevious } from '../../../src/receipts/check-previous.ts';
import { fsckStore } from '../../../src/server/fsck-store.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { aStoreSettings } from '../../../src/testing/store-builders.ts';
import { verifies } from '../../requirements/verifies.ts';

const kills = Number(process.env['INTENTPLANE_SIGNER_KILLS'] ?? 52);
const points = [
  ...['before the guard', 'after the guard'],
  ...['after the signature', 'before it is published'],
] as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'killed-signer-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Every note that one process published before it died. */
function signAndDie(round: number): readonly string[] {
  const script = fileURLToPath(new URL('./signer.ts', import.meta.url));
  const point = points[round % points.length] ?? '';
  const args = [script, folder, String(round % 3), point];
  const { signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([signal, stderr], point).toEqual(['SIGKILL', '']);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as string);
}

describe('a signer that is killed', () => {
  verifies(
    'RCP-13',
    'between guard, signature and publication signs one root for each size',
    { timeout: kills * 8_000 },
    async () => {
      const roots = new Map<number, string>();
      for (let round = 0; round < kills; round += 1) {
        for (const note of signAndDie(round)) {
          const parsed = parsePrevious(note);
          if (!parsed.ok) throw new Error(parsed.error.code);
          const { size, root } = parsed.value.checkpoint;
          const text = Buffer.from(root).toString('base64');
          expect(roots.get(size) ?? text).toBe(text);
          roots.set(size, text);
        }
      }
      expect(roots.size).toBeGreaterThanOrEqual(kills);
      const guard = createGuardFile(join(folder, 'log-key.pem.guard'));
      const settings = aStoreSettings({ nowMs: 0 }, { guard });
      const store = openSqliteStore(join(folder, 'store.db'), settings);
      // Every published root is one of the log as it is now.
      const { faults, checkpoints } = await fsckStore(store, guard);
      expect(faults).toEqual([]);
      expect(checkpoints).toBeGreaterThanOrEqual(roots.size);
      for (const { size, root } of await store.readCheckpoints()) {
        const published = roots.get(size);
        if (published !== undefined) expect(Buffer.from(root).toString('base64')).toBe(published);
      }
      await store.close();
    },
  );
});
