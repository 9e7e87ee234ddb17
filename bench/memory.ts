// Resident memory of the proxy: idle, and after 100,000 guarded calls.
import { rmSync } from 'node:fs';
import { bankGateway } from './bank-gateway.ts';
import { inFlight } from './in-flight.ts';
import { ibanOf } from './in-process.ts';
import { type BenchReport, rowOfRounds } from './report.ts';
import { type Peer, StdioPeer } from './stdio-peer.ts';

const calls = 100_000;
const settleCalls = 10_000;
const parallel = 16;
/** Starts before the one that is loaded: V8 decides by a hair when its heap grows. */
const starts = 4;
const idleMaxMib = 110;
const growthMaxMib = 10;

export async function run(): Promise<BenchReport> {
  const ours = bankGateway('ours');
  const idle: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    const peer = await idlePeer(ours);
    idle.push(peer.rssMib());
    await peer.close();
  }
  const peer = await idlePeer(ours);
  idle.push(peer.rssMib());
  await pay(peer, settleCalls);
  await rest(3_000);
  const warm = peer.rssMib();
  await pay(peer, calls);
  await rest(3_000);
  const after = peer.rssMib();
  await peer.close();
  rmSync(ours.folder, { recursive: true, force: true });
  return {
    rows: [
      rowOfRounds(['idle, one server, not counting it', 'MiB'], idle, {
        reach: `≤ ${idleMaxMib} MiB`,
        holds: (value) => value <= idleMaxMib,
      }),
      { what: `after the first ${settleCalls} guarded calls`, value: warm, unit: 'MiB' },
      { what: `after ${calls} more`, value: after, unit: 'MiB' },
      {
        what: 'growth over these',
        value: after - warm,
        unit: 'MiB',
        reach: `≤ ${growthMaxMib} MiB`,
        ok: after - warm <= growthMaxMib,
      },
    ],
    notes: [
      'executed calls, 16 in parallel; the heap and the compiled code that warm code needs are in the second figure',
    ],
  };
}

async function idlePeer(ours: Peer): Promise<StdioPeer> {
  const peer = new StdioPeer(ours);
  await peer.initialize();
  await rest(8_000);
  return peer;
}

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function pay(peer: StdioPeer, count: number): Promise<void> {
  await inFlight(count, parallel, (left) =>
    peer.call(
      'send_money',
      { recipient: ibanOf(left % 1_000), amount: 0.01, subject: `Invoice ${left}` },
      false,
    ),
  );
}
