// Tampers with copies of a store in every way of the table, and looks whether somebody notices.
import { faultsWayOut } from '../../src/server/fsck-store.ts';
import { Cluster, findBinaries } from '../fixtures/postgres/cluster.ts';
import type { Break } from './chaos-break.ts';
import { type Finding, lookForTampering, type Place } from './tamper/look-for-tampering.ts';
import { type TamperCase, tamperCases } from './tamper/tamper-cases.ts';
import { type Dialect, FilledStores } from './tamper/tampered-store.ts';

/** One line of the table. */
interface TamperRow {
  readonly case: string;
  readonly store: Dialect;
  readonly place: Place;
  readonly ok: boolean;
  /** Codes by place; null where nothing was noticed. */
  readonly start: string | null;
  readonly fsck: string | null;
  readonly verify: string | null;
  /** What the place that must notice it says. */
  readonly words: string;
}

export interface TamperReport {
  readonly ok: boolean;
  readonly cases: number;
  /** Why a store was left out; empty when none was. */
  readonly leftOut: readonly string[];
  readonly table: readonly TamperRow[];
  readonly problems: readonly string[];
}

/** All cases on both stores; on PostgreSQL where it is installed. */
export async function tamperAll(
  cases: readonly TamperCase[] = tamperCases,
  dialects: readonly Dialect[] = ['sqlite', 'postgres'],
): Promise<TamperReport> {
  const table: TamperRow[] = [];
  const leftOut: string[] = [];
  for (const dialect of dialects) {
    if (dialect === 'sqlite') table.push(...(await onStore(cases, undefined)));
    else if (findBinaries() === undefined) leftOut.push('PostgreSQL is not installed');
    else table.push(...(await onPostgres(cases)));
  }
  const problems = table
    .filter((row) => !row.ok)
    .map(({ case: name, store, place, words }) => `${name} (${store}): ${place} says \`${words}\``);
  return { ok: problems.length === 0, cases: table.length, leftOut, table, problems };
}

async function onPostgres(cases: readonly TamperCase[]): Promise<readonly TamperRow[]> {
  const cluster = await Cluster.start();
  try {
    return await onStore(cases, cluster);
  } finally {
    await cluster.remove();
  }
}

async function onStore(
  cases: readonly TamperCase[],
  cluster: Cluster | undefined,
): Promise<readonly TamperRow[]> {
  const filled = await FilledStores.fill(cluster);
  const rows: TamperRow[] = [];
  try {
    for (const each of cases) rows.push(...(await tryCase(filled, each)));
    return rows;
  } finally {
    await filled.remove();
  }
}

async function tryCase(filled: FilledStores, tried: TamperCase): Promise<readonly TamperRow[]> {
  const { name, only, tamper, notice, place } = tried;
  if (only !== undefined && only !== filled.dialect) return [];
  const store = await filled.copy();
  await tamper?.(store);
  const found =
    notice === undefined
      ? await lookForTampering(filled, store)
      : { start: await notice(store), fsck: undefined, verify: undefined };
  const finding = found[place];
  const says = (noticed: Finding | undefined): string | null => noticed?.code ?? null;
  return [
    {
      case: name,
      store: filled.dialect,
      place,
      ok: isNoticed(finding, tried),
      start: says(found.start),
      fsck: says(found.fsck),
      verify: says(found.verify),
      words: clip(finding?.words ?? 'nothing'),
    },
  ];
}

/** With the code, the thing and the way out. */
function isNoticed(finding: Finding | undefined, { code, thing, place }: TamperCase): boolean {
  if (finding?.code.split(' ').includes(code) !== true || !thing.test(finding.words)) return false;
  return place !== 'fsck' || finding.words.endsWith(faultsWayOut);
}

const clip = (words: string): string => words.slice(0, 300);

/** `npm run chaos -- tamper`: both forms try everything. */
export const tamperBreak: Break = async () => ({ ...(await tamperAll()) });
