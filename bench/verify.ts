// Checking what was recorded: one bundle of a large log, and the whole store.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { built } from './built.ts';
import { buildLargeLog, type LargeLog, largeSize } from './large-log.ts';
import { type BenchReport, percentile } from './report.ts';

const { verifyBundle } = await built<typeof import('../src/receipts/verify.ts')>('receipts/verify');

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const operations = 20;
const repeats = 10;

export async function run(): Promise<BenchReport> {
  const log = await buildLargeLog(largeSize());
  const bundleMs = await bundleTimes(log);
  const fsck = await measureFsck(log.config);
  rmSync(log.folder, { recursive: true, force: true });
  const p99 = percentile(bundleMs, 0.99);
  const ofMillion = 1_000_000 / log.size;
  return {
    rows: [
      { what: 'verify one bundle, p50', value: percentile(bundleMs, 0.5), unit: 'ms' },
      { what: 'verify one bundle, p99', value: p99, unit: 'ms', reach: '< 5 ms', ok: p99 < 5 },
      {
        what: `fsck of ${log.size} leaves`,
        value: fsck.seconds,
        unit: 's',
        reach: '< 20 s for 10^6',
        ok: fsck.seconds * ofMillion < 20,
      },
      {
        what: 'its largest resident memory',
        value: fsck.maxMib,
        unit: 'MiB',
        reach: '< 300 MiB',
        ok: fsck.maxMib < 300,
      },
    ],
    notes: [
      'every bundle is valid and fsck finds nothing, else the run fails; LEAVES=n for another size',
    ],
  };
}

/** Times of checking bundles that were exported by the command. */
async function bundleTimes(log: LargeLog): Promise<readonly number[]> {
  const out = mkdtempSync(join(tmpdir(), 'intentplane-bench-bundles-'));
  const trustFile = join(out, 'trust.txt');
  receipts(log.config, ['--trust', '--out', trustFile]);
  const trust = readFileSync(trustFile, 'utf8');
  const step = Math.max(1, Math.floor(log.opIds.length / operations));
  const times: number[] = [];
  for (const opId of log.opIds.filter((_opId, index) => index % step === 0)) {
    const folder = join(out, opId);
    receipts(log.config, ['--op', opId, '--out', folder]);
    for (const file of readdirSync(folder)) {
      const text = readFileSync(join(folder, file), 'utf8');
      for (let repeat = 0; repeat < repeats; repeat += 1) times.push(await timeOf(text, trust));
    }
  }
  rmSync(out, { recursive: true, force: true });
  return times;
}

async function timeOf(bundle: string, trust: string): Promise<number> {
  const start = performance.now();
  const { verdict } = await verifyBundle(bundle, { trust });
  const ms = performance.now() - start;
  if (verdict !== 'valid') throw new Error(`a bundle is ${verdict}`);
  return ms;
}

function receipts(config: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    [main, 'receipts', 'export', '--config', config, ...args],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
}

/** Wall time and peak memory of the command, looked at every 50 ms. */
async function measureFsck(
  config: string,
): Promise<{ readonly seconds: number; readonly maxMib: number }> {
  const start = performance.now();
  const child = spawn(process.execPath, [main, 'fsck', '--config', config], { stdio: 'ignore' });
  let maxMib = 0;
  const timer = setInterval(() => {
    maxMib = Math.max(maxMib, peakMib(child.pid));
  }, 50);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`fsck ended with ${code}`);
  return { seconds: (performance.now() - start) / 1_000, maxMib };
}

function peakMib(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
