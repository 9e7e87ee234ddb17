/** One behaviour of the specification. A row is pure data: no imports, no logic. */
export interface Requirement {
  /** Prefix of the document and a number, for example `EXE-05`. */
  readonly id: string;
  /** The document and section that asks for it. */
  readonly source: string;
  /** What must hold, in one sentence. */
  readonly behaviour: string;
  /**
   * Why the behaviour does not hold yet. Its tests then run as expected-to-fail, so a fix makes
   * them fail until this field is removed.
   */
  readonly knownFailure?: string;
}
