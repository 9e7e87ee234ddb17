import { defineConfig, type ViteUserConfig } from 'vitest/config';

const unit = [
  'src/**/*.test.ts',
  'test/*.test.ts',
  'test/{requirements,pins,reference,linearizability,simulator}/**/*.test.ts',
];
const system = ['test/{e2e,compat,chaos}/**/*.test.ts'];

const browser = ['test/browser/**/*.test.ts'];

const config: ViteUserConfig = defineConfig({
  test: {
    globalSetup: ['test/fixtures/postgres/global-setup.ts'],
    projects: [
      // Far above what any test takes: a slow machine is no failure.
      {
        extends: true,
        test: { name: 'unit', include: unit, testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        extends: true,
        test: { name: 'system', include: system, testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        extends: true,
        test: { name: 'browser', include: browser, testTimeout: 60_000, hookTimeout: 60_000 },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/cli/{main,mcp}.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: {
        lines: 90,
        'src/{core,receipts}/**': { branches: 100, functions: 100, lines: 100 },
      },
    },
  },
});

export default config;
