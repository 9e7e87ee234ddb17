// What the commands of an operator do with a store beside serving it.

/** What a migration found and did. */
export interface MigrationReport {
  /** Version before; 0 for an empty database. */
  readonly from: number;
  readonly to: number;
  /** File names, in order. */
  readonly applied: readonly string[];
}

/** A store as it stands, with its log recomputed from its nodes. */
export interface StoreInspection {
  readonly kind: 'memory' | 'sqlite' | 'postgres';
  /** Version of the database server, or of the library. */
  readonly server: string | undefined;
  /** Settings that durability rests on. */
  readonly settings: Readonly<Record<string, string>>;
  /** Version of the tables. */
  readonly schema: number | undefined;
  readonly size: number;
  readonly root: Uint8Array;
}

/** A copy of a store in one file. */
export interface BackupReport {
  readonly sizeBytes: number;
  /** The log that the copy holds. */
  readonly size: number;
  readonly root: Uint8Array;
}
