// A hostile agent cannot grow the log without bound: refused and asked proposals per minute are counted.
import type { Decision } from '../core/decision.ts';
import type { Answer } from './gateway.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { rateLimitedReport } from './report-failure.ts';

const windowMs = 60_000;

export class RateLimiter {
  readonly #parts: Pick<GatewayParts, 'store' | 'nowMs' | 'log' | 'rateLimit'>;
  #windowStartMs = 0;
  #counted = 0;
  #dropped = 0;

  constructor(parts: Pick<GatewayParts, 'store' | 'nowMs' | 'log' | 'rateLimit'>) {
    this.#parts = parts;
  }

  /** True when this minute's share of refusals and questions is used up. */
  isExhausted(): boolean {
    this.#roll();
    return this.#counted >= this.#parts.rateLimit;
  }

  count(decision: Decision): void {
    if (decision.kind !== 'allow') this.#counted += 1;
  }

  /** Answers without a leaf; the minute's total is one alarm leaf. */
  refuse(): Answer {
    this.#dropped += 1;
    return rateLimitedReport(
      Math.ceil((this.#windowStartMs + windowMs - this.#parts.nowMs()) / 1_000),
    );
  }

  /** Records what the current minute dropped; for shutdown. */
  async flush(): Promise<void> {
    if (this.#dropped === 0) return;
    const dropped = this.#dropped;
    this.#dropped = 0;
    await this.#parts.store.appendLeaves([
      {
        type: 'alarm',
        code: 'RATE_LIMITED',
        open: { kind: 'dropped_proposals', figures: { dropped } },
        committed: {},
      },
    ]);
  }

  #roll(): void {
    const nowMs = this.#parts.nowMs();
    if (nowMs < this.#windowStartMs + windowMs && nowMs >= this.#windowStartMs) return;
    this.#windowStartMs = nowMs;
    this.#counted = 0;
    this.flush().catch((error: unknown) => {
      this.#parts.log('error', `dropped proposals could not be recorded: ${String(error)}`);
    });
  }
}
