import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: [
      'contracts/**/*.test.ts',
      'server/**/*.test.ts',
      'sandbox/**/*.test.ts',
      'web/**/*.test.{ts,tsx}',
      'tests/**/*.test.ts',
    ],
    exclude: ['tests/e2e/**', 'node_modules/**'],
    globalSetup: 'tests/support/global-setup.ts',
    // whole shops are started, on machines that do other things too
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
