// Tells once that somebody who is asked again and again begins to fail, and once that they answer again.
import type { LogLine } from '../gateway/gateway-parts.ts';
import type { Store } from '../stores/store.ts';

/** Open fields of the `alarm` leaf. */
export interface FailureKind {
  readonly kind: string;
  readonly server?: string;
}

export class FailureNotice {
  readonly #store: Pick<Store, 'appendLeaves'>;
  readonly #report: LogLine;
  #isFailing = false;

  constructor(store: Pick<Store, 'appendLeaves'>, report: LogLine) {
    this.#store = store;
    this.#report = report;
  }

  /** A line and a leaf when it begins; what goes on failing is not told again. Never throws. */
  async fails(line: string, failure: FailureKind): Promise<void> {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#report('error', line);
    try {
      const open = { ...failure, figures: {} };
      await this.#store.appendLeaves([{ type: 'alarm', open, committed: {} }]);
    } catch (error) {
      this.#report('error', `store: ${String(error)}`);
    }
  }

  answers(line: string): void {
    if (this.#isFailing) this.#report('info', line);
    this.#isFailing = false;
  }
}
