// Disks that are full, as small file systems in memory that only the administrator can mount: one
// for the store, one for the key and its guard.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf, World } from '../../fixtures/product/world.ts';
import { bankServer, payTool, vendorIban } from '../../fixtures/product/world-files.ts';
import type { RawClient } from '../../fixtures/raw-client.ts';
import { judgePayments, nothingTold } from '../judge-payments.ts';

export interface FullDisk {
  readonly disk: 'store' | 'keys';
  /** Calls that were refused while it was full. */
  readonly refused: number;
  /** Why it was not tried. */
  readonly leftOut?: string;
  readonly problems: readonly string[];
}

const callsMax = 4_000;
const diskOptions = { store: 'size=4m,mode=700', keys: 'size=64k,mode=700' } as const;

/** Fills both disks, one after the other, and looks whether a payment happens. */
export async function fillDisks(): Promise<readonly FullDisk[]> {
  return [await onSmallDisk('store', fillStore), await onSmallDisk('keys', fillKeys)];
}

async function onSmallDisk(
  disk: FullDisk['disk'],
  use: (world: World, folder: string) => Promise<Omit<FullDisk, 'disk'>>,
): Promise<FullDisk> {
  const world = new World();
  const folder = world.path(disk === 'store' ? 'data' : 'keys');
  mkdirSync(folder, { mode: 0o700 });
  const options = ['-t', 'tmpfs', '-o', diskOptions[disk], 'tmpfs', folder];
  if (spawnSync('/bin/mount', options).status !== 0) {
    rmSync(world.folder, { recursive: true });
    const leftOut = 'only the administrator can mount a small disk';
    return { disk, refused: 0, leftOut, problems: [] };
  }
  try {
    chmodSync(folder, 0o700);
    world.configure({
      gateway: '[gateway]\nname = "full"\ndata = "data"\nrate_limit = 1000000',
      servers: bankServer(world.effectsFile),
      mandate: '[mandate]\nprincipal = "maya"\nbudget = 9007199254740991',
      tools: payTool('duplicate_window = 0'),
      more: '[keys]\nlog = "file:keys/log-key.pem"',
    });
    return { disk, ...(await use(world, folder)) };
  } finally {
    await world.discard().catch(() => {});
    spawnSync('/bin/umount', ['-l', folder]);
    rmSync(world.folder, { recursive: true, force: true });
  }
}

/**
 * Pays until the disk is full and makes room again. Where an outcome finds no room the gateway
 * stops, and a new one takes its place; where a decision finds none it refuses and goes on.
 */
async function fillStore(world: World, folder: string): Promise<Omit<FullDisk, 'disk'>> {
  const ballast = `${folder}/ballast`;
  writeFileSync(ballast, Buffer.alloc(1_000_000));
  const told = nothingTold();
  const client = await world.start();
  const pay = async (from: RawClient, note: string): Promise<string | number> => {
    const code = await payOnce(from, note);
    told.codes.set(note, code);
    return code;
  };
  let code: string | number = 'executed';
  for (let call = 0; code === 'executed' && call < callsMax; call += 1) {
    code = await pay(client, `n${call}`);
  }
  const isStopped = code === 'EXECUTION_UNKNOWN';
  const problems = isStopped
    ? await refusesStart(world, client)
    : await refusesCalls(world, (note) => pay(client, note));
  if (!isStopped && code !== 'RECEIPT_UNAVAILABLE') problems.push(`a full disk answers ${code}`);
  rmSync(ballast);
  const served = isStopped ? await world.start() : client;
  const later = await pay(served, 'later');
  if (later !== 'executed') problems.push(`with room again a payment is ${later}`);
  await served.close();
  const judgement = await judgePayments(world, told);
  return { refused: 3, problems: [...problems, ...judgement.problems] };
}

/** The one that could not write an outcome is gone, and no other one begins. */
async function refusesStart(world: World, client: RawClient): Promise<string[]> {
  const problems: string[] = [];
  const { code } = await client.exited;
  if (code !== 3) problems.push(`without a recorded outcome it ended with ${code}`);
  const start = await world.runHere(['mcp', 'run']);
  if (start.code !== 3 || !start.stderr.includes('is full: free some space')) {
    problems.push(`a start on a full disk ended with ${start.code}: ${start.stderr.slice(-300)}`);
  }
  return problems;
}

async function refusesCalls(
  world: World,
  pay: (note: string) => Promise<string | number>,
): Promise<string[]> {
  const before = world.effects().length;
  const codes = [await pay('full-1'), await pay('full-2')];
  const problems = codes
    .filter((code) => code !== 'RECEIPT_UNAVAILABLE')
    .map((code) => `a full disk answers ${code}`);
  if (world.effects().length !== before) problems.push('a payment happened on a full disk');
  return problems;
}

/** No key can be made: the start is refused in words; with room the gateway serves. */
async function fillKeys(world: World, folder: string): Promise<Omit<FullDisk, 'disk'>> {
  const ballast = `${folder}/ballast`;
  const problems: string[] = [];
  try {
    writeFileSync(ballast, Buffer.alloc(1_000_000));
  } catch {
    // As much as went in: it is full now.
  }
  const refused = await world.runHere(['mcp', 'run']);
  if (refused.code !== 3) problems.push(`the start ended with ${refused.code}`);
  if (!/(?:guard|key file) `[^`]+`.*cannot be/.test(refused.stderr)) {
    problems.push(`the refusal says: ${refused.stderr.slice(-300)}`);
  }
  rmSync(ballast);
  const client = await world.start();
  const code = await payOnce(client, 'later');
  if (code !== 'executed') problems.push(`with room again a payment is ${code}`);
  await client.close();
  return { refused: 1, problems };
}

async function payOnce(client: RawClient, note: string): Promise<string | number> {
  return codeOf(await client.callTool('pay', { recipient: vendorIban, amount: 1, note }));
}
