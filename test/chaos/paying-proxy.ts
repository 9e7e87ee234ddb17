// A real proxy whose callers pay without a pause, one euro at a time, each payment with a note of
// its own; what they were told is kept.
import { codeOf, type World } from '../fixtures/product/world.ts';
import { vendorIban } from '../fixtures/product/world-files.ts';
import type { Frame, RawClient } from '../fixtures/raw-client.ts';

/** A proxy that says nothing for this long is given up: above every limit of the product. */
const answerMaxMs = 60_000;
/** What a client has read is thrown away after so many calls: it keeps every line otherwise. */
const framesMax = 500;
/** Callers that are refused, while the store is away, ask again after this long. */
const refusedPauseMs = 20;

export interface PayingOptions {
  /** First part of every note. */
  readonly name: string;
  readonly callers: number;
  readonly configFile?: string;
}

/** One answered payment. */
export interface PaidAnswer {
  readonly calledMs: number;
  readonly answeredMs: number;
}

export class PayingProxy {
  readonly name: string;
  /** Note of each answered payment → its code. */
  readonly told: Map<string, string | number> = new Map();
  /** When payments of the running process were answered `executed`. */
  #paid: PaidAnswer[] = [];
  readonly #world: World;
  readonly #options: PayingOptions;
  #serial = 0;
  #client: RawClient | undefined;
  #callers: readonly Promise<void>[] = [];
  #isEnding = false;
  #waiting: { readonly sinceMs: number; readonly resolve: () => void }[] = [];

  constructor(world: World, options: PayingOptions) {
    this.#world = world;
    this.#options = options;
    this.name = options.name;
  }

  get acknowledged(): readonly string[] {
    return [...this.told].filter(([, code]) => code === 'executed').map(([note]) => note);
  }

  /** Payments answered by the process that runs now, oldest first. */
  get paid(): readonly PaidAnswer[] {
    return this.#paid;
  }

  get isRunning(): boolean {
    return this.#client?.isRunning === true;
  }

  get stderr(): string {
    return this.#client?.stderr ?? '';
  }

  /** Seconds from the start of the process to the list of its tools. */
  async start(): Promise<number> {
    const startedMs = performance.now();
    const { configFile, callers } = this.#options;
    const client = await this.#world.start(configFile === undefined ? {} : { configFile });
    this.#client = client;
    this.#isEnding = false;
    this.#paid = [];
    this.#callers = Array.from({ length: callers }, () => this.#pay(client));
    return (performance.now() - startedMs) / 1_000;
  }

  async kill(): Promise<void> {
    this.#isEnding = true;
    this.#client?.kill('SIGKILL');
    await this.#client?.exited;
    await this.#client?.stop();
    await Promise.all(this.#callers);
  }

  /** Lets every call come to its end, then ends the process in good order. */
  async close(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#callers);
    await this.#client?.close();
  }

  /** Resolves when a payment that was called after now was answered `executed`. */
  untilPaid(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ sinceMs: performance.now(), resolve });
    });
  }

  async #pay(client: RawClient): Promise<void> {
    while (!this.#isEnding) {
      this.#serial += 1;
      const note = `${this.name}-${this.#serial}`;
      const calledMs = performance.now();
      const call = { recipient: vendorIban, amount: 1, note };
      const id = client.post('tools/call', { name: 'pay', arguments: call });
      const answer: Frame | undefined = await client
        .answerTo(id, answerMaxMs)
        .catch(() => undefined);
      // The process is gone: nobody was told anything.
      if (answer === undefined) return;
      if (client.frames.length > framesMax) forget(client);
      const code = codeOf(answer);
      this.told.set(note, code);
      if (code === 'executed') this.#note(calledMs);
      else await new Promise((resolve) => setTimeout(resolve, refusedPauseMs));
    }
  }

  #note(calledMs: number): void {
    this.#paid.push({ calledMs, answeredMs: performance.now() });
    const isDue = ({ sinceMs }: { readonly sinceMs: number }): boolean => sinceMs <= calledMs;
    for (const { resolve } of this.#waiting.filter(isDue)) resolve();
    this.#waiting = this.#waiting.filter((each) => !isDue(each));
  }
}

/** Every answer so far was taken by its caller. */
function forget(client: RawClient): void {
  client.frames.splice(0);
  client.lines.splice(0);
}
