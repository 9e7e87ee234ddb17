// What ends a process: a signal, or a store that can no longer be written.

export interface Stopping {
  /** 0 for a signal, 3 for a failure. */
  readonly stopped: Promise<0 | 3>;
  readonly fail: () => void;
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Listens once; a second signal ends the process at once. */
export function untilStopped(): Stopping {
  let fail: () => void = () => {};
  const stopped = new Promise<0 | 3>((resolve) => {
    fail = () => resolve(3);
    let isStopping = false;
    for (const signal of signals) {
      process.on(signal, () => {
        if (isStopping) process.exit(1);
        isStopping = true;
        resolve(0);
      });
    }
  });
  return { stopped, fail };
}
