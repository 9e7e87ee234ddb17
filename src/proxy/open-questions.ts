// The questions to a person that a session waits for. Identical calls share one question and one
// form, and only the last of them may take it back.
import type { ClientRequest } from './client-requests.ts';

export class OpenQuestions {
  readonly #holders = new Map<string, number>();
  readonly #forms = new Map<string, ClientRequest>();

  hold(approvalId: string): void {
    this.#holders.set(approvalId, (this.#holders.get(approvalId) ?? 0) + 1);
  }

  /** True when no other call waits for this question any more. */
  release(approvalId: string): boolean {
    const left = (this.#holders.get(approvalId) ?? 1) - 1;
    if (left > 0) this.#holders.set(approvalId, left);
    else this.#holders.delete(approvalId);
    return left <= 0;
  }

  /** The form that the client is showing for it. */
  form(approvalId: string): ClientRequest | undefined {
    return this.#forms.get(approvalId);
  }

  /** Remembers a form until it is answered or taken back. */
  show(approvalId: string, form: ClientRequest): void {
    this.#forms.set(approvalId, form);
    void form.reply.then(() => this.#forms.delete(approvalId));
  }
}
