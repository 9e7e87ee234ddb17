// Seeds whose histories once broke a rule. A seed means a history only as long as the simulator asks
// chance in the same order: each fault also has a test of its own, and this list is renewed when the
// simulator changes.

export interface KeptSeed {
  readonly seed: number;
  /** What the history showed, and where it is mended. */
  readonly showed: string;
}

export const keptSeeds: readonly KeptSeed[] = [
  {
    seed: 13,
    showed: 'a process that slept sent what was settled meanwhile (execute-operation)',
  },
  {
    seed: 213,
    showed: 'the same after a person had found nothing: it happened, and was FAILED',
  },
  {
    seed: 111,
    showed: 'a success that came late was not named in its row (plan-outcome)',
  },
  {
    seed: 449,
    showed: 'a definite tool error that came late left its operation UNKNOWN (plan-outcome)',
  },
  {
    seed: 2_654,
    showed: 'an untold success was told by the error that had come back (tell-success)',
  },
];
