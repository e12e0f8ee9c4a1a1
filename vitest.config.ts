import { defineConfig } from 'vitest/config'

const project = (name: string, include: string[]) => ({
  extends: true as const,
  test: { name, include },
})

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: 'tests/support/global-setup.ts',
    // whole shops are started, on machines that do other things too
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // no test depends on speed: what does not come within a minute never comes
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    // loading the server takes longer than most files: a worker loads it once for all its files
    isolate: false,
    projects: [
      project('shop', [
        '{contracts,server,sandbox,web}/**/*.test.{ts,tsx}',
        'tests/{architecture,settings}.test.ts',
      ]),
      project('security', ['tests/security/**/*.test.ts']),
      project('faults', ['tests/faults/**/*.test.ts']),
      // npm run test:providers alone
      project('providers', ['tests/providers/**/*.test.ts']),
      // npm run test:scale alone
      project('scale', ['tests/scale/**/*.test.ts']),
    ],
  },
})
