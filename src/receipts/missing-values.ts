// Committed fields whose value the store does not keep, until a `redaction` leaf names them. Every
// value is kept at first: a long text is committed by its hash, and then the hash is the value.

/** What a `redaction` leaf names; only a checked leaf makes it more than a claim. */
export type RedactedTargets = readonly {
  readonly fields: readonly string[];
  readonly seqs: readonly number[];
}[];

export class MissingValues {
  readonly #from: number;
  readonly #fieldsOf = new Map<number, readonly string[]>();
  /** One list per set of names: most leaves of a type have the same. */
  readonly #lists = new Map<string, readonly string[]>();

  /** Leaves below `from` are not looked at. */
  constructor(from: number) {
    this.#from = from;
  }

  get size(): number {
    return this.#fieldsOf.size;
  }

  /** The committed fields of one leaf, and those that are kept. */
  note(seq: number, committed: readonly string[], kept: Readonly<Record<string, unknown>>): void {
    const missing = committed.filter((field) => !Object.hasOwn(kept, field));
    if (missing.length > 0) this.#set(seq, missing);
  }

  /** Takes out what the targets name; what they name and is there is told to `undone`. */
  explain(
    targets: RedactedTargets | undefined,
    undone: (seq: number, field: string) => void,
  ): void {
    if (!isTargets(targets)) return;
    for (const { fields, seqs } of targets) {
      for (const seq of seqs) if (seq >= this.#from) this.#explainLeaf(seq, fields, undone);
    }
  }

  #explainLeaf(
    seq: number,
    fields: readonly string[],
    undone: (seq: number, field: string) => void,
  ): void {
    const missing = this.#fieldsOf.get(seq) ?? [];
    for (const field of fields) if (!missing.includes(field)) undone(seq, field);
    const left = missing.filter((field) => !fields.includes(field));
    if (left.length === 0) this.#fieldsOf.delete(seq);
    else this.#set(seq, left);
  }

  #set(seq: number, fields: readonly string[]): void {
    const key = JSON.stringify(fields);
    const list = this.#lists.get(key) ?? fields;
    this.#lists.set(key, list);
    this.#fieldsOf.set(seq, list);
  }

  /** In order of `seq`. */
  left(): readonly (readonly [seq: number, fields: readonly string[]])[] {
    return [...this.#fieldsOf];
  }
}

/** Leaves of other types may hold anything under this name. */
function isTargets(targets: unknown): targets is RedactedTargets {
  return (
    Array.isArray(targets) &&
    targets.every(
      (target: unknown) =>
        typeof target === 'object' &&
        target !== null &&
        Array.isArray((target as { fields?: unknown }).fields) &&
        Array.isArray((target as { seqs?: unknown }).seqs),
    )
  );
}
