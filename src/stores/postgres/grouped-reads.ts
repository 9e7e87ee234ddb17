// Reads by id that are asked for while one is under way go into the next statement together: what
// the server plans for one id it plans once for all of them.

interface Waiting<T> {
  readonly resolve: (value: T | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export class GroupedReads<T> {
  readonly #readAll: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  #waiting = new Map<string, Waiting<T>[]>();
  #isReading = false;

  constructor(readAll: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    this.#readAll = readAll;
  }

  /** Begins after this call, so it sees all that was committed before. */
  read(id: string): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const others = this.#waiting.get(id);
      if (others === undefined) this.#waiting.set(id, [{ resolve, reject }]);
      else others.push({ resolve, reject });
      if (!this.#isReading) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isReading = true;
    // Callers of one turn go together.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const waiting = this.#waiting;
      this.#waiting = new Map();
      try {
        const found = await this.#readAll([...waiting.keys()]);
        for (const [id, callers] of waiting)
          for (const { resolve } of callers) resolve(found.get(id));
      } catch (error) {
        for (const { reject } of [...waiting.values()].flat()) reject(error);
      }
    }
    this.#isReading = false;
  }
}
