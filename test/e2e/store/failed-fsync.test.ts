import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { verifies } from '../../requirements/verifies.ts';
import { checkStore, StoreFolder } from './store-processes.ts';

const writerPath = fileURLToPath(new URL('./writer.ts', import.meta.url));
const canTrace = spawnSync('/usr/bin/strace', ['-o', '/dev/null', '/bin/true']).status === 0;

describe('a disk that fails to sync', () => {
  let place: StoreFolder;
  beforeEach(() => {
    place = new StoreFolder();
  });
  afterEach(() => place.remove());

  verifies('EXE-26', 'stops the process; nothing it acknowledged is lost', async (test) => {
    if (!canTrace) test.skip('the system calls of a child cannot be changed here');
    const fault = 'inject=fsync,fdatasync:error=EIO:when=40+';
    const trace = ['-f', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', fault];
    const writer = spawnSync(
      '/usr/bin/strace',
      [...trace, process.execPath, writerPath, place.path, '4', '200'],
      { encoding: 'utf8' },
    );
    expect(writer.status).toBe(1);
    expect(writer.stderr).toContain('STORE_FAILED');
    expect(writer.stderr).toContain('1034');
    const acknowledged = (kind: string): readonly string[] =>
      [...writer.stdout.matchAll(new RegExp(`^${kind} ([0-9a-f]+)`, 'gm'))].map(
        ([, id]) => id ?? '',
      );
    expect(acknowledged('decided').length).toBeGreaterThan(0);

    const store = place.open();
    await store.start();
    const states = await checkStore(store);
    for (const opId of acknowledged('finished')) expect(states.get(opId)).toBe('SUCCEEDED');
    for (const opId of acknowledged('decided')) {
      expect(states.get(opId)).toMatch(/^(?:SUCCEEDED|UNKNOWN)$/);
    }
    await store.close();
  });
});
