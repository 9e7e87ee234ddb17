// Waiting for a person: answered by this process at once, by another one within a poll.
import type { ApprovalState } from '../core/operation.ts';
import type { GatewayParts } from './gateway-parts.ts';

/** Other processes write to the same store; this often it is looked at, in milliseconds. */
const pollMs = 250;

export class ApprovalWaiters {
  readonly #parts: Pick<GatewayParts, 'store' | 'nowMs'>;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(parts: Pick<GatewayParts, 'store' | 'nowMs'>) {
    this.#parts = parts;
  }

  /** Wakes everybody who waits for this request. */
  wake(approvalId: string): void {
    for (const wake of this.#waiting.get(approvalId) ?? []) wake();
  }

  async wait(
    approvalId: string,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<ApprovalState | undefined> {
    const untilMs = performance.now() + timeoutMs;
    for (;;) {
      const state = (await this.#parts.store.readApproval(approvalId))?.approval.state;
      const leftMs = untilMs - performance.now();
      if (state !== 'REQUESTED' || leftMs <= 0 || signal?.aborted === true) return state;
      await this.#sleep(approvalId, Math.min(pollMs, leftMs), signal);
    }
  }

  #sleep(approvalId: string, ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.#waiting.get(approvalId) ?? new Set();
      this.#waiting.set(approvalId, waiters);
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        waiters.delete(done);
        if (waiters.size === 0) this.#waiting.delete(approvalId);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
      waiters.add(done);
    });
  }
}
