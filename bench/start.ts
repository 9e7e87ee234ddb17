// From the start of the process to the answer of `initialize`, beside the server alone and bare Node.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { bankGateway, direct, pythonGateway } from './bank-gateway.ts';
import { type BenchReport, rowOfRounds } from './report.ts';
import { type Peer, StdioPeer } from './stdio-peer.ts';

const rounds = 9;
const limitMs = 400;

export async function run(): Promise<BenchReport> {
  const ours = bankGateway('ours');
  await started(ours);
  const node: number[] = [];
  const server: number[] = [];
  const gateway: number[] = [];
  const python: number[] = [];
  const predecessor = pythonGateway();
  for (let round = 0; round < rounds; round += 1) {
    node.push(bareNode());
    server.push(await started(direct));
    gateway.push(await started(ours));
    if (predecessor !== undefined) python.push(await started(predecessor));
  }
  rmSync(ours.folder, { recursive: true, force: true });
  return {
    rows: [
      rowOfRounds(['bare Node, start to end', 'ms'], node),
      rowOfRounds(['demo server, start to `initialize`', 'ms'], server),
      rowOfRounds(['intentplane-mcp, start to `initialize`', 'ms'], gateway, {
        reach: `≤ ${limitMs} ms`,
        holds: (value) => value <= limitMs,
      }),
      ...(python.length === 0
        ? []
        : [rowOfRounds(['intentplane-mcp 0.5.3 (Python), the same', 'ms'], python)]),
    ],
    notes: ['second start of a configuration: store, key and definitions are there'],
  };
}

async function started(target: Peer): Promise<number> {
  const start = performance.now();
  const peer = new StdioPeer(target);
  await peer.ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  const ms = performance.now() - start;
  await peer.close();
  return ms;
}

function bareNode(): number {
  const start = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - start;
}
