// Requests that wait for their answer, by id. Two plain lists instead of a `Map`: a map that lives
// long and changes with every request leaves a chain of dead tables behind, and these keep each
// finished request alive until the next full garbage collection.

export class OpenRequests<Id extends string | number, Item> {
  readonly #ids: Id[] = [];
  readonly #items: Item[] = [];

  get size(): number {
    return this.#ids.length;
  }

  has(id: Id): boolean {
    return this.#ids.includes(id);
  }

  get(id: Id): Item | undefined {
    return this.#items[this.#ids.indexOf(id)];
  }

  add(id: Id, item: Item): void {
    this.#ids.push(id);
    this.#items.push(item);
  }

  /** The last one takes the place of the removed one. */
  remove(id: Id): void {
    const index = this.#ids.indexOf(id);
    if (index === -1) return;
    const lastId = this.#ids.pop() as Id;
    const lastItem = this.#items.pop() as Item;
    if (index === this.#ids.length) return;
    this.#ids[index] = lastId;
    this.#items[index] = lastItem;
  }

  /** A copy: what is done with an item may remove it. */
  items(): readonly Item[] {
    return [...this.#items];
  }

  /** The only id, when there is exactly one. */
  onlyId(): Id | undefined {
    return this.#ids.length === 1 ? this.#ids[0] : undefined;
  }
}
