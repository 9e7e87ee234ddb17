// The start of the proxy on a store of many receipts: after a clean stop, and after `kill -9`.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildLargeLog, largeSize } from './large-log.ts';
import { type BenchReport, rowOfRounds } from './report.ts';
import { StdioPeer } from './stdio-peer.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const rounds = 5;

export async function run(): Promise<BenchReport> {
  const log = await buildLargeLog(largeSize());
  const peer = { command: process.execPath, args: [main, 'mcp', 'run', '--config', log.config] };
  await started(peer, 'stop');
  const clean: number[] = [];
  const killed: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    clean.push(await started(peer, 'kill'));
    killed.push(await started(peer, 'stop'));
  }
  rmSync(log.folder, { recursive: true, force: true });
  return {
    rows: [
      rowOfRounds([`start on ${log.size} receipts after a clean stop`, 's'], clean, {
        reach: '< 1 s',
        holds: (value) => value < 1,
      }),
      rowOfRounds([`start on ${log.size} receipts after kill -9`, 's'], killed, {
        reach: '< 5 s',
        holds: (value) => value < 5,
      }),
    ],
    notes: ['process start to the answer of `initialize`; LEAVES=n for another size'],
  };
}

async function started(
  target: { readonly command: string; readonly args: readonly string[] },
  end: 'stop' | 'kill',
): Promise<number> {
  const start = performance.now();
  const peer = new StdioPeer(target);
  await peer.initialize();
  const seconds = (performance.now() - start) / 1_000;
  if (end === 'stop') await peer.close();
  else await peer.kill();
  return seconds;
}
