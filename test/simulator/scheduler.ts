// Decides what happens next. Every wait of the gateway ends in a task here, so one seed is one
// interleaving; whatever is due may be made to wait for any other.
import type { Random } from './random.ts';

interface Task {
  /** Process the task belongs to, or `network`, which outlives every process. */
  readonly owner: string;
  readonly run: () => void;
  readonly what: string;
}

export class Scheduler {
  readonly #random: Random;
  readonly #paused = new Set<string>();
  readonly #gone = new Set<string>();
  #tasks: Task[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  add(owner: string, what: string, run: () => void): void {
    if (!this.#gone.has(owner)) this.#tasks.push({ owner, what, run });
  }

  /** A process that is gone never hears of what it waited for. */
  drop(owner: string): void {
    this.#gone.add(owner);
    this.#tasks = this.#tasks.filter((task) => task.owner !== owner);
    this.#paused.delete(owner);
  }

  pause(owner: string): void {
    this.#paused.add(owner);
  }

  resume(owner: string): void {
    this.#paused.delete(owner);
  }

  /** Runs one task and everything that follows from it at once; false when none is due. */
  async runOne(note: (what: string) => void): Promise<boolean> {
    const ready =
      this.#paused.size === 0
        ? this.#tasks
        : this.#tasks.filter(({ owner }) => !this.#paused.has(owner));
    if (ready.length === 0) return false;
    const task = this.#random.pick(ready);
    this.#tasks.splice(this.#tasks.indexOf(task), 1);
    note(`${task.owner} ${task.what}`);
    task.run();
    await settled();
    return true;
  }
}

/** Resolves when nothing runs any more that does not wait for a task. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
