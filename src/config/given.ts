// Optional members of an object: absent, never `undefined`.

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The members that have a value. */
export function given<T extends object>(members: T): Given<T> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Given<T>;
}
