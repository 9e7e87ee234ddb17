// Starts writers, and checks a store as an outsider would: every leaf, every row, every sum.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { parseLeaf } from '../../../src/core/leaf.ts';
import { appendLeafHash, emptyFrontier, frontierRoot, leafHash } from '../../../src/core/merkle.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import { aStoreSettings } from '../../../src/testing/store-builders.ts';

const writerPath = fileURLToPath(new URL('./writer.ts', import.meta.url));

/** A folder with a store, gone after use. */
export class StoreFolder {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'store-'));
  readonly path: string = join(this.folder, 'store.db');

  open(): Store {
    const clock = { nowMs: Date.now() };
    return openSqliteStore(
      this.path,
      aStoreSettings(clock, { isAlive: ({ pid }) => isRunning(pid), nowMs: Date.now }),
    );
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** True while a process of this number runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** What a writer acknowledged. */
interface Acknowledged {
  readonly decided: readonly string[];
  readonly finished: readonly string[];
  /** Longest wait for one answer in milliseconds; absent when it was killed. */
  readonly waitedMs: number | undefined;
}

export interface Writer {
  readonly child: ChildProcess;
  readonly done: Promise<Acknowledged>;
  /** Resolves when it acknowledged its first outcome. */
  readonly busy: Promise<void>;
}

export function startWriter(
  path: string,
  { inFlight, total }: { readonly inFlight: number; readonly total: number },
): Writer {
  const child = spawn(process.execPath, [writerPath, path, String(inFlight), String(total)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  const busy = new Promise<void>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString();
      if (output.includes('finished')) resolve();
    });
  });
  const done = new Promise<Acknowledged>((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve(readOutput(output));
      else reject(new Error(`writer ended with ${code}: ${errors}`));
    });
  });
  return { child, done, busy };
}

// A last line without its end was cut by the kill.
function readOutput(output: string): Acknowledged {
  const lines = output
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '));
  const of = (kind: string): readonly string[] =>
    lines.filter(([first]) => first === kind).map(([, id]) => id as string);
  const [waited] = of('waited');
  return {
    decided: of('decided'),
    finished: of('finished'),
    waitedMs: waited === undefined ? undefined : Number(waited),
  };
}

/** Last state of each operation by its leaves. */
export async function checkLog(store: Store): Promise<ReadonlyMap<string, string>> {
  const states = new Map<string, string>();
  let frontier = emptyFrontier;
  let lastMs = 0;
  for (const leaf of await store.readLeaves({ from: 0, count: 10_000_000 })) {
    expect(leaf.seq).toBe(frontier.size);
    const parsed = parseLeaf(leaf.bytes);
    if (!parsed.ok) throw new Error(parsed.error.code);
    expect(parsed.value.seq).toBe(leaf.seq);
    expect(parsed.value.ts).toBeGreaterThanOrEqual(lastMs);
    lastMs = parsed.value.ts;
    const { opId, state } = parsed.value;
    if (opId !== undefined && state !== undefined) states.set(opId, state);
    frontier = appendLeafHash(frontier, leafHash(leaf.bytes)).frontier;
  }
  expect(await store.readTree()).toEqual({ size: frontier.size, root: frontierRoot(frontier) });
  return states;
}

/** Rows agree with the leaves, and budgets with the rows. */
export async function checkStore(store: Store): Promise<ReadonlyMap<string, string>> {
  const states = await checkLog(store);
  const count = (wanted: string): number => [...states.values()].filter((s) => s === wanted).length;
  for (const [opId, state] of states) {
    expect((await store.readOperation(opId))?.row.state).toBe(state);
  }
  const mandate = await store.findMandate({ principal: 'alice', agent: 'bookkeeper' });
  const status = await store.readStatus(mandate?.mandateId ?? '');
  const held = count('UNKNOWN') + count('DISPATCHING');
  expect(status?.budgets.map(({ kind, reserved, spent }) => [kind, reserved, spent])).toEqual([
    ['amount', held * 10, count('SUCCEEDED') * 10],
    ['calls', held, count('SUCCEEDED')],
  ]);
  return states;
}
