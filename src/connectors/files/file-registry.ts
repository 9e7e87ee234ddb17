// A registry that is a file of records.
import type { ValueReading } from '../../core/contract.ts';
import type { Candidate } from '../../core/facts.ts';
import type { TrustedIndex } from '../../core/trusted-index.ts';
import type { LoadRegistries, RegistrySettings } from '../load-registries.ts';
import type { ListedRecord, Registry, RegistryQuery } from '../registry.ts';
import type { FileProblem } from './parse-records.ts';
import { WatchedFile } from './watched-file.ts';

/** Records shown by the listing tool. */
const listedMax = 200;

type Context = Parameters<LoadRegistries>[1];

export class FileRegistry implements Registry {
  readonly #settings: RegistrySettings;
  readonly #context: Context;
  readonly #file: WatchedFile;
  readonly #fields: ReadonlyMap<string, ValueReading>;

  constructor(settings: RegistrySettings, context: Context) {
    this.#settings = settings;
    this.#context = context;
    this.#fields = new Map(Object.entries(settings.reading.fields));
    const { file, format, reading } = settings;
    const { principal } = context;
    this.#file = new WatchedFile({
      file,
      format,
      reading: { ...reading, principal },
      onChange: this.#tell,
    });
  }

  get name(): string {
    return this.#settings.name;
  }

  get listable(): boolean {
    return this.#settings.listable;
  }

  get ready(): boolean {
    return this.#file.indexes !== undefined;
  }

  /** Why the file cannot be used; the first load makes it a start error. */
  get problem(): FileProblem | undefined {
    return this.#file.problem;
  }

  get warnings(): readonly string[] {
    return this.#file.indexes?.warnings() ?? [];
  }

  readingOf(field: string | undefined): ValueReading {
    const { own } = this.#settings.reading;
    // INVARIANT: every field that a source names is declared when the file is loaded.
    return field === undefined ? own : (this.#fields.get(field) ?? own);
  }

  refresh(): void {
    this.#file.refresh();
  }

  settled(): Promise<void> {
    return this.#file.settled();
  }

  byValue(query: RegistryQuery, canonical: string | number | boolean): readonly Candidate[] {
    return this.#aged(this.#find(query).flatMap((index) => index.byValue(canonical)));
  }

  hasLikeness(query: RegistryQuery, key: string): boolean {
    return this.#find(query).some((index) => index.hasLikeness(key));
  }

  byId(query: RegistryQuery, id: string): Candidate | undefined {
    return this.#aged(this.#find(query).flatMap((index) => index.byId(id) ?? []))[0];
  }

  byAlias(query: RegistryQuery, alias: string): readonly Candidate[] {
    return this.#aged(this.#find(query).flatMap((index) => index.byAlias(alias)));
  }

  trusts(tenant: string, canonical: string): boolean {
    const indexes = this.#file.indexes?.allOf(tenant) ?? [];
    return indexes.some((index) => index.byValue(canonical).length > 0);
  }

  list(tenant: string): readonly ListedRecord[] {
    const listed: ListedRecord[] = [];
    for (const index of this.#find({ tenant, field: undefined })) {
      for (const { recordId, display } of index.candidates()) {
        if (listed.length === listedMax) return listed;
        listed.push({ id: recordId, masked: mask(display) });
      }
    }
    return listed;
  }

  #find({ tenant, field }: RegistryQuery): readonly TrustedIndex[] {
    return this.#file.indexes?.find(tenant, field) ?? [];
  }

  /** Age is judged at each use. */
  #aged(candidates: readonly Candidate[]): readonly Candidate[] {
    const { maxAgeMs } = this.#settings;
    if (maxAgeMs === undefined || candidates.length === 0) return candidates;
    const oldestMs = this.#context.nowMs() - maxAgeMs;
    return candidates.map((candidate) => ({
      ...candidate,
      stale: (candidate.verifiedAtMs ?? 0) < oldestMs,
    }));
  }

  /** Names of records, never their values. */
  readonly #tell = (problem: FileProblem | undefined, warnings: readonly string[]): void => {
    const { name, file } = this.#settings;
    const { log } = this.#context;
    const about = `registry \`${name}\``;
    if (problem !== undefined) {
      log('error', `${about}: ${file} ${problem.message}; calls that need it are refused`);
      return;
    }
    log('info', `${about}: ${file} is read`);
    for (const warning of warnings) log('warn', `${about}: ${warning}`);
  };
}

/** Enough to recognise, not enough to copy. */
function mask(display: string): string {
  if (display.length <= 6) return `${display.slice(0, 1)}…`;
  return `${display.slice(0, 4)}…${display.slice(-2)}`;
}
