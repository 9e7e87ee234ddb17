// The contract of a witness's memory: the newest checkpoint of each log.

/** The newest checkpoint that was cosigned for a log. */
export interface WitnessedCheckpoint {
  readonly size: number;
  readonly root: Uint8Array;
  /** Signed note with the lines of the log and of the witness. */
  readonly note: string;
}

/** Throws `StoreError`. */
export interface WitnessStore {
  /** Undefined for a log of which nothing was ever cosigned. */
  read(origin: string): WitnessedCheckpoint | undefined;
  /** Compares and stores in one transaction: no other process comes between. What `next` gives is durable when this returns. */
  advance<T>(
    origin: string,
    next: (seen: WitnessedCheckpoint | undefined) => {
      /** Takes the place of what was seen; absent = nothing changes. */
      readonly keep?: WitnessedCheckpoint;
      readonly answer: T;
    },
  ): T;
  close(): void;
}
