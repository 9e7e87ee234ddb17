// A client that pays through one gateway after the other, and remembers what it was told.
import { answerOnPage, parseLink } from '../fixtures/product/answer-on-page.ts';
import { codeOf, decisionOf } from '../fixtures/product/world.ts';
import { vendorIban } from '../fixtures/product/world-files.ts';
import type { Frame, RawClient } from '../fixtures/raw-client.ts';
import { nothingTold, type Told } from './judge-payments.ts';

/** Runs at once, and needs a person's yes. */
const smallAmount = 1;
const askedAmount = 200;
const answerMaxMs = 10_000;

export class Payer {
  readonly told: Told = nothingTold();
  #serial = 0;
  #askedNote: string | undefined;

  /** Pays without a pause until the process is gone or `isOver`. */
  async payOn(
    client: RawClient,
    { lanes, isOver }: { lanes: number; isOver: () => boolean },
  ): Promise<void> {
    const lane = async (): Promise<void> => {
      while (!isOver()) {
        if ((await this.#pay(client, this.#nextNote(), smallAmount)) === undefined) return;
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  /** Pays what a person must confirm, confirms it, pays again; until the process is gone. */
  async askOn(client: RawClient, { isOver }: { isOver: () => boolean }): Promise<void> {
    while (!isOver()) {
      // One request stays the same over the ends of gateways until it is carried out.
      const note = this.#askedNote ?? this.#nextNote();
      this.#askedNote = note;
      const answer = await this.#pay(client, note, askedAmount);
      if (answer === undefined) return;
      const url = decisionOf(answer)?.approval?.url;
      if (url === undefined) this.#askedNote = undefined;
      else if (!(await this.#confirm(url, note))) return;
    }
  }

  #nextNote(): string {
    this.#serial += 1;
    return `n${this.#serial}`;
  }

  /** Undefined when no answer came. */
  async #pay(client: RawClient, note: string, amount: number): Promise<Frame | undefined> {
    const id = client.post('tools/call', {
      name: 'pay',
      arguments: { recipient: vendorIban, amount, note },
    });
    const answer = await client.answerTo(id, answerMaxMs).catch(() => undefined);
    if (answer !== undefined) this.told.codes.set(note, codeOf(answer));
    return answer;
  }

  /** False when nobody serves the page any more. */
  async #confirm(url: string, note: string): Promise<boolean> {
    try {
      const { status } = await answerOnPage(parseLink(url), { verdict: 'approve' });
      if (status === 200) this.told.approved.add(note);
      return true;
    } catch {
      // The process died before the page or its answer came.
      return false;
    }
  }
}
