// A registry that is a file: looked at before each decision, read again when it changed.
import { type Stats, readFileSync, statSync } from 'node:fs';
import type { Candidate } from '../../core/facts.ts';
import type { Log } from '../log.ts';
import type { ListedRecord, Registry, RegistryQuery } from '../registry.ts';
import { RecordIndexes, type RecordReading } from './index-records.ts';
import { type FileRecord, parseRecords } from './parse-records.ts';

export interface FileRegistrySettings {
  readonly name: string;
  readonly file: string;
  readonly format: 'json' | 'csv';
  readonly reading: Omit<RecordReading, 'fileTimeMs'>;
  readonly listable: boolean;
  readonly maxAgeMs: number | undefined;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** Larger files are indexed in slices while the process already answers. */
const sliceRecords = 10_000;
/** Records shown by the listing tool. */
const listedMax = 200;

export class FileRegistry implements Registry {
  readonly #settings: FileRegistrySettings;
  #indexes: RecordIndexes | undefined;
  #seen = '';
  #indexing: Promise<void> = Promise.resolve();
  /** Why the file cannot be used; the first load makes it a start error. */
  problem: { readonly message: string; readonly line?: number } | undefined;

  constructor(settings: FileRegistrySettings) {
    this.#settings = settings;
    this.refresh();
  }

  get name(): string {
    return this.#settings.name;
  }

  get listable(): boolean {
    return this.#settings.listable;
  }

  get ready(): boolean {
    return this.#indexes !== undefined;
  }

  get warnings(): readonly string[] {
    return this.#indexes?.warnings ?? [];
  }

  normaliserOf(field: string | undefined): string | undefined {
    const { reading } = this.#settings;
    return field === undefined ? reading.normalize : reading.fields[field]?.normalize;
  }

  /** One `stat`; a file that changed, vanished or broke is never read from memory. */
  refresh(): void {
    const stats = this.#stat();
    const seen = stats === undefined ? '' : `${stats.mtimeMs}/${stats.size}/${stats.ino}`;
    if (seen === this.#seen && seen !== '') return;
    this.#seen = seen;
    this.#indexes = undefined;
    if (stats === undefined) this.#fail({ message: 'cannot be read: create it, or correct the path' });
    else this.#read(stats);
  }

  settled(): Promise<void> {
    return this.#indexing;
  }

  byValue({ tenant, field }: RegistryQuery, canonical: string | number | boolean): readonly Candidate[] {
    return this.#fresh(this.#find(tenant, field).flatMap((index) => index.byValue(canonical)));
  }

  hasLikeness({ tenant, field }: RegistryQuery, key: string): boolean {
    return this.#find(tenant, field).some((index) => index.hasLikeness(key));
  }

  byId({ tenant, field }: RegistryQuery, id: string): Candidate | undefined {
    return this.#fresh(this.#find(tenant, field).flatMap((index) => index.byId(id) ?? []))[0];
  }

  byAlias({ tenant, field }: RegistryQuery, alias: string): readonly Candidate[] {
    return this.#fresh(this.#find(tenant, field).flatMap((index) => index.byAlias(alias)));
  }

  trusts(tenant: string, canonical: string): boolean {
    return this.#indexes?.allOf(tenant).some((index) => index.byValue(canonical).length > 0) === true;
  }

  list(tenant: string): readonly ListedRecord[] {
    const listed: ListedRecord[] = [];
    for (const index of this.#find(tenant, undefined)) {
      for (const { recordId, display } of index.candidates()) {
        if (listed.length < listedMax) listed.push({ id: recordId, masked: mask(display) });
      }
    }
    return listed;
  }

  #find(tenant: string, field: string | undefined): ReturnType<RecordIndexes['find']> {
    return this.#indexes?.find(tenant, field) ?? [];
  }

  /** Age is judged at each use. */
  #fresh(candidates: readonly Candidate[]): readonly Candidate[] {
    const { maxAgeMs, nowMs } = this.#settings;
    if (maxAgeMs === undefined || candidates.length === 0) return candidates;
    const oldest = nowMs() - maxAgeMs;
    return candidates.map((candidate) => ({
      ...candidate,
      stale: (candidate.verifiedAtMs ?? 0) < oldest,
    }));
  }

  #stat(): Stats | undefined {
    try {
      return statSync(this.#settings.file);
    } catch {
      return undefined;
    }
  }

  #read(stats: Stats): void {
    if (process.platform !== 'win32' && (stats.mode & 0o002) !== 0) {
      return this.#fail({ message: 'everybody can write it: run `chmod o-w` on it' });
    }
    let text: string;
    try {
      text = readFileSync(this.#settings.file, 'utf8');
    } catch {
      return this.#fail({ message: 'cannot be read: check its permissions' });
    }
    const parsed = parseRecords(text, this.#settings.format);
    if (!parsed.ok) return this.#fail(parsed);
    const indexes = new RecordIndexes();
    const reading = { ...this.#settings.reading, fileTimeMs: stats.mtimeMs };
    if (parsed.records.length <= sliceRecords) {
      for (const record of parsed.records) indexes.add(record, reading);
      this.#finish(indexes);
      return;
    }
    const seen = this.#seen;
    this.#indexing = this.#indexSlices(parsed.records, indexes, reading).then(() => {
      if (this.#seen === seen) this.#finish(indexes);
    });
  }

  async #indexSlices(
    records: readonly FileRecord[],
    indexes: RecordIndexes,
    reading: RecordReading,
  ): Promise<void> {
    for (let start = 0; start < records.length; start += sliceRecords) {
      for (const record of records.slice(start, start + sliceRecords)) indexes.add(record, reading);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  #finish(indexes: RecordIndexes): void {
    if (indexes.problem !== undefined) return this.#fail({ message: indexes.problem });
    this.problem = undefined;
    this.#indexes = indexes;
  }

  #fail(problem: { readonly message: string; readonly line?: number }): void {
    this.#indexes = undefined;
    this.problem = problem;
    this.#settings.log('error', `registry \`${this.name}\`: ${this.#settings.file} ${problem.message}`);
  }
}

/** Enough to recognise, not enough to copy. */
function mask(display: string): string {
  if (display.length <= 6) return `${display.slice(0, 1)}…`;
  return `${display.slice(0, 4)}…${display.slice(-2)}`;
}
