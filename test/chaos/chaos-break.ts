// What `npm run chaos` runs: one way to break the product, and what it found.

interface BreakRequest {
  /** The long form is run by hand on a quiet machine; the short one belongs to the tests. */
  readonly isLong: boolean;
  /** Chooses every position and moment that is chosen at random. */
  readonly seed: number;
  /** How often it is broken; undefined = the usual number of the form. */
  readonly count: number | undefined;
}

/** One JSON object: figures by name, beside the verdict. */
export interface BreakReport {
  readonly ok: boolean;
  /** What contradicts itself, one line each; empty when everything holds. */
  readonly problems: readonly string[];
  readonly [figure: string]: unknown;
}

export type Break = (request: BreakRequest) => Promise<BreakReport>;
