// People and passkeys as the store has them, read at most once a second: who is asked is told a moment
// late at the most, and who answered is judged in the transaction that takes the answer.
import { type People, readPeople } from '../core/person.ts';
import type { GatewayParts } from './gateway-parts.ts';

const freshMs = 1_000;

export class PeopleDirectory {
  readonly #parts: Pick<GatewayParts, 'store' | 'nowMs'>;
  #people: Promise<People> | undefined;
  #readMs = 0;

  constructor(parts: Pick<GatewayParts, 'store' | 'nowMs'>) {
    this.#parts = parts;
  }

  current(): Promise<People> {
    const nowMs = this.#parts.nowMs();
    const isFresh = Math.abs(nowMs - this.#readMs) < freshMs;
    if (this.#people !== undefined && isFresh) return this.#people;
    this.#readMs = nowMs;
    this.#people = this.#read();
    this.#people.catch(() => {
      this.#people = undefined;
    });
    return this.#people;
  }

  async #read(): Promise<People> {
    const kinds = ['person', 'credential'] as const;
    const found = await Promise.all(kinds.map((kind) => this.#parts.store.readRecords({ kind })));
    return readPeople(found.flat());
  }
}
