// When a record was confirmed and when it changed, as its owner wrote it.
import { normalisers } from '../../core/checks/normalisers.ts';
import type { FileRecord } from './parse-records.ts';

export interface RecordTimes {
  readonly verifiedAtMs: number | undefined;
  readonly changedAtMs: number | undefined;
}

/** A time that cannot be read is a fault: taken as absent, it would make an old record look fresh. */
export function timesOf({ fields }: FileRecord): RecordTimes | string {
  const [verifiedAtMs, changedAtMs] = [
    timeMs(fields.get('verified_at')),
    timeMs(fields.get('changed_at')),
  ];
  if (verifiedAtMs === null) return notTime('verified_at');
  if (changedAtMs === null) return notTime('changed_at');
  return { verifiedAtMs, changedAtMs };
}

const notTime = (field: string): string =>
  `\`${field}\` must be a day (2026-11-30) or an instant with its offset (2026-11-30T12:00:00Z)`;

function timeMs(value: string | number | boolean | undefined): number | undefined | null {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return null;
  for (const name of ['date', 'instant']) {
    const read = normalisers.get(name)?.normalise(value, {});
    if (read?.ok === true) return Date.parse(String(read.canonical));
  }
  return null;
}
