// All characters and sequences that UTS 39 calls confusable with one character.
import { confusables } from '../../src/core/checks/tables/confusables.ts';

const text = (points: string): string =>
  String.fromCodePoint(...points.split('+').map((point) => Number.parseInt(point, 16)));

/** Prototype → every source of it, from the published table alone. */
const byPrototype = new Map<string, string[]>();
const prototypes = new Map<string, string>();
for (const each of confusables.join(' ').split(' ')) {
  const [from = '', to = ''] = each.split('>');
  prototypes.set(text(from), text(to));
  byPrototype.set(text(to), [...(byPrototype.get(text(to)) ?? []), text(from)]);
}

/** What may stand for the character without being seen: never the character itself. */
export function lookalikesOf(character: string): string[] {
  const prototype = prototypes.get(character) ?? character;
  const found = [prototype, ...(byPrototype.get(prototype) ?? [])];
  return found.filter((each) => each !== character);
}
