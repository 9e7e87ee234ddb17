// Records become indexes: one per tenant and field, every value normalised once.
import { normalisers } from '../../core/checks/normalisers.ts';
import { scaleNumber } from '../../core/checks/scaled-number.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { Candidate } from '../../core/facts.ts';
import { TrustedIndex } from '../../core/trusted-index.ts';
import type { FileRecord, RecordValue } from './parse-records.ts';

/** How a registry reads its records. */
export interface RecordReading {
  readonly normalize: string | undefined;
  /** Field that is the record's own value; undefined = the plain value or the field `value`. */
  readonly value: string | undefined;
  readonly fields: Readonly<Record<string, { readonly normalize: string | undefined }>>;
  readonly alias: readonly string[];
  readonly owner:
    | { readonly kind: 'principal' }
    | { readonly kind: 'everyone' }
    | { readonly kind: 'field'; readonly field: string };
  readonly scale: number;
  readonly principal: string;
  /** Version and age where the record has none of its own. */
  readonly fileTimeMs: number;
}

/** Tenant of records that everybody may use. */
export const everyone = '*';
/** Key of a record's own value among its fields. */
const ownValue = '';

export class RecordIndexes {
  readonly #byTenant = new Map<string, Map<string, TrustedIndex>>();
  readonly warnings: string[] = [];
  /** First record that cannot be read; the whole file is refused then. */
  problem: string | undefined;
  size = 0;

  add(record: FileRecord, reading: RecordReading): void {
    const tenant = tenantOf(record, reading);
    if (tenant === undefined) {
      this.problem ??= `record \`${record.id}\` has no owner field`;
      return;
    }
    this.size += 1;
    const aliases = reading.alias.flatMap((name) => record.fields.get(name)?.toString() ?? []);
    const own = ownValueOf(record, reading);
    if (own !== undefined) this.#addField(record, { reading, tenant, field: ownValue, own, aliases });
    for (const field of Object.keys(reading.fields)) {
      const value = record.fields.get(field);
      if (value !== undefined) this.#addField(record, { reading, tenant, field, own: value, aliases });
    }
    if (own === undefined && Object.keys(reading.fields).length === 0) {
      this.problem ??= `record \`${record.id}\` has no value: name its field with \`value\` or \`fields\``;
    }
  }

  /** Records of the tenant and those of everybody. */
  find(tenant: string, field: string | undefined): readonly TrustedIndex[] {
    const indexes = [this.#byTenant.get(tenant), this.#byTenant.get(everyone)];
    return indexes.flatMap((fields) => fields?.get(field ?? ownValue) ?? []);
  }

  /** Every field of the tenant, for outgoing texts. */
  allOf(tenant: string): readonly TrustedIndex[] {
    return [tenant, everyone].flatMap((name) => [...(this.#byTenant.get(name)?.values() ?? [])]);
  }

  #addField(
    record: FileRecord,
    at: { readonly reading: RecordReading; readonly tenant: string; readonly field: string; readonly own: RecordValue; readonly aliases: readonly string[] },
  ): void {
    const { reading, tenant, field, own, aliases } = at;
    const normaliser = field === ownValue ? reading.normalize : reading.fields[field]?.normalize;
    const candidate = candidateOf(record, own, { normaliser, reading });
    if (typeof candidate === 'string') {
      this.problem ??= `record \`${record.id}\`${field === ownValue ? '' : `, field \`${field}\``}: ${candidate}`;
      return;
    }
    const index = this.#indexOf(tenant, field);
    const twins = index.byValue(candidate.canonical);
    if (twins.length > 0 && this.warnings.length < 20) {
      this.warnings.push(`records \`${twins[0]?.recordId}\` and \`${record.id}\` have the same value${field === ownValue ? '' : ` in \`${field}\``}`);
    }
    index.add(candidate, aliases);
  }

  #indexOf(tenant: string, field: string): TrustedIndex {
    const fields = this.#byTenant.get(tenant) ?? new Map<string, TrustedIndex>();
    this.#byTenant.set(tenant, fields);
    const index = fields.get(field) ?? new TrustedIndex();
    fields.set(field, index);
    return index;
  }
}

function tenantOf(record: FileRecord, { owner, principal }: RecordReading): string | undefined {
  if (owner.kind === 'everyone') return everyone;
  if (owner.kind === 'principal') return principal;
  return record.fields.get(owner.field)?.toString();
}

function ownValueOf(record: FileRecord, { value }: RecordReading): RecordValue | undefined {
  if (value !== undefined) return record.fields.get(value);
  return record.plain ?? record.fields.get('value');
}

/** The candidate, or why the value cannot be one. */
function candidateOf(
  record: FileRecord,
  own: RecordValue,
  { normaliser: name, reading }: { readonly normaliser: string | undefined; readonly reading: RecordReading },
): Candidate | string {
  const read = readValue(own, name, reading.scale);
  if (typeof read === 'string') return read;
  const changed = timeOf(record.fields.get('changed_at'));
  return {
    canonical: read.canonical,
    display: read.display,
    own,
    recordId: record.id,
    version: versionOf(record, own),
    ...(changed === undefined ? {} : { changedAtMs: changed }),
    stale: false,
    verifiedAtMs: timeOf(record.fields.get('verified_at')) ?? reading.fileTimeMs,
  };
}

function readValue(
  own: RecordValue,
  name: string | undefined,
  scale: number,
): { readonly canonical: string | number | boolean; readonly display: string } | string {
  if (name === undefined && typeof own === 'number') {
    const scaled = scaleNumber(String(own), scale);
    return scaled.ok ? { canonical: scaled.value, display: String(own) } : 'is not whole after scaling';
  }
  if (name === undefined && typeof own === 'boolean') return { canonical: own, display: String(own) };
  const read = normalisers.get(name ?? 'exact')?.normalise(own, {});
  if (read?.ok === true) return { canonical: read.canonical, display: read.display };
  const advice = name === 'iban' ? '; for accounts without valid check digits use normalize = "iban-lenient"' : '';
  return `is no ${name ?? 'plain'} value${read?.hint === undefined ? '' : ` (${read.hint})`}${advice}`;
}

/** The record's own version, else a digest of its content. */
function versionOf(record: FileRecord, own: RecordValue): string {
  const version = record.fields.get('version');
  if (version !== undefined) return String(version);
  return sha256Hex(JSON.stringify([record.id, own, [...record.fields]])).slice(0, 16);
}

/** A day or an instant; anything else is no time. */
function timeOf(value: RecordValue | undefined): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(value)) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : ms;
}
