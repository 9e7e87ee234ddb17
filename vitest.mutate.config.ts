// Tests that judge a mutant: those of the pure parts. What runs `dist` would judge the last build.
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/{core,receipts,stores/memory}/**/*.test.ts', 'test/reference/*.test.ts'],
    testTimeout: 60_000,
  },
});

export default config;
