// Calls of several workers at once, each waiting for its own answer.

/** Calls per second of `workers` that make `count` calls together; `one` gets the numbers from `count` - 1 down to 0. */
export async function inFlight(
  count: number,
  workers: number,
  one: (left: number) => Promise<void>,
): Promise<number> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await one(left);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: workers }, worker));
  return (count / (performance.now() - start)) * 1_000;
}
