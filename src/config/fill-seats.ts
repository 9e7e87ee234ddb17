// Whether the people of a file are enough for what level 2 asks of them.
import type { PersonConfig } from './config.ts';

/**
 * Whether every seat can have a different person. By Hall's theorem it can exactly when, for each
 * selection of seats, enough people have one of its roles; there are at most five seats.
 */
export function canFill(seats: readonly string[], people: readonly PersonConfig[]): boolean {
  const selections = Array.from({ length: 2 ** seats.length }, (_unused, bits) =>
    seats.filter((_seat, at) => (bits >> at) % 2 === 1),
  );
  return selections.every((selected) => {
    const able = people.filter(({ roles }) => roles.some((role) => selected.includes(role)));
    return able.length >= selected.length;
  });
}
