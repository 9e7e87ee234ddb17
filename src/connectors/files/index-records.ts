// Records become indexes: one per tenant and field, every value normalised once.
import { canonicalOf } from '../../core/checks/canonical-value.ts';
import type { ValueReading } from '../../core/contract.ts';
import type { Candidate } from '../../core/facts.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { type Neighbour, TrustedIndex } from '../../core/trusted-index.ts';
import type { RegistryReading } from '../load-registries.ts';
import type { FileProblem, FileRecord, RecordValue } from './parse-records.ts';
import { type RecordTimes, timesOf } from './record-times.ts';
import { refusalOf, typedValue } from './typed-value.ts';

/** How a file of records is read. */
export interface RecordReading extends RegistryReading {
  readonly principal: string;
  /** CSV: a cell is a text, also where a number is meant. */
  readonly isText: boolean;
  /** Version and age where the record has none of its own. */
  readonly fileTimeMs: number;
}

/** Key of a record's own value among its fields. */
const ownValue = '';
/** Warnings kept word by word; the others are counted. */
const warningsMax = 20;

type Indexes = Map<string, TrustedIndex>;

/** Filled record by record; usable when no record is at fault. */
export class RecordIndexes {
  readonly #reading: RecordReading;
  readonly #byTenant = new Map<string, Indexes>();
  /** Records of everybody stand apart: no tenant's name can reach or share them. */
  readonly #ofEveryone: Indexes = new Map();
  readonly #ids = new Set<string>();
  readonly #seenFields = new Set<string>();
  readonly #warnings: string[] = [];
  #warningCount = 0;
  #size = 0;

  constructor(reading: RecordReading) {
    this.#reading = reading;
  }

  /** The first fault of a record: it makes the whole file unusable. */
  addAll(records: readonly FileRecord[]): FileProblem | undefined {
    for (const record of records) {
      const fault = this.#add(record);
      if (fault === undefined) continue;
      const { id, line } = record;
      return { message: `record \`${id}\`: ${fault}`, ...(line === undefined ? {} : { line }) };
    }
    return undefined;
  }

  /** No record comes any more: what only the load needs is let go. */
  close(): void {
    this.#size = this.#ids.size;
    this.#ids.clear();
  }

  /** What a start should say although every record could be read. */
  warnings(): readonly string[] {
    const { fields, value } = this.#reading;
    if (this.#size === 0) return ['has no record yet: nothing resolves from it'];
    const named = [...Object.keys(fields), ...(value === undefined ? [] : [value])];
    const absent = named.filter((field) => !this.#seenFields.has(field));
    const left = this.#warningCount - this.#warnings.length;
    return [
      ...absent.map((field) => `no record has the field \`${field}\``),
      ...this.#warnings,
      ...(left > 0 ? [`${left} more warnings of this kind`] : []),
    ];
  }

  /** Records of the tenant and those of everybody. */
  find(tenant: string, field: string | undefined): readonly TrustedIndex[] {
    const key = field ?? ownValue;
    const indexes = [this.#byTenant.get(tenant)?.get(key), this.#ofEveryone.get(key)];
    return indexes.filter((index) => index !== undefined);
  }

  /** Every field of the tenant, for outgoing texts. */
  allOf(tenant: string): readonly TrustedIndex[] {
    return [...(this.#byTenant.get(tenant)?.values() ?? []), ...this.#ofEveryone.values()];
  }

  #add(record: FileRecord): string | undefined {
    if (this.#ids.has(record.id)) return 'its id is there twice';
    this.#ids.add(record.id);
    const indexes = this.#indexesOf(record);
    if (typeof indexes === 'string') return indexes;
    const times = timesOf(record);
    if (typeof times === 'string') return times;
    const values = valuesOf(record, this.#reading);
    if (values.length === 0) return 'has no value: name its field with `value` or `fields`';
    const shared = { times, version: versionOf(record), aliases: aliasesOf(record, this.#reading) };
    for (const { field, own } of values) {
      this.#seenFields.add(field === ownValue ? (this.#reading.value ?? field) : field);
      const candidate = this.#candidateOf(record, { field, own, ...shared });
      if (typeof candidate === 'string') return inField(field, candidate);
      const neighbour = indexOf(indexes, field).add(candidate, shared.aliases);
      if (neighbour !== undefined && this.#isIdentity(field))
        this.#warn(neighbour, record.id, field);
    }
    return undefined;
  }

  #indexesOf({ fields }: FileRecord): Indexes | string {
    const { owner, principal } = this.#reading;
    if (owner.kind === 'everyone') return this.#ofEveryone;
    const tenant = owner.kind === 'principal' ? principal : fields.get(owner.field)?.toString();
    if (tenant === undefined) return 'has no field that names its owner (see `owner`)';
    const known = this.#byTenant.get(tenant) ?? new Map<string, TrustedIndex>();
    this.#byTenant.set(tenant, known);
    return known;
  }

  #candidateOf(record: FileRecord, value: RecordPart): Candidate | string {
    const { field, own, times, version } = value;
    const typed = typedValue(own, this.#readingOf(field), this.#reading);
    const read = canonicalOf(typed.digits ?? typed.own, typed.reading);
    if (!read.ok) return refusalOf(typed.reading, read);
    const { canonical, display } = read;
    return {
      canonical,
      display,
      own: typed.own,
      recordId: record.id,
      version,
      stale: false,
      ...timed(times, this.#reading),
    };
  }

  /** Values that say who somebody is. Two invoices may well have one amount or one currency. */
  #isIdentity(field: string): boolean {
    const { normalize } = this.#readingOf(field);
    return field === ownValue || (normalize !== undefined && !plainNormalisers.has(normalize));
  }

  /** Two records with one value, or with two that look alike: legal, and worth knowing. */
  #warn({ kind, recordId }: Neighbour, id: string, field: string): void {
    this.#warningCount += 1;
    if (this.#warnings.length === warningsMax) return;
    const where = field === ownValue ? '' : ` in \`${field}\``;
    const what = kind === 'same' ? 'the same value' : 'values that look alike';
    this.#warnings.push(`records \`${recordId}\` and \`${id}\` have ${what}${where}`);
  }

  #readingOf(field: string): ValueReading {
    // INVARIANT: every field that is indexed is declared.
    return field === ownValue ? this.#reading.own : (this.#reading.fields[field] as ValueReading);
  }
}

const plainNormalisers = new Set(['exact', 'lower', 'money', 'date', 'instant']);

const inField = (field: string, fault: string): string =>
  field === ownValue ? fault : `\`${field}\`: ${fault}`;

interface RecordPart {
  readonly field: string;
  readonly own: RecordValue;
  readonly times: RecordTimes;
  readonly version: string;
}

function indexOf(indexes: Indexes, field: string): TrustedIndex {
  const index = indexes.get(field) ?? new TrustedIndex();
  indexes.set(field, index);
  return index;
}

/** The record's own value and its declared fields, as far as it has them. */
function valuesOf(
  { plain, fields }: FileRecord,
  { value, fields: declared }: RecordReading,
): readonly { readonly field: string; readonly own: RecordValue }[] {
  const own = value === undefined ? (plain ?? fields.get('value')) : fields.get(value);
  const parts = [
    { field: ownValue, own },
    ...Object.keys(declared).map((field) => ({ field, own: fields.get(field) })),
  ];
  return parts.flatMap((part) =>
    part.own === undefined ? [] : [{ field: part.field, own: part.own }],
  );
}

const aliasesOf = ({ fields }: FileRecord, { alias }: RecordReading): readonly string[] =>
  alias.flatMap((name) => fields.get(name)?.toString() ?? []);

/** The record's own version, else a digest of its content. */
function versionOf({ id, plain, fields }: FileRecord): string {
  const version = fields.get('version');
  if (version !== undefined) return String(version);
  return sha256Hex(JSON.stringify([id, plain ?? null, [...fields]])).slice(0, 16);
}

const timed = (
  times: RecordTimes,
  { fileTimeMs }: RecordReading,
): Pick<Candidate, 'verifiedAtMs' | 'changedAtMs'> => ({
  verifiedAtMs: times.verifiedAtMs ?? fileTimeMs,
  ...(times.changedAtMs === undefined ? {} : { changedAtMs: times.changedAtMs }),
});
