/** A process that was silent for this long may have lost what it had begun: 30 s. */
export const leaseMs = 30_000;
