import { it, type TestFunction, type TestOptions } from 'vitest';
import { requirementsById } from './manifest.ts';

type Body =
  | readonly [test: TestFunction, timeoutMs?: number]
  | readonly [options: TestOptions, test: TestFunction];

/**
 * A Vitest `it` that proves rows of the requirements manifest.
 *
 * A row with a known failure runs as expected-to-fail, so a fix forces the removal of that field.
 * An id without a row is a failing test. Ids are literals: `coverage.test.ts` reads them from the
 * source text.
 */
export function verifies(id: string | readonly string[], name: string, ...body: Body): void {
  const ids = typeof id === 'string' ? [id] : id;
  const title = `${ids.join(' ')}: ${name}`;
  const unknown = ids.filter((each) => !requirementsById.has(each));
  if (unknown.length > 0) {
    it(title, () => {
      throw new Error(
        `no row \`${unknown.join('`, `')}\` in test/requirements: add it or fix the id`,
      );
    });
    return;
  }
  const isKnownFailure = ids.some((each) => requirementsById.get(each)?.knownFailure !== undefined);
  const register = isKnownFailure ? it.fails : it;
  if (typeof body[0] === 'function') register(title, body[0], body[1] as number | undefined);
  else register(title, body[0], body[1] as TestFunction);
}
