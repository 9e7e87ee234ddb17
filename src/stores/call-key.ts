// Keys by which callers of the library make a call once. They never expire.

/** A key of a caller with the call that it stands for. Both are keyed hashes. */
export interface CallKey {
  readonly key: string;
  readonly payload: string;
  /** Id of the one proposal that is decided under this key. */
  readonly opId: string;
}

/** The row as it is now; `isNew` = it was made for this claim. */
export interface ClaimedCallKey extends CallKey {
  readonly isNew: boolean;
}
