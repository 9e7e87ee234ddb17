// Trusted values of one owner, found by canonical form, id, alias or likeness. Built at load, read at each call.
import { lookalikeKey } from './checks/skeleton.ts';
import type { Candidate } from './facts.ts';

type Canonical = string | number | boolean;

/** An earlier record with the same value, or with another that looks like it. */
export interface Neighbour {
  readonly kind: 'same' | 'alike';
  readonly recordId: string;
}

/** One index per owner and field. A `Map` tells 7 from "7" by itself. */
export class TrustedIndex {
  readonly #byValue = new Map<Canonical, Candidate | Candidate[]>();
  readonly #byId = new Map<string, Candidate>();
  readonly #byAlias = new Map<string, Candidate[]>();
  /** First candidate of each lookalike key: kept as values come in, so that no call waits for a pass over all of them. */
  readonly #byLikeness = new Map<string, Candidate>();

  /** Tells whether a record with the same value, or one that looks like it, was there before. */
  add(candidate: Candidate, aliases: readonly string[] = []): Neighbour | undefined {
    this.#byId.set(candidate.recordId, candidate);
    for (const alias of aliases) {
      const others = this.#byAlias.get(alias);
      if (others === undefined) this.#byAlias.set(alias, [candidate]);
      else others.push(candidate);
    }
    return this.#addValue(candidate);
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

  /** Whether a trusted text has this lookalike key; ask only for a value that is not trusted itself. */
  hasLikeness(key: string): boolean {
    return this.#byLikeness.has(key);
  }

  candidates(): Iterable<Candidate> {
    return this.#byId.values();
  }

  #addValue(candidate: Candidate): Neighbour | undefined {
    const { canonical } = candidate;
    const known = this.#byValue.get(canonical);
    if (known === undefined) {
      this.#byValue.set(canonical, candidate);
      return typeof canonical === 'string' ? this.#addLikeness(canonical, candidate) : undefined;
    }
    const twins = Array.isArray(known) ? known : [known];
    twins.push(candidate);
    this.#byValue.set(canonical, twins);
    return { kind: 'same', recordId: (twins[0] as Candidate).recordId };
  }

  #addLikeness(canonical: string, candidate: Candidate): Neighbour | undefined {
    const key = lookalikeKey(canonical);
    const like = this.#byLikeness.get(key);
    if (like !== undefined) return { kind: 'alike', recordId: like.recordId };
    this.#byLikeness.set(key, candidate);
    return undefined;
  }
}
