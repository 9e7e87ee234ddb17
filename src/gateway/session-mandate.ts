// The mandate of this configuration: joined at start, renewed when its time is over.
import type { MandateRow } from '../core/operation.ts';
import type { GatewayParts } from './gateway-parts.ts';

export class SessionMandate {
  readonly #parts: Pick<GatewayParts, 'store' | 'mandateDraft' | 'nowMs' | 'log'>;
  #row: MandateRow | undefined;
  #joining: Promise<MandateRow> | undefined;

  constructor(parts: Pick<GatewayParts, 'store' | 'mandateDraft' | 'nowMs' | 'log'>) {
    this.#parts = parts;
  }

  /** The row as last read; status and counters are always taken from the store when a proposal is decided. */
  async current(): Promise<MandateRow> {
    const row = this.#row;
    if (row !== undefined && this.#parts.nowMs() < row.expiresMs) return row;
    this.#joining ??= this.#join();
    return this.#joining;
  }

  async #join(): Promise<MandateRow> {
    try {
      const row = await this.#parts.store.joinMandate(this.#parts.mandateDraft());
      this.#row = row;
      if (row.status !== 'active') this.#parts.log('warn', `the mandate is ${row.status}`);
      return row;
    } finally {
      this.#joining = undefined;
    }
  }
}
