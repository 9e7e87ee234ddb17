// Trusted values of one owner, found by canonical form, id, alias or likeness. Built at load, read at each call.
import { lookalikeKey } from './checks/skeleton.ts';
import type { Candidate } from './facts.ts';

type Canonical = string | number | boolean;

/** One index per owner and field. A `Map` tells 7 from "7" by itself. */
export class TrustedIndex {
  readonly #byValue = new Map<Canonical, Candidate | Candidate[]>();
  readonly #byId = new Map<string, Candidate>();
  readonly #byAlias = new Map<string, Candidate[]>();
  /** First candidate of each lookalike key: kept as values come in, so that no call waits for a pass over all of them. */
  readonly #byLikeness = new Map<string, Candidate>();

  add(candidate: Candidate, aliases: readonly string[] = []): void {
    const { canonical, recordId } = candidate;
    const known = this.#byValue.get(canonical);
    if (known === undefined) this.#addValue(candidate);
    else if (Array.isArray(known)) known.push(candidate);
    else this.#byValue.set(canonical, [known, candidate]);
    this.#byId.set(recordId, candidate);
    for (const alias of aliases) {
      const others = this.#byAlias.get(alias);
      if (others === undefined) this.#byAlias.set(alias, [candidate]);
      else others.push(candidate);
    }
  }

  get size(): number {
    return this.#byId.size;
  }

  byValue(canonical: Canonical): readonly Candidate[] {
    const found = this.#byValue.get(canonical);
    if (found === undefined) return [];
    return Array.isArray(found) ? found : [found];
  }

  byId(id: string): Candidate | undefined {
    return this.#byId.get(id);
  }

  byAlias(alias: string): readonly Candidate[] {
    return this.#byAlias.get(alias) ?? [];
  }

  /** The first trusted text with this lookalike key, to name it in a warning. */
  byLikeness(key: string): Candidate | undefined {
    return this.#byLikeness.get(key);
  }

  /** Whether a trusted text has this lookalike key; ask only for a value that is not trusted itself. */
  hasLikeness(key: string): boolean {
    return this.#byLikeness.has(key);
  }

  candidates(): Iterable<Candidate> {
    return this.#byId.values();
  }

  #addValue(candidate: Candidate): void {
    const { canonical } = candidate;
    this.#byValue.set(canonical, candidate);
    if (typeof canonical !== 'string') return;
    const key = lookalikeKey(canonical);
    if (!this.#byLikeness.has(key)) this.#byLikeness.set(key, candidate);
  }
}
