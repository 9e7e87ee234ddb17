// `send_money` through proxies and directly: passed, refused, executed; one by one and 16 in parallel, all in one run.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bankGateway, direct, pythonGateway } from './bank-gateway.ts';
import { inFlight } from './in-flight.ts';
import { ibanOf } from './in-process.ts';
import { type BenchReport, type BenchRow, percentile, rowOfRounds } from './report.ts';
import { type Peer, StdioPeer } from './stdio-peer.ts';

const rounds = 3;
const calls = 2_000;
const warmUp = 300;
const parallel = 16;

type Kind = 'passed' | 'refused' | 'executed';

interface Contestant {
  readonly name: string;
  readonly peer: Peer;
  /** The names of its kinds of call; a pass-through proxy and the server itself only pass. */
  readonly kinds: readonly Kind[];
}

/** Reached p50 in ms: the floor for our proxy. */
const bars: Readonly<Record<Kind, number>> = { passed: 0.25, refused: 0.6, executed: 0.9 };
const executedPerSecond = 5_000;

export async function run(): Promise<BenchReport> {
  const ours = bankGateway('ours');
  const contestants: Contestant[] = [
    { name: 'direct', peer: direct, kinds: ['passed', 'executed'] },
    { name: 'intentplane', peer: ours, kinds: ['passed', 'refused', 'executed'] },
    ...plainProxy(),
    ...pythonProxy(),
  ];
  const peers = new Map<Contestant, StdioPeer>();
  for (const contestant of contestants) {
    const peer = new StdioPeer(contestant.peer);
    await peer.initialize();
    peers.set(contestant, peer);
    for (const kind of contestant.kinds) await sequential(peer, kind, warmUp);
  }
  const rows: BenchRow[] = [];
  for (const kind of ['passed', 'refused', 'executed'] as const) {
    rows.push(
      ...(await compare(
        [...peers].filter(([contestant]) => contestant.kinds.includes(kind)),
        kind,
      )),
    );
  }
  for (const peer of peers.values()) await peer.close();
  rmSync(ours.folder, { recursive: true, force: true });
  return { rows, notes: notes(contestants) };
}

/** Contestants take turns in every round, so that a slow minute hits all of them. */
async function compare(
  entries: readonly (readonly [Contestant, StdioPeer])[],
  kind: Kind,
): Promise<readonly BenchRow[]> {
  const p50 = new Map<string, number[]>();
  const p99 = new Map<string, number[]>();
  const rate = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [{ name }, peer] of entries) {
      const times = await sequential(peer, kind, calls);
      push(p50, name, percentile(times, 0.5));
      push(p99, name, percentile(times, 0.99));
      push(rate, name, await inFlight(calls, parallel, () => one(peer, kind)));
    }
  }
  return entries.flatMap(([{ name }]) => {
    const isOurs = name === 'intentplane';
    return [
      rowOfRounds(
        [`${kind}: ${name}, p50`, 'ms'],
        p50.get(name) ?? [],
        isOurs ? { reach: `≤ ${bars[kind]} ms`, holds: (value) => value <= bars[kind] } : undefined,
      ),
      rowOfRounds([`${kind}: ${name}, p99`, 'ms'], p99.get(name) ?? []),
      rowOfRounds(
        [`${kind}: ${name}, ${parallel} in parallel`, '/s'],
        rate.get(name) ?? [],
        isOurs && kind === 'executed'
          ? { reach: `≥ ${executedPerSecond}/s`, holds: (value) => value >= executedPerSecond }
          : undefined,
      ),
    ];
  });
}

const push = (map: Map<string, number[]>, key: string, value: number): void => {
  map.set(key, [...(map.get(key) ?? []), value]);
};

let serial = 0;

/** Each payment has its own subject: no two calls are the same call. */
async function one(peer: StdioPeer, kind: Kind): Promise<void> {
  serial += 1;
  if (kind === 'passed') return peer.call('get_balance', {}, false);
  const recipient = kind === 'executed' ? ibanOf(serial % 1_000) : ibanOf(9_000_000 + serial);
  return peer.call(
    'send_money',
    { recipient, amount: 0.01, subject: `Invoice ${serial}` },
    kind === 'refused',
  );
}

async function sequential(peer: StdioPeer, kind: Kind, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    await one(peer, kind);
    times.push(performance.now() - start);
  }
  return times;
}

/** `mcp-proxy` over stdio is not offered by its package; it passes through over HTTP, so another plain hop is used: a second gateway without guarded tools. */
function plainProxy(): readonly Contestant[] {
  const script = fileURLToPath(new URL('./plain-proxy.ts', import.meta.url));
  return [
    {
      name: 'plain SDK pass-through',
      peer: { command: process.execPath, args: [script, direct.command, ...direct.args] },
      kinds: ['passed', 'executed'],
    },
  ];
}

function pythonProxy(): readonly Contestant[] {
  const peer = pythonGateway();
  if (peer === undefined) return [];
  return [
    { name: 'intentplane-mcp 0.5.3 (Python)', peer, kinds: ['passed', 'refused', 'executed'] },
  ];
}

const notes = (contestants: readonly Contestant[]): readonly string[] => [
  `${calls} calls a round, ${rounds} rounds, contestants take turns; the client is part of every figure`,
  ...(contestants.some((contestant) => contestant.name.includes('Python'))
    ? []
    : ['without the Python predecessor: run scripts/python-peers.sh once']),
];
