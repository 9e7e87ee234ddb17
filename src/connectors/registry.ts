// The contract of a registry: trusted records of owners, found by canonical value, id or alias.
import type { ValueReading } from '../core/contract.ts';
import type { Candidate } from '../core/facts.ts';

/** Which owner's records are visible. Another owner's are as unknown as ones that do not exist. */
export interface RegistryQuery {
  readonly tenant: string;
  /** Field asked for; undefined = the record's own value. */
  readonly field: string | undefined;
}

/** One record as a person may see it in a list of trusted values. */
export interface ListedRecord {
  readonly id: string;
  /** Masked display value. */
  readonly masked: string;
}

/** Records of owners from one source, indexed by canonical value. */
export interface Registry {
  readonly name: string;
  readonly listable: boolean;
  /** How the record's own value, or one field, becomes canonical: an agent's value is read the same way. */
  readingOf(field: string | undefined): ValueReading;
  /** Looks whether the source changed and re-reads it; one that cannot be read is not `ready` until it can. Cheap when nothing changed. */
  refresh(): void;
  /** Resolves when a re-read that `refresh` began is done. */
  settled(): Promise<void>;
  readonly ready: boolean;
  /** Records of this tenant whose field has this canonical form. */
  byValue(query: RegistryQuery, canonical: string | number | boolean): readonly Candidate[];
  /** True when a trusted text of this tenant has this lookalike key. Ask only after a miss. */
  hasLikeness(query: RegistryQuery, key: string): boolean;
  /** The record with this id, or undefined. */
  byId(query: RegistryQuery, id: string): Candidate | undefined;
  /** Records of this tenant whose alias is exactly this text. */
  byAlias(query: RegistryQuery, alias: string): readonly Candidate[];
  /** True when some field of a record of this tenant has this canonical form (outgoing texts). */
  trusts(tenant: string, canonical: string): boolean;
  list(tenant: string): readonly ListedRecord[];
}
