import { describe, it } from 'vitest';

/** The Python with the packages of requirements.txt, set by `npm run test:all`. */
const python = process.env['INTENTPLANE_PEERS'];

/**
 * A Vitest `describe` for tests against the Python peers. Without them it is skipped and says why;
 * in CI their absence is a failure.
 */
export function describeWithPython(name: string, suite: (python: string) => void): void {
  if (python !== undefined && python !== '') describe(name, () => suite(python));
  else if (process.env['CI'] !== undefined) {
    it(`${name}: needs the Python peers`, () => {
      throw new Error('INTENTPLANE_PEERS is not set: run `npm run test:all`');
    });
  } else describe.skip(`${name} (needs the Python peers: npm run test:all)`, () => suite(''));
}
