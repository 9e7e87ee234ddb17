// The records of one file as they are now: looked at before each use, read again when the file changed.
import { readFileSync, type Stats, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { decodeUtf8Strict } from '../../core/checks/strict-json.ts';
import { RecordIndexes, type RecordReading } from './index-records.ts';
import { type FileProblem, type RecordFormat, readRecords } from './parse-records.ts';

export interface WatchedFileSettings {
  readonly file: string;
  readonly format: RecordFormat;
  readonly reading: Omit<RecordReading, 'fileTimeMs' | 'isText'>;
  /** Told when the file cannot be used, and when it can again. */
  readonly onChange: (problem: FileProblem | undefined, warnings: readonly string[]) => void;
}

/** Files with more records, or larger ones, are read in slices while the process already answers. */
const recordsAtOnce = 10_000;
const bytesAtOnce = 2 * 1024 * 1024;

/** One state of the file. */
interface Seen {
  readonly stats: Stats;
  readonly key: string;
}

/** Nothing is served from memory once the file is gone, broken or another one. */
export class WatchedFile {
  readonly #settings: WatchedFileSettings;
  /** Which state of the file was looked at last; undefined = none yet. */
  #key: string | undefined;
  #indexes: RecordIndexes | undefined;
  #problem: FileProblem | undefined;
  #indexing: Promise<void> = Promise.resolve();

  constructor(settings: WatchedFileSettings) {
    this.#settings = settings;
    this.refresh();
  }

  /** Undefined while the file is read, or cannot be used. */
  get indexes(): RecordIndexes | undefined {
    return this.#indexes;
  }

  get problem(): FileProblem | undefined {
    return this.#problem;
  }

  /** One `stat` while nothing changed. */
  refresh(): void {
    const stats = this.#stat();
    const key =
      stats === undefined ? '' : [stats.mtimeMs, stats.ctimeMs, stats.size, stats.ino].join();
    if (key === this.#key) return;
    this.#key = key;
    this.#indexes = undefined;
    this.#indexing = Promise.resolve();
    if (stats === undefined)
      this.#fail({ message: 'cannot be read: create it, or correct the path' });
    else this.#read({ stats, key });
  }

  /** Resolves when a reading that `refresh` began is done. */
  settled(): Promise<void> {
    return this.#indexing;
  }

  #stat(): Stats | undefined {
    try {
      return statSync(this.#settings.file);
    } catch {
      return undefined;
    }
  }

  #read(seen: Seen): void {
    const problem = faultOf(seen.stats);
    if (problem !== undefined) this.#fail(problem);
    else if (seen.stats.size > bytesAtOnce) this.#indexing = this.#readLarge(seen);
    else this.#readSmall(seen);
  }

  #readSmall(seen: Seen): void {
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(this.#settings.file);
    } catch {
      this.#fail(unreadable);
      return;
    }
    const steps = this.#steps(bytes, seen);
    let records = 0;
    for (let step = steps.next(); !step.done; step = steps.next()) {
      records += step.value;
      if (records >= recordsAtOnce) {
        this.#indexing = inSlices(steps);
        return;
      }
    }
  }

  async #readLarge(seen: Seen): Promise<void> {
    const bytes = await readFile(this.#settings.file).catch(() => undefined);
    if (this.#key !== seen.key) return;
    if (bytes === undefined) this.#fail(unreadable);
    else await inSlices(this.#steps(bytes, seen));
  }

  /** Yields the size of each batch. Stops at the first fault, and when the file changed meanwhile: another reading is under way then. */
  *#steps(bytes: Uint8Array, { stats, key }: Seen): Generator<number, void> {
    const text = decodeUtf8Strict(bytes.subarray(hasBom(bytes) ? 3 : 0));
    if (!text.ok) {
      this.#fail({ message: 'is no UTF-8 text: save it as UTF-8' });
      return;
    }
    const { reading, format } = this.#settings;
    const indexes = new RecordIndexes({
      ...reading,
      isText: format === 'csv',
      fileTimeMs: stats.mtimeMs,
    });
    const batches = readRecords(text.value, format);
    for (let batch = batches.next(); ; batch = batches.next()) {
      const problem = batch.done ? batch.value : indexes.addAll(batch.value);
      if (problem !== undefined) this.#fail(problem);
      else if (batch.done) this.#serve(indexes);
      if (problem !== undefined || batch.done) return;
      yield batch.value.length;
      if (this.#key !== key) return;
    }
  }

  #serve(indexes: RecordIndexes): void {
    indexes.close();
    this.#indexes = indexes;
    this.#problem = undefined;
    this.#settings.onChange(undefined, indexes.warnings());
  }

  #fail(problem: FileProblem): void {
    this.#indexes = undefined;
    this.#problem = problem;
    this.#settings.onChange(problem, []);
  }
}

const unreadable: FileProblem = { message: 'cannot be read: check its permissions' };

function faultOf(stats: Stats): FileProblem | undefined {
  if (!stats.isFile()) return { message: 'is no file: name a .json or .csv file' };
  if (process.platform === 'win32' || (stats.mode & 0o002) === 0) return undefined;
  return { message: 'can be written by everybody: run `chmod o-w` on it' };
}

/** One step, then whatever else waits. */
async function inSlices(steps: Generator<number, void>): Promise<void> {
  for (let step = steps.next(); !step.done; step = steps.next()) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

const hasBom = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
