// Makes the look-ups of operations whose outcome nobody knows. Driven from outside: it has no timer.
import type { AssembledGateway } from '../gateway/assemble-gateway.ts';
import type { LogLine } from '../gateway/gateway-parts.ts';

/** Targets that are asked at once. */
const parallelMax = 4;
/** Look-ups of one tick by one worker: the rest waits for the next one. */
const perTickMax = 100;

export class ReconcileRunner {
  readonly #gateway: Pick<AssembledGateway, 'checkUnknown'>;
  readonly #log: LogLine;
  readonly #onError: (error: unknown) => void;
  readonly #running = new Set<Promise<void>>();
  /** Operations of processes that died: they come first. */
  readonly #first: string[] = [];
  #isClosed = false;

  constructor(
    gateway: Pick<AssembledGateway, 'checkUnknown'>,
    { log, onError }: { readonly log: LogLine; readonly onError: (error: unknown) => void },
  ) {
    this.#gateway = gateway;
    this.#log = log;
    this.#onError = onError;
  }

  /** Operations that a dead process left: nobody has looked for them yet, so they do not wait. */
  adopt(opIds: readonly string[]): void {
    if (opIds.length === 0) return;
    for (const op of opIds) {
      const what = 'an operation of a process that ended is UNKNOWN now: it is being found out';
      this.#log('warn', what, { op });
    }
    this.#first.push(...opIds);
    this.tick();
  }

  /** One more worker on what is due; those that wait for a slow target go on. */
  tick(): void {
    if (this.#isClosed || this.#running.size >= parallelMax) return;
    const work = this.#work().catch(this.#onError);
    const tracked: Promise<void> = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  /** Resolves when nothing is under way any more; nothing is begun after `close`. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.settled();
  }

  async #work(): Promise<void> {
    for (let count = 0; count < perTickMax && !this.#isClosed; count += 1) {
      const opId = this.#first.shift();
      const wasMade = await this.#gateway.checkUnknown(opId);
      if (!wasMade && opId === undefined) return;
    }
  }
}
