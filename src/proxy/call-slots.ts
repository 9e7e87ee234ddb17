// How many calls run at the same time: per server, in all, and how many may wait. A call that is
// cancelled while it waits leaves the queue at once.

const perServerMax = 32;
const totalMax = 256;
const queueMax = 1024;

interface Waiting {
  readonly server: string;
  readonly start: (release: Release) => void;
}

export interface SlotPlace {
  /** It did not start at once. */
  readonly isWaiting: boolean;
  /** Gives up waiting; false when the call runs already. */
  leave(): boolean;
}

/** Gives the slot back. Calling it twice does nothing. */
export type Release = () => void;

export class CallSlots {
  readonly #running = new Map<string, number>();
  #total = 0;
  readonly #queue: Set<Waiting> = new Set();

  /** Runs `start` now or when its turn comes. Undefined: the queue is full. */
  take(server: string, start: (release: Release) => void): SlotPlace | undefined {
    const waiting: Waiting = { server, start };
    if (this.#isFree(server)) {
      this.#begin(waiting);
      return started;
    }
    if (this.#queue.size >= queueMax) return undefined;
    this.#queue.add(waiting);
    return { isWaiting: true, leave: () => this.#queue.delete(waiting) };
  }

  #isFree(server: string): boolean {
    return this.#total < totalMax && (this.#running.get(server) ?? 0) < perServerMax;
  }

  #begin({ server, start }: Waiting): void {
    this.#total += 1;
    this.#running.set(server, (this.#running.get(server) ?? 0) + 1);
    let isReleased = false;
    start(() => {
      if (isReleased) return;
      isReleased = true;
      this.#total -= 1;
      this.#running.set(server, (this.#running.get(server) ?? 1) - 1);
      this.#next();
    });
  }

  // In the order of arrival; a busy server does not hold up calls of another one. One slot became
  // free, so at most one call starts.
  #next(): void {
    for (const waiting of this.#queue) {
      if (!this.#isFree(waiting.server)) continue;
      this.#queue.delete(waiting);
      this.#begin(waiting);
      return;
    }
  }
}

const started: SlotPlace = { isWaiting: false, leave: () => false };
