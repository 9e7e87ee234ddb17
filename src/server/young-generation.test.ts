import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const module_ = JSON.stringify(new URL('./young-generation.ts', import.meta.url).href);

/** MiB of the young generation while it is held, and after it was released. */
function sizes(): { readonly held: number; readonly released: number } {
  const script = `
    const { holdYoungGeneration, releaseYoungGeneration, youngSizeBytes } = await import(${module_});
    const churn = async () => {
      let kept = [];
      for (let round = 0; round < 400; round += 1) {
        for (let i = 0; i < 10_000; i += 1) kept.push({ i, text: 'x' + i });
        kept = kept.slice(-20_000);
        await new Promise(setImmediate);
      }
    };
    const mib = () => youngSizeBytes() / 2 ** 20;
    holdYoungGeneration();
    await churn();
    const held = mib();
    releaseYoungGeneration();
    await churn();
    console.log(JSON.stringify({ held, released: mib() }));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout) as ReturnType<typeof sizes>;
}

describe('the young generation', () => {
  it('stays small while it is held, and grows only a little after that', () => {
    const { held, released } = sizes();
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThanOrEqual(4);
    expect(released).toBeGreaterThanOrEqual(8);
    expect(released).toBeLessThanOrEqual(32);
  });
});
